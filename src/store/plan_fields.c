#include "model/plan_fields.h"

#include "model/cell.h"
#include "model/object.h"
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

static void add_completion(struct arena *a, struct objects *to, int64_t id, int64_t finish)
{
	struct plan_completion *c = arena_alloc(a, sizeof *c);
	*c = (struct plan_completion){ id, finish };
	objects_add(a, to, c);
}

enum { PLACE_ID, PLACE_PROJECT, PLACE_ACCEPTED_DAY, PLACE_STORY };

/* What was accepted is done once the iteration in which it was accepted is over. */
static enum rc add_accepted(struct arena *a, struct db *db, const struct rows *places,
	const struct plan_project *projects, size_t n_projects, struct objects *to)
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
		add_completion(a, to, of[i], instants[i]);
	return rc;
}

static enum rc add_planned(struct arena *a, struct db *db, const struct rows *places,
	const struct plan_project *projects, size_t n_projects, struct objects *to)
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
			add_completion(a, to, db_get_int(places, i, PLACE_ID), it->span.finish);
	}
	return rc;
}

/* The projects of the parents; of several in a row with the same project, only the first counts. */
static void send_projects(struct arena *a, struct db *db, const struct fetched *parents)
{
	int field = resource_field(parents->selection->resource, "project_id");
	int64_t *ids = arena_array(a, (size_t)cell_count(parents), sizeof *ids);
	size_t n = 0;
	for (int i = 0; i < cell_count(parents); i++) {
		int64_t id = cell_int(parents, i, field);
		if (n == 0 || ids[n - 1] != id)
			ids[n++] = id;
	}
	plan_load_send_projects(a, db, ids, n);
}

/* places_stmt returns, for each object and by project, the story that it waits for. */
static enum rc find_completions(struct arena *a, struct db *db, enum stmt places_stmt,
	const struct fetched *parents, struct db_param ids, struct objects *completions)
{
	struct plan_project *projects;
	struct rows *places;
	size_t n;
	*completions = (struct objects){ 0 };
	db_send(db, places_stmt, 1, &ids);
	send_projects(a, db, parents);
	db_flush(db);
	enum rc rc = db_next(db, &places);
	if (!rc)
		rc = plan_load_take_projects(a, db, &projects, &n);
	if (!rc)
		rc = add_accepted(a, db, places, projects, n, completions);
	return rc ? rc : add_planned(a, db, places, projects, n, completions);
}

enum rc plan_completions(struct arena *a, struct db *db, const struct fetched *stories,
	const int64_t *ids, size_t n, struct objects *values)
{
	return find_completions(a, db, STMT_RELEASE_PLACES, stories, db_ids(a, ids, n), values);
}

enum rc plan_epic_completions(struct arena *a, struct db *db, const struct fetched *epics,
	const int64_t *ids, size_t n, struct objects *values)
{
	return find_completions(a, db, STMT_EPIC_PLACES, epics, db_ids(a, ids, n), values);
}

/* Epics --------------------------------------------------------------------- */

/* The statement counts what was accepted before the current iteration can have begun, and returns
   later stories one by one. */
static void add_later(const struct rows *rows, int row, int32_t current_day, struct plan_rollup *to)
{
	struct db_array days = db_array(rows, row, db_column(rows, "later_days"));
	struct db_array estimates = db_array(rows, row, db_column(rows, "later_estimates"));
	int64_t day;
	double estimate;
	while (db_array_next_int(&days, &day) && db_array_next_float(&estimates, &estimate)) {
		if (day >= current_day)
			continue;
		to->points += estimate;
		to->stories++;
		to->pointless += estimate == 0;
	}
}

struct objects plan_epic_rollups(struct arena *a, const struct rows *from)
{
	struct objects list = { 0 };
	struct plan_project p = { 0 };
	int project = db_column(from, "id"), completed = db_column(from, "completed_at");
	for (int i = 0; i < db_count(from); i++) {
		if (p.id != db_get_int(from, i, project))
			plan_load_read_project(a, from, i, &p);
		struct plan_rollup *rollup = arena_alloc(a, sizeof *rollup);
		*rollup = (struct plan_rollup){
			.parent_id = db_get_int(from, i, db_column(from, "parent_id")),
			.points = db_get_float(from, i, db_column(from, "points")),
			.stories = db_get_int(from, i, db_column(from, "stories")),
			.pointless = db_get_int(from, i, db_column(from, "pointless")),
			.completed_at = db_is_null(from, i, completed)
				? NIL
				: db_get_time(from, i, completed),
		};
		add_later(from, i, plan_load_current_day(&p), rollup);
		objects_add(a, &list, rollup);
	}
	return list;
}

/* Projects ------------------------------------------------------------------ */

struct objects plan_project_bounds(struct arena *a, const struct rows *projects)
{
	struct objects list = { 0 };
	struct plan_project p;
	for (int i = 0; i < db_count(projects); i++) {
		struct plan_bounds *bounds = arena_alloc(a, sizeof *bounds);
		plan_load_read_project(a, projects, i, &p);
		*bounds = (struct plan_bounds){ p.id, p.first_midnight, p.days.current };
		objects_add(a, &list, bounds);
	}
	return list;
}

enum rc plan_shown_starts(struct arena *a, struct db *db, const struct fetched *projects,
	const int64_t *ids, size_t n_ids, struct objects *values)
{
	size_t n = (size_t)cell_count(projects);
	struct plan_day *days = arena_array(a, n, sizeof *days);
	struct plan_shown *shown = arena_array(a, n, sizeof *shown);
	int64_t *instants;
	(void)ids, (void)n_ids;
	*values = (struct objects){ 0 };
	for (size_t i = 0; i < n; i++) {
		struct plan_project p;
		plan_load_read_project(a, projects->rows, (int)i, &p);
		shown[i].parent_id = p.id;
		days[i] = (struct plan_day){ plan_load_shown_day(&p), p.zone };
	}
	enum rc rc = plan_load_midnights(a, db, days, n, &instants);
	for (size_t i = 0; !rc && i < n; i++) {
		shown[i].start = instants[i];
		objects_add(a, values, &shown[i]);
	}
	return rc;
}

enum rc plan_velocities(struct arena *a, struct db *db, const struct fetched *projects,
	const int64_t *ids, size_t n_ids, struct objects *values)
{
	struct plan plan;
	(void)ids, (void)n_ids;
	*values = (struct objects){ 0 };
	for (int i = 0; i < cell_count(projects); i++) {
		struct plan_velocity *velocity = arena_alloc(a, sizeof *velocity);
		struct plan_project p;
		plan_load_read_project(a, projects->rows, i, &p);
		struct plan_wish wish = {
			.project = p.id, .scope = PLAN_CURRENT, .limit = 1, .velocity = true
		};
		enum rc rc = plan_load_of(a, db, &p, &wish, &plan);
		if (rc)
			return rc;
		*velocity = (struct plan_velocity){ p.id, plan.velocity.points,
			plan.velocity.volatility, plan.velocity.standard_deviation };
		objects_add(a, values, velocity);
	}
	return RC_OK;
}
