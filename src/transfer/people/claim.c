#include "transfer/people/claim.h"

#include "model/value.h"

static enum rc ask(
	struct db *db, enum stmt stmt, int n, const struct db_param *params, struct rows **rows)
{
	db_send_text(db, str_of(stmt_texts[stmt].sql), n, params);
	db_flush(db);
	return db_next(db, rows);
}

/* From now on nobody else changes these projects. */
static enum rc lock_projects(struct db *db, struct arena *a, struct claim *k, struct ids *projects)
{
	const struct db_param from = db_int(a, k->from);
	struct rows *rows;
	enum rc rc = ask(db, STMT_CLAIM_PROJECTS, 1, &from, &rows);
	if (rc)
		return rc;
	int64_t *ids = arena_array(a, (size_t)db_count(rows) + 1, sizeof *ids);
	for (int i = 0; i < db_count(rows); i++)
		ids[i] = db_get_int(rows, i, 0);
	*projects = (struct ids){ ids, (size_t)db_count(rows) };
	k->projects = projects->n;
	return RC_OK;
}

/* How many of the parameters each takes: from whom, to whom, in which projects. */
static const struct {
	enum stmt stmt;
	int n;
	bool enters;
} moves[] = {
	{ STMT_CLAIM_IMPORT_ITEMS, 3, false },
	{ STMT_CLAIM_IMPORT_ITEMS_OF_SEARCHES, 3, false },
	{ STMT_CLAIM_EPICS, 3, false },
	{ STMT_CLAIM_BLOCKERS, 2, false },
	{ STMT_CLAIM_REVIEWS, 2, false },
	{ STMT_CLAIM_FILES, 2, false },
	{ STMT_CLAIM_GOOGLE_ATTACHMENTS, 2, false },
	{ STMT_CLAIM_TRANSITIONS, 3, false },
	{ STMT_CLAIM_SEARCHES, 2, false },
	{ STMT_CLAIM_WORKSPACES, 2, false },
	{ STMT_CLAIM_IMPORTED_PEOPLE, 2, false },
	{ STMT_CLAIM_NOTIFICATION_PERFORMERS, 2, false },
	{ STMT_CLAIM_NOTIFICATIONS, 2, false },
	{ STMT_CLAIM_NOTIFIED_AT, 2, false },
	{ STMT_CLAIM_ROLES, 2, true },
	{ STMT_CLAIM_MEMBERSHIPS, 2, true },
	{ STMT_CLAIM_ACCOUNTS, 2, true },
	{ STMT_CLAIM_ACTIVITIES, 3, false },
	{ STMT_CLAIM_DELETE_PLACEHOLDER, 1, false },
};

enum rc claim_run(struct db *db, struct arena *a, struct claim *k)
{
	struct ids projects;
	struct rows *rows;
	enum rc rc = lock_projects(db, a, k, &projects);
	if (rc)
		return rc;
	const struct db_param params[] = { db_int(a, k->from), db_int(a, k->to),
		db_ids(a, projects.v, projects.n) };
	if ((rc = ask(db, STMT_CLAIM_STORIES, 3, params, &rows)))
		return rc;
	k->stories = db_count(rows);
	if ((rc = ask(db, STMT_CLAIM_COMMENTS, 2, params, &rows)))
		return rc;
	k->comments = db_count(rows);
	for (size_t i = 0; i < sizeof moves / sizeof *moves && !rc; i++)
		if (k->enters || !moves[i].enters)
			rc = ask(db, moves[i].stmt, moves[i].n, params, &rows);
	if (rc)
		return rc;
	const struct db_param told[] = { params[1], params[2],
		db_text(a,
			arena_printf(a, "%.*s claimed what was imported of %.*s", (int)k->to_name.n,
				k->to_name.p, (int)k->from_name.n, k->from_name.p)) };
	return ask(db, STMT_CLAIM_ACTIVITY, 3, told, &rows);
}
