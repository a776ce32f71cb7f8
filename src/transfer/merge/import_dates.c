#include "transfer/merge/import_dates.h"

#include <string.h>

#include "transfer/merge/import_kinds.h"

/*
 * Deadlines may be in the future; the other two times of a story depend on each other, and are
 * reported by import_dates_tell().
 */
static bool is_told_here(enum intake_kind kind, const struct stage_field *f)
{
	if (f->type != STAGE_TIME || strcmp(f->name, "deadline") == 0)
		return false;
	return kind != INTAKE_STORY ||
		(strcmp(f->name, "created_at") != 0 && strcmp(f->name, "accepted_at") != 0);
}

static enum rc check_field(
	struct import_context *w, enum intake_kind kind, const struct stage_field *f)
{
	const struct import_kind k = { .kind = kind, .field = f->name };
	enum rc rc = import_kind_remark(w, &k, STMT_IMPORT_REPORT_FUTURE);
	return rc || w->lost == 0 ? rc : import_kind_run(w, &k, STMT_IMPORT_CLAMP_FUTURE, 0, NULL);
}

/* Kinds for which the later of both times counts (import_merge.sql, import_merge_parts.sql). */
static bool takes_later(enum intake_kind kind)
{
	const struct resource *r = intake_resource(kind);
	return kind == INTAKE_EPIC || (r->depth >= 2 && resource_field(r, "updated_at") >= 0);
}

static enum rc check_kind(struct import_context *w, enum intake_kind kind)
{
	const struct import_kind k = { .kind = kind };
	enum rc rc = RC_OK;
	if (stage_count(w->stage, kind) == 0)
		return RC_OK;
	for (int i = 0; i < stage_kind_of(kind)->n && !rc; i++)
		if (is_told_here(kind, &stage_kind_of(kind)->fields[i]))
			rc = check_field(w, kind, &stage_kind_of(kind)->fields[i]);
	return rc || !takes_later(kind)
		? rc
		: import_kind_remark(w, &k, STMT_IMPORT_REPORT_UPDATE_BEFORE_CREATION);
}

enum rc import_dates_check(struct import_context *w)
{
	enum rc rc = RC_OK;
	for (int kind = 0; kind < INTAKE__MAX && !rc; kind++)
		rc = check_kind(w, (enum intake_kind)kind);
	return rc;
}

/* Runs a statement about stories and epics, which gets the bits of their created_at. */
static enum rc tell(struct import_context *w, enum stmt stmt)
{
	struct buf sql = { 0 };
	const char *at = stmt_texts[stmt].sql;
	for (const char *next; (next = strchr(at, '$')); at = next + 2) {
		enum intake_kind kind = next[1] == '1' ? INTAKE_STORY : INTAKE_EPIC;
		buf_put(&sql, at, (size_t)(next - at));
		buf_printf(&sql, "%lld", (long long)stage_bits(kind, "created_at"));
	}
	buf_put_z(&sql, at);
	buf_put_char(&sql, '\0');
	enum rc rc = context_remarks(w, sql.p);
	buf_free(&sql);
	return rc;
}

enum rc import_dates_tell(struct import_context *w)
{
	enum rc rc = tell(w, STMT_IMPORT_REPORT_DATES);
	return rc ? rc : tell(w, STMT_IMPORT_REPORT_UNDATED);
}
