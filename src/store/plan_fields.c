#include "store/plan_fields.h"

#include "store/plan_load.h"

/* Iterations whose boundaries are exact when completions are projected: five years of weeks. */
#define COMPLETION_WEEKS 260

/* Projects of rows that come by project: all, or those of the rows with something in `day`. */
static int64_t *list_projects(
	struct arena *a, const struct rows *rows, int column, int day, size_t *n)
{
	int64_t *ids = arena_array(a, (size_t)db_count(rows), sizeof *ids);
	*n = 0;
	for (int i = 0; i < db_count(rows); i++) {
		int64_t id = db_get_int(rows, i, column);
		if ((day < 0 || !db_is_null(rows, i, day)) && (*n == 0 || ids[*n - 1] != id))
			ids[(*n)++] = id;
	}
	return ids;
}

static const struct plan_project *find_project(
	const struct plan_project *projects, size_t n, int64_t id)
{
	for (size_t i = 0; i < n; i++)
		if (projects[i].id == id)
			return &projects[i];
	return NULL;
}

/* Completions --------------------------------------------------------------- */

static void put_completion(struct arena *a, struct rows *out, int64_t id, int64_t finish)
{
	int row = db_count(out);
	db_put(out, row, 0, db_int(a, id));
	db_put(out, row, 1, db_time(a, finish));
}

enum { PLACE_ID, PLACE_PROJECT, PLACE_ACCEPTED_DAY, PLACE_STORY };

/* What is accepted is done when the iteration is over in which it was accepted. */
static enum rc put_accepted(
	struct arena *a, struct db *db, const struct rows *places, struct rows *out)
{
	struct plan_project *projects;
	struct plan_day *days = arena_array(a, (size_t)db_count(places), sizeof *days);
	int64_t *of = arena_array(a, (size_t)db_count(places), sizeof *of), *instants;
	size_t n_ids, n_projects, n = 0;
	int64_t *ids = list_projects(a, places, PLACE_PROJECT, PLACE_ACCEPTED_DAY, &n_ids);
	if (n_ids == 0)
		return RC_OK;
	enum rc rc = plan_load_projects(a, db, ids, n_ids, &projects, &n_projects);
	for (int i = 0; !rc && i < db_count(places); i++) {
		const struct plan_project *p =
			find_project(projects, n_projects, db_get_int(places, i, PLACE_PROJECT));
		if (!p || db_is_null(places, i, PLACE_ACCEPTED_DAY))
			continue;
		int number = planning_find_number_of_day(
			&p->days, db_get_date(places, i, PLACE_ACCEPTED_DAY));
		of[n] = db_get_int(places, i, PLACE_ID);
		days[n++] =
			(struct plan_day){ planning_find_span(&p->days, number + 1).day, p->zone };
	}
	if (!rc)
		rc = plan_load_midnights(a, db, days, n, &instants);
	for (size_t i = 0; !rc && i < n; i++)
		put_completion(a, out, of[i], instants[i]);
	return rc;
}

static enum rc put_planned(
	struct arena *a, struct db *db, const struct rows *places, struct rows *out)
{
	struct plan_wish wish = { .scope = PLAN_CURRENT_BACKLOG,
		.limit = COMPLETION_WEEKS,
		.stories = true,
		.whole = true };
	const struct planning_iteration *it = NULL;
	struct plan plan;
	size_t from = 0;
	enum rc rc = RC_OK;
	for (int i = 0; !rc && i < db_count(places); i++) {
		int64_t project = db_get_int(places, i, PLACE_PROJECT);
		if (!db_is_null(places, i, PLACE_ACCEPTED_DAY))
			continue;
		if (wish.project != project) {
			wish.project = project;
			rc = plan_load(a, db, &wish, &plan);
		}
		if (!rc && (it = plan_find(&plan, db_get_int(places, i, PLACE_STORY), &from)))
			put_completion(a, out, db_get_int(places, i, PLACE_ID), it->span.finish);
	}
	return rc;
}

/* places_stmt gives, for each object and by project, the story that it waits for. */
static enum rc find_completions(struct arena *a, struct db *db, enum stmt places_stmt,
	const int64_t *ids, size_t n, struct rows **rows)
{
	static const char *const columns[] = { "parent_id", "projected_completion" };
	struct db_param param = db_ids(a, ids, n);
	struct rows *places;
	*rows = db_make_rows(db, columns, 2);
	db_send(db, places_stmt, 1, &param);
	db_flush(db);
	enum rc rc = db_next(db, &places);
	if (!rc)
		rc = put_accepted(a, db, places, *rows);
	return rc ? rc : put_planned(a, db, places, *rows);
}

enum rc plan_completions(
	struct arena *a, struct db *db, const int64_t *ids, size_t n, struct rows **rows)
{
	return find_completions(a, db, STMT_RELEASE_PLACES, ids, n, rows);
}

enum rc plan_epic_completions(
	struct arena *a, struct db *db, const int64_t *ids, size_t n, struct rows **rows)
{
	return find_completions(a, db, STMT_EPIC_PLACES, ids, n, rows);
}

/* Epics --------------------------------------------------------------------- */

enum rc plan_epic_rollups(
	struct arena *a, struct db *db, const int64_t *ids, size_t n, struct rows **rows)
{
	struct db_param epics = db_ids(a, ids, n);
	struct plan_project *projects;
	struct rows *of;
	size_t n_ids, n_projects = 0;
	db_send(db, STMT_EPIC_PROJECTS, 1, &epics);
	db_flush(db);
	enum rc rc = db_next(db, &of);
	if (rc)
		return rc;
	const int64_t *project_ids = list_projects(a, of, 0, -1, &n_ids);
	if ((rc = plan_load_projects(a, db, project_ids, n_ids, &projects, &n_projects)))
		return rc;
	int64_t *known = arena_array(a, n_projects, sizeof *known);
	int64_t *days = arena_array(a, n_projects, sizeof *days);
	for (size_t i = 0; i < n_projects; i++) {
		known[i] = projects[i].id;
		days[i] = planning_find_span(&projects[i].days, projects[i].days.current).day;
	}
	const struct db_param params[] = { epics, db_ids(a, known, n_projects),
		db_ids(a, days, n_projects) };
	db_send(db, STMT_EPIC_ROLLUPS, 3, params);
	db_flush(db);
	return db_next(db, rows);
}

/* Projects ------------------------------------------------------------------ */

enum rc plan_calendars(
	struct arena *a, struct db *db, const int64_t *ids, size_t n, struct rows **rows)
{
	static const char *const columns[] = { "parent_id", "start_time",
		"current_iteration_number", "shown_iterations_start_time" };
	struct plan_project *projects;
	int64_t *instants;
	size_t n_projects;
	*rows = db_make_rows(db, columns, 4);
	enum rc rc = plan_load_projects(a, db, ids, n, &projects, &n_projects);
	if (rc)
		return rc;
	struct plan_day *days = arena_array(a, 2 * n_projects, sizeof *days);
	for (size_t i = 0; i < n_projects; i++) {
		const struct plan_project *p = &projects[i];
		days[2 * i] = (struct plan_day){ p->project.first_day, p->zone };
		days[2 * i + 1] = (struct plan_day){ plan_load_shown_day(p), p->zone };
	}
	rc = plan_load_midnights(a, db, days, 2 * n_projects, &instants);
	for (size_t i = 0; !rc && i < n_projects; i++) {
		db_put(*rows, (int)i, 0, db_int(a, projects[i].id));
		db_put(*rows, (int)i, 1, db_time(a, instants[2 * i]));
		db_put(*rows, (int)i, 2, db_int(a, projects[i].days.current));
		db_put(*rows, (int)i, 3, db_time(a, instants[2 * i + 1]));
	}
	return rc;
}

enum rc plan_velocities(
	struct arena *a, struct db *db, const int64_t *ids, size_t n, struct rows **rows)
{
	static const char *const columns[] = { "parent_id", "current_velocity",
		"current_volatility", "current_standard_deviation" };
	struct plan plan;
	*rows = db_make_rows(db, columns, 4);
	for (size_t i = 0; i < n; i++) {
		struct plan_wish wish = {
			.project = ids[i], .scope = PLAN_CURRENT, .limit = 1, .velocity = true
		};
		enum rc rc = plan_load(a, db, &wish, &plan);
		if (rc)
			return rc;
		db_put(*rows, (int)i, 0, db_int(a, ids[i]));
		db_put(*rows, (int)i, 1, db_int(a, plan.velocity.points));
		db_put(*rows, (int)i, 2, db_float(a, plan.velocity.volatility));
		db_put(*rows, (int)i, 3, db_float(a, plan.velocity.standard_deviation));
	}
	return RC_OK;
}
