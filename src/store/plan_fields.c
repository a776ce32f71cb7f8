#include "model/plan_fields.h"

#include "store/plan_load.h"

/*
 * The number of iterations with exact boundaries when projecting completions: five years of
 * weeks.
 */
#define COMPLETION_WEEKS 260

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
static enum rc put_accepted(struct arena *a, struct db *db, const struct rows *places,
	const struct plan_project *projects, size_t n_projects, struct rows *out)
{
	struct plan_day *days = arena_array(a, (size_t)db_count(places), sizeof *days);
	int64_t *of = arena_array(a, (size_t)db_count(places), sizeof *of), *instants;
	size_t n = 0;
	for (int i = 0; i < db_count(places); i++) {
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
	if (n == 0)
		return RC_OK;
	enum rc rc = plan_load_midnights(a, db, days, n, &instants);
	for (size_t i = 0; !rc && i < n; i++)
		put_completion(a, out, of[i], instants[i]);
	return rc;
}

static enum rc put_planned(struct arena *a, struct db *db, const struct rows *places,
	const struct plan_project *projects, size_t n_projects, struct rows *out)
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
		const struct plan_project *p =
			find_project(projects, n_projects, db_get_int(places, i, PLACE_PROJECT));
		if (!p || !db_is_null(places, i, PLACE_ACCEPTED_DAY))
			continue;
		if (wish.project != p->id) {
			wish.project = p->id;
			rc = plan_load_of(a, db, p, &wish, &plan);
		}
		if (!rc && (it = plan_find(&plan, db_get_int(places, i, PLACE_STORY), &from)))
			put_completion(a, out, db_get_int(places, i, PLACE_ID), it->span.finish);
	}
	return rc;
}

/* The projects of the parents, one after another of the same only once. */
static void send_projects(struct arena *a, struct db *db, const struct rows *parents)
{
	int column = db_column(parents, "project_id");
	int64_t *ids = arena_array(a, (size_t)db_count(parents), sizeof *ids);
	size_t n = 0;
	for (int i = 0; i < db_count(parents); i++) {
		int64_t id = db_get_int(parents, i, column);
		if (n == 0 || ids[n - 1] != id)
			ids[n++] = id;
	}
	plan_load_send_projects(a, db, ids, n);
}

/* places_stmt gives, for each object and by project, the story that it waits for. */
static enum rc find_completions(struct arena *a, struct db *db, enum stmt places_stmt,
	const struct rows *parents, struct db_param ids, struct rows **rows)
{
	static const char *const columns[] = { "parent_id", "projected_completion" };
	struct plan_project *projects;
	struct rows *places;
	size_t n;
	*rows = db_make_rows(db, columns, 2);
	db_send(db, places_stmt, 1, &ids);
	send_projects(a, db, parents);
	db_flush(db);
	enum rc rc = db_next(db, &places);
	if (!rc)
		rc = plan_load_take_projects(a, db, &projects, &n);
	if (!rc)
		rc = put_accepted(a, db, places, projects, n, *rows);
	return rc ? rc : put_planned(a, db, places, projects, n, *rows);
}

enum rc plan_completions(struct arena *a, struct db *db, const struct rows *stories,
	const int64_t *ids, size_t n, struct rows **rows)
{
	return find_completions(a, db, STMT_RELEASE_PLACES, stories, db_ids(a, ids, n), rows);
}

enum rc plan_epic_completions(struct arena *a, struct db *db, const struct rows *epics,
	const int64_t *ids, size_t n, struct rows **rows)
{
	return find_completions(a, db, STMT_EPIC_PLACES, epics, db_ids(a, ids, n), rows);
}

/* Epics --------------------------------------------------------------------- */

/* An epic's stories that were accepted before the current iteration. */
struct past {
	double points;
	int64_t stories, pointless;
};

/* The statement counts what was accepted before the current iteration can have begun, and returns
   later stories one by one. */
static struct past find_past(const struct rows *rows, int row, int32_t current_day)
{
	struct past past = { db_get_float(rows, row, db_column(rows, "points")),
		db_get_int(rows, row, db_column(rows, "stories")),
		db_get_int(rows, row, db_column(rows, "pointless")) };
	struct db_array days = db_array(rows, row, db_column(rows, "later_days"));
	struct db_array estimates = db_array(rows, row, db_column(rows, "later_estimates"));
	int64_t day;
	double estimate;
	while (db_array_next_int(&days, &day) && db_array_next_float(&estimates, &estimate)) {
		if (day >= current_day)
			continue;
		past.points += estimate;
		past.stories++;
		past.pointless += estimate == 0;
	}
	return past;
}

struct rows *plan_epic_rollups(struct arena *a, struct db *db, const struct rows *from)
{
	static const char *const columns[] = { "parent_id", "past_done_story_estimates",
		"past_done_stories_count", "past_done_stories_no_point_count", "completed_at" };
	struct rows *rows = db_make_rows(db, columns, 5);
	struct plan_project p = { 0 };
	int project = db_column(from, "id"), completed = db_column(from, "completed_at");
	for (int i = 0; i < db_count(from); i++) {
		if (p.id != db_get_int(from, i, project))
			plan_load_read_project(a, from, i, &p);
		struct past past = find_past(from, i, plan_load_current_day(&p));
		db_put(rows, i, 0, db_int(a, db_get_int(from, i, db_column(from, "parent_id"))));
		db_put(rows, i, 1, db_float(a, past.points));
		db_put(rows, i, 2, db_int(a, past.stories));
		db_put(rows, i, 3, db_int(a, past.pointless));
		if (!db_is_null(from, i, completed))
			db_put(rows, i, 4, db_time(a, db_get_time(from, i, completed)));
	}
	return rows;
}

/* Projects ------------------------------------------------------------------ */

struct rows *plan_calendars(struct arena *a, struct db *db, const struct rows *projects)
{
	static const char *const columns[] = { "parent_id", "start_time",
		"current_iteration_number" };
	struct rows *rows = db_make_rows(db, columns, 3);
	struct plan_project p;
	for (int i = 0; i < db_count(projects); i++) {
		plan_load_read_project(a, projects, i, &p);
		db_put(rows, i, 0, db_int(a, p.id));
		db_put(rows, i, 1, db_time(a, p.first_midnight));
		db_put(rows, i, 2, db_int(a, p.days.current));
	}
	return rows;
}

enum rc plan_shown_starts(struct arena *a, struct db *db, const struct rows *projects,
	const int64_t *ids, size_t n_ids, struct rows **rows)
{
	static const char *const columns[] = { "parent_id", "shown_iterations_start_time" };
	size_t n = (size_t)db_count(projects);
	struct plan_day *days = arena_array(a, n, sizeof *days);
	int64_t *of = arena_array(a, n, sizeof *of), *instants;
	(void)ids, (void)n_ids;
	*rows = db_make_rows(db, columns, 2);
	for (size_t i = 0; i < n; i++) {
		struct plan_project p;
		plan_load_read_project(a, projects, (int)i, &p);
		of[i] = p.id;
		days[i] = (struct plan_day){ plan_load_shown_day(&p), p.zone };
	}
	enum rc rc = plan_load_midnights(a, db, days, n, &instants);
	for (size_t i = 0; !rc && i < n; i++) {
		db_put(*rows, (int)i, 0, db_int(a, of[i]));
		db_put(*rows, (int)i, 1, db_time(a, instants[i]));
	}
	return rc;
}

enum rc plan_velocities(struct arena *a, struct db *db, const struct rows *projects,
	const int64_t *ids, size_t n_ids, struct rows **rows)
{
	static const char *const columns[] = { "parent_id", "current_velocity",
		"current_volatility", "current_standard_deviation" };
	struct plan plan;
	(void)ids, (void)n_ids;
	*rows = db_make_rows(db, columns, 4);
	for (int i = 0; i < db_count(projects); i++) {
		struct plan_project p;
		plan_load_read_project(a, projects, i, &p);
		struct plan_wish wish = {
			.project = p.id, .scope = PLAN_CURRENT, .limit = 1, .velocity = true
		};
		enum rc rc = plan_load_of(a, db, &p, &wish, &plan);
		if (rc)
			return rc;
		db_put(*rows, i, 0, db_int(a, p.id));
		db_put(*rows, i, 1, db_int(a, plan.velocity.points));
		db_put(*rows, i, 2, db_float(a, plan.velocity.volatility));
		db_put(*rows, i, 3, db_float(a, plan.velocity.standard_deviation));
	}
	return RC_OK;
}
