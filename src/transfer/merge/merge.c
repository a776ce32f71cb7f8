#include "transfer/merge/merge.h"

#include "domain/order.h"
#include "domain/webhook.h"
#include "transfer/merge/attachments.h"
#include "transfer/merge/import_dates.h"
#include "transfer/merge/import_kinds.h"
#include "transfer/merge/story_remarks.h"
#include "transfer/merge/text_refs.h"

static enum rc run(struct import_context *w, enum stmt stmt)
{
	return context_run(w, stmt, 0, NULL);
}

/* Gives places below or above what is already there. */
static enum rc rank(struct import_context *w, enum stmt stmt)
{
	struct db_param gap = db_int(w->arena, ORDER_GAP);
	return context_run(w, stmt, 1, &gap);
}

/* Runs a statement in which words in braces stand for what the kind has. */
static enum rc run_for(struct import_context *w, enum intake_kind kind, enum stmt stmt)
{
	return import_kind_run(w, import_kind_of(kind), stmt, 0, NULL);
}

static enum rc followers(struct import_context *w, enum intake_kind kind)
{
	return run_for(w, kind, STMT_IMPORT_FOLLOWERS);
}

/* Turns records into rows with ids. */
static enum rc name(struct import_context *w, enum intake_kind kind)
{
	const struct import_kind *k = import_kind_of(kind);
	enum rc rc = import_kind_fold(w, k);
	context_progress(w, intake_kinds[kind], 0, 0);
	if (!rc)
		rc = import_kind_run(w, k, k->merge, 0, NULL);
	return rc ? rc : import_kind_name(w, k);
}

static enum rc write_rows(struct import_context *w, enum intake_kind kind)
{
	const struct import_kind *k = import_kind_of(kind);
	enum rc rc = import_kind_decide(w, k);
	return rc ? rc : import_kind_write(w, k);
}

static enum rc whole(struct import_context *w, enum intake_kind kind)
{
	enum rc rc = name(w, kind);
	return rc ? rc : write_rows(w, kind);
}

/* Epics ------------------------------------------------------------------------------------ */

static enum rc part_labels(struct import_context *w)
{
	struct rows *rows;
	enum rc rc = context_rows(w, STMT_IMPORT_EPICS_SHARING_LABEL, 0, NULL, &rows);
	int n = rc ? 0 : db_count(rows);
	for (int i = 0; i < n; i++) {
		struct str label = db_get_text(rows, i, db_column(rows, "name"));
		report_say(w->report, INTAKE_CHANGED, db_get_int(rows, i, db_column(rows, "id")),
			"Labels", "label_taken",
			"the label %.*s belongs to another epic: this one gets a label of its own",
			(int)label.n, label.p);
	}
	db_end(w->db);
	return rc || n == 0 ? rc : run(w, STMT_IMPORT_EPICS_NEW_LABEL);
}

static enum rc name_epics(struct import_context *w)
{
	const struct import_kind *k = import_kind_of(INTAKE_EPIC);
	enum rc rc = import_kind_fold(w, k);
	if (!rc)
		rc = import_kind_run(w, k, k->merge, 0, NULL);
	if (!rc)
		rc = part_labels(w);
	return rc ? rc : import_kind_name(w, k);
}

static enum rc write_epics(struct import_context *w)
{
	const struct import_kind *k = import_kind_of(INTAKE_EPIC);
	enum rc rc = followers(w, INTAKE_EPIC);
	if (!rc)
		rc = import_kind_decide(w, k);
	if (!rc)
		rc = rank(w, STMT_IMPORT_EPIC_RANK);
	if (!rc)
		rc = run(w, STMT_IMPORT_EPIC_TABLE);
	return rc ? rc : import_kind_write(w, k);
}

/* Stories ---------------------------------------------------------------------------------- */

static enum rc name_stories(struct import_context *w)
{
	const struct import_kind *k = import_kind_of(INTAKE_STORY);
	enum rc rc = import_kind_fold(w, k);
	context_progress(w, "story", 0, 0);
	if (!rc)
		rc = run(w, STMT_IMPORT_LATEST);
	if (!rc)
		rc = run(w, STMT_IMPORT_OWNERS);
	if (!rc)
		rc = run(w, STMT_IMPORT_STORY_LABELS);
	if (!rc)
		rc = import_kind_run(w, k, k->merge, 0, NULL);
	return rc ? rc : import_kind_name(w, k);
}

static enum rc place_stories(struct import_context *w)
{
	enum rc rc = rank(w, STMT_IMPORT_STORY_RANK);
	if (!rc)
		rc = run(w, STMT_IMPORT_STORY_RANK_ACCEPTED);
	return rc ? rc : run(w, STMT_IMPORT_STORY_TABLE);
}

static enum rc write_stories(struct import_context *w)
{
	const struct import_kind *k = import_kind_of(INTAKE_STORY);
	enum rc rc = followers(w, INTAKE_STORY);
	if (!rc && !w->is_new)
		rc = import_kind_run(w, k, STMT_IMPORT_STORY_KEEP_UNSET, 0, NULL);
	if (!rc)
		rc = run(w, STMT_IMPORT_STORY_CLEAR_DEADLINE);
	if (!rc)
		rc = import_kind_decide(w, k);
	if (!rc)
		rc = place_stories(w);
	if (!rc)
		rc = import_kind_write(w, k);
	if (rc || context_is_refused(w))
		return rc;
	rc = context_remarks(w, stmt_texts[STMT_IMPORT_REPORT_STORIES].sql);
	if (!rc)
		rc = story_remarks_tell(w);
	return rc ? rc : import_dates_tell(w);
}

/* Finds what records only refer to: objects of an earlier import. */
static enum rc find_others(struct import_context *w)
{
	enum rc rc = w->is_new ? RC_OK : run_for(w, INTAKE_STORY, STMT_IMPORT_STORY_REFERENCED);
	if (!rc && !w->is_new)
		rc = run_for(w, INTAKE_EPIC, STMT_IMPORT_EPIC_REFERENCED);
	return rc ? rc : context_sql(w, "analyze import_story, import_epic", 0, NULL);
}

/* Parts ------------------------------------------------------------------------------------ */

static enum rc blockers(struct import_context *w)
{
	enum rc rc = name(w, INTAKE_BLOCKER);
	if (!rc)
		rc = refs_block(w);
	return rc ? rc : write_rows(w, INTAKE_BLOCKER);
}

static enum rc comments(struct import_context *w)
{
	const struct import_kind *k = import_kind_of(INTAKE_COMMENT);
	enum rc rc = import_kind_fold(w, k);
	context_progress(w, "comment", 0, 0);
	if (!rc)
		rc = import_kind_run(w, k, k->merge, 0, NULL);
	if (!rc)
		rc = run(w, STMT_IMPORT_MERGE_FILES_COMMENT);
	if (!rc)
		rc = run(w, STMT_IMPORT_FILE_COMMENTS);
	if (!rc)
		rc = run(w, STMT_IMPORT_FILE_COMMENTS_NAMED);
	if (!rc)
		rc = import_kind_name(w, k);
	if (!rc)
		rc = write_rows(w, INTAKE_COMMENT);
	return rc || context_is_refused(w)
		? rc
		: context_remarks(w, stmt_texts[STMT_IMPORT_REPORT_COMMENTS].sql);
}

/* Takes webhooks from the files, as many as the project may have besides its own. */
static enum rc webhooks(struct import_context *w)
{
	const struct import_kind *k = import_kind_of(INTAKE_WEBHOOK);
	const struct db_param most = db_int(w->arena, WEBHOOKS_MAX);
	struct rows *rows;
	enum rc rc = name(w, INTAKE_WEBHOOK);
	if (!rc)
		rc = import_kind_decide(w, k);
	if (!rc)
		rc = context_rows(w, STMT_IMPORT_WEBHOOKS_LIMIT, 1, &most, &rows);
	if (rc)
		return rc;
	int64_t lost = db_get_int(rows, 0, db_column(rows, "n"));
	if (lost)
		report_say(w->report, INTAKE_LOST, NIL, "webhook", "too_many",
			"%lld webhooks were left out: a project can have at most %d",
			(long long)lost, WEBHOOKS_MAX);
	report_count(w->report, INTAKE_WEBHOOK, REPORT_LOST, lost);
	return import_kind_write(w, k);
}

static enum rc files(struct import_context *w)
{
	enum rc rc = name(w, INTAKE_FILE);
	if (!rc)
		rc = import_kind_decide(w, import_kind_of(INTAKE_FILE));
	if (!rc)
		rc = attachments_place(w);
	if (!rc)
		rc = attachments_check_room(w);
	if (rc || context_is_refused(w))
		return rc;
	rc = import_kind_write(w, import_kind_of(INTAKE_FILE));
	if (!rc)
		rc = context_remarks(w, stmt_texts[STMT_IMPORT_REPORT_FILES].sql);
	report_count(w->report, INTAKE_FILE, REPORT_LOST, w->lost);
	if (!rc)
		rc = whole(w, INTAKE_GOOGLE);
	return rc ? rc : run(w, STMT_IMPORT_ATTACH);
}

static enum rc parts(struct import_context *w)
{
	enum rc rc = RC_OK;
	for (int i = 0; i < import_kinds_count && !rc && !context_is_refused(w); i++)
		if (import_kinds[i].is_plain)
			rc = whole(w, import_kinds[i].kind);
	if (!rc && !context_is_refused(w))
		rc = webhooks(w);
	if (!rc && !context_is_refused(w))
		rc = blockers(w);
	if (!rc && !context_is_refused(w))
		rc = comments(w);
	return rc || context_is_refused(w) ? rc : files(w);
}

static enum rc touch(struct import_context *w)
{
	enum rc rc = run_for(w, INTAKE_STORY, STMT_IMPORT_TOUCH_STORIES);
	return rc ? rc : run(w, STMT_IMPORT_TOUCH_EPICS);
}

enum rc merge_all(struct import_context *w)
{
	enum rc rc = import_dates_check(w);
	if (!rc)
		rc = whole(w, INTAKE_LABEL);
	if (!rc)
		rc = run(w, STMT_IMPORT_LABELS);
	if (!rc)
		rc = whole(w, INTAKE_INTEGRATION);
	if (!rc)
		rc = name_epics(w);
	if (!rc)
		rc = name_stories(w);
	if (!rc)
		rc = refs_rename(w);
	if (!rc)
		rc = write_epics(w);
	if (!rc)
		rc = write_stories(w);
	if (!rc)
		rc = find_others(w);
	if (!rc && !context_is_refused(w))
		rc = parts(w);
	return rc || context_is_refused(w) || w->is_new ? rc : touch(w);
}
