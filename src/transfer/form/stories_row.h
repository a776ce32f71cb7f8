/* A row of the stories' table, and how records are made of its cells. */
#ifndef STORIES_ROW_H
#define STORIES_ROW_H

#include "transfer/read/cell.h"
#include "transfer/read/cell_date.h"
#include "transfer/read/csv_head.h"
#include "transfer/common/id_set.h"
#include "transfer/common/name_set.h"

/* What columns are for. From STORIES_OWNER on they are lists. */
enum stories_role {
	STORIES_ID,
	STORIES_TITLE,
	STORIES_LABELS,
	STORIES_ITERATION,
	STORIES_START,
	STORIES_END,
	STORIES_TYPE,
	STORIES_ESTIMATE,
	STORIES_PRIORITY,
	STORIES_STATE,
	STORIES_CREATED,
	STORIES_ACCEPTED,
	STORIES_DEADLINE,
	STORIES_REQUESTER,
	STORIES_DESCRIPTION,
	STORIES_URL,
	STORIES_OWNER,
	STORIES_BLOCKER,
	STORIES_BLOCKER_STATUS,
	STORIES_COMMENT,
	STORIES_TASK,
	STORIES_TASK_STATUS,
	STORIES_REVIEW_TYPE,
	STORIES_REVIEWER,
	STORIES_REVIEW_STATUS,
	STORIES_PULL_REQUEST,
	STORIES_BRANCH,
	STORIES__ROLES
};

struct stories_row {
	struct intake *in;
	struct csv_read csv; /* the row is the one that was read last */
	struct csv_head head;
	struct cell_dates dates;
	struct name_set names; /* of people in the columns of the file */
	struct id_set story_ids, epic_ids;
	int64_t stories, epics; /* how many were put */

	/* Of the row. */
	bool is_epic;
	int64_t id;                    /* below 0: the file gives it none (intake.h) */
	const struct cell_place *repo; /* the one that all pull requests are of; else null */
	struct record record;          /* in the making */
};

/* The cell in a column, and in the first one of a role, as people wrote it (cell.h). */
struct str stories_row_cell(const struct stories_row *s, int column);
struct str stories_row_text(const struct stories_row *s, enum stories_role role);
bool stories_row_has(const struct stories_row *s, enum stories_role role);

/* A remark about the cell in that column, which stands whole behind the words. */
void stories_row_say(struct stories_row *s, enum intake_severity severity, int column,
	const char *code, const char *words);

/* Whether a name of the file, or of the intake; arg is the stories_row. */
bool stories_row_is_name(void *arg, struct str name);

/* A record: begun, filled by the functions below and those of record.h, put. */
void stories_row_begin(struct stories_row *s);
enum rc stories_row_end(struct stories_row *s, enum intake_kind kind) MUST_CHECK;

/* A key and its value; nothing when the file has no column of the role. */
void stories_row_put_text(struct stories_row *s, const char *key, enum stories_role role);
void stories_row_put_date(struct stories_row *s, const char *key, enum stories_role role);

/* A person, null without a name. */
void stories_row_put_person(struct stories_row *s, const char *key, struct str name);

#endif
