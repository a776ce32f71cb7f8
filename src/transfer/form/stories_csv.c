#include "transfer/form/stories_csv.h"

#include "transfer/form/stories_put.h"

static const struct csv_column columns[] = {
	{ "Id", STORIES_ID, false },
	{ "Title", STORIES_TITLE, false },
	{ "Story", STORIES_TITLE, false },
	{ "Labels", STORIES_LABELS, false },
	{ "Iteration", STORIES_ITERATION, false },
	{ "Iteration Start", STORIES_START, false },
	{ "Iteration End", STORIES_END, false },
	{ "Type", STORIES_TYPE, false },
	{ "Story Type", STORIES_TYPE, false },
	{ "Estimate", STORIES_ESTIMATE, false },
	{ "Priority", STORIES_PRIORITY, false },
	{ "Current State", STORIES_STATE, false },
	{ "Created at", STORIES_CREATED, false },
	{ "Accepted at", STORIES_ACCEPTED, false },
	{ "Deadline", STORIES_DEADLINE, false },
	{ "Requested By", STORIES_REQUESTER, false },
	{ "Description", STORIES_DESCRIPTION, false },
	{ "URL", STORIES_URL, false },
	{ "Owned By", STORIES_OWNER, true },
	{ "Blocker", STORIES_BLOCKER, true },
	{ "Blocker Status", STORIES_BLOCKER_STATUS, true },
	{ "Comment", STORIES_COMMENT, true },
	{ "Note", STORIES_COMMENT, true },
	{ "Task", STORIES_TASK, true },
	{ "Task Status", STORIES_TASK_STATUS, true },
	{ "Review Type", STORIES_REVIEW_TYPE, true },
	{ "Reviewer", STORIES_REVIEWER, true },
	{ "Review Status", STORIES_REVIEW_STATUS, true },
	{ "Pull Request", STORIES_PULL_REQUEST, true },
	{ "Git Branch", STORIES_BRANCH, true },
};

/* Collects names and dates, and checks that all of it can be read. False if the file is refused. */
static bool survey(struct stories_row *s)
{
	struct intake_place at = s->csv.at;
	if (!csv_read_row(&s->csv)) {
		if (!s->csv.refused)
			intake_say(s->in, INTAKE_ERROR, at, NIL, NULL, "no_header",
				"the file is empty");
		return false;
	}
	csv_head_take(&s->head, &s->csv, INTAKE_STORY, columns, sizeof columns / sizeof *columns);
	if (!stories_row_has(s, STORIES_TITLE)) {
		intake_say(s->in, INTAKE_ERROR, s->csv.at, NIL, NULL, "no_header",
			"a table of stories has a column named Title");
		return false;
	}
	while (csv_read_row(&s->csv))
		stories_put_survey(s);
	return !s->csv.refused && cell_date_settle(&s->dates, s->in) && csv_read_again(&s->csv);
}

static enum rc put_rows(struct stories_row *s)
{
	bool has_header = csv_read_row(&s->csv), has_rows = false;
	while (has_header && csv_read_row(&s->csv)) {
		enum rc rc = stories_put_row(s);
		if (rc)
			return rc;
		has_rows = true;
	}
	if (!has_rows && !s->csv.refused)
		intake_say(s->in, INTAKE_NOTE, s->head.at, NIL, NULL, "no_rows",
			"the table has a header, and no story or epic below it");
	csv_head_say_unread(&s->head, s->in);
	return RC_OK;
}

enum rc stories_csv_read(struct intake *in, int file, struct intake_bytes *bytes)
{
	struct stories_row s = { .in = in, .id = NIL };
	struct arena names = { 0 };
	enum rc rc = RC_OK;
	csv_read_open(&s.csv, in, file, bytes);
	name_set_init(&s.names, &names);
	if (survey(&s))
		rc = put_rows(&s);
	name_set_free(&s.names);
	arena_free(&names);
	id_set_free(&s.story_ids);
	id_set_free(&s.epic_ids);
	csv_head_free(&s.head);
	csv_read_close(&s.csv);
	record_free(&s.record);
	return rc;
}
