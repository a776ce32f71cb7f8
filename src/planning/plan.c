#include "planning/plan.h"

#include <stdlib.h>

const char *const plan_scopes[PLAN__MAX] = { NULL, "done", "current", "backlog", "current_backlog",
	"done_current" };

/* Offsets that fit an integer column; no project has as many iterations. */
#define OFFSET_MAX INT64_C(1000000000)

/* Iterations whose boundaries are exact when completions are projected: five years of weeks. */
#define COMPLETION_WEEKS 260

static bool has_backlog(const struct plan_wish *w)
{
	return w->scope == PLAN_ALL || w->scope == PLAN_BACKLOG || w->scope == PLAN_CURRENT_BACKLOG;
}

/* How many there are depends on what is planned. */
static bool counts_backlog(const struct plan_wish *w)
{
	return w->total && has_backlog(w);
}

static bool wants_open(const struct plan_wish *w)
{
	return w->scope != PLAN_DONE && (w->stories || has_backlog(w));
}

static bool wants_done(const struct plan_wish *w)
{
	return w->stories || w->velocities || w->velocity || wants_open(w);
}

void plan_send(struct arena *a, struct db *db, const struct plan_wish *w)
{
	const char *scope = plan_scopes[w->scope];
	int64_t offset = w->offset > OFFSET_MAX ? OFFSET_MAX : w->offset;
	struct db_param page[] = { db_int(a, w->project), db_text(a, str_of(scope ? scope : "")),
		db_int(a, offset < -OFFSET_MAX ? -OFFSET_MAX : offset), db_int(a, w->limit) };
	struct db_param label = db_text(a, w->label);

	db_send(db, STMT_PLANNING_PROJECT, 4, page);
	db_send(db, STMT_PLANNING_OVERRIDES, 1, page);
	if (wants_done(w)) {
		struct db_param done[] = { page[0], page[1], page[2], page[3],
			db_bool(a, w->velocities), db_bool(a, w->velocity || wants_open(w)),
			label };
		db_send(db, STMT_PLANNING_DONE, 7, done);
	}
	if (wants_open(w)) {
		struct db_param open[] = { page[0], page[1], page[2], page[3],
			db_bool(a, counts_backlog(w)), label };
		db_send(db, STMT_PLANNING_OPEN, 6, open);
	}
}

/* Answers ----------------------------------------------------------------- */

/* The page as sql/planning.sql numbered it. */
struct window {
	int first, end;
	int64_t now;
};

static enum rc take_project(
	struct arena *a, struct db *db, struct planning_project *p, struct window *w)
{
	struct rows *rows;
	enum rc rc = db_next(db, &rows);
	if (rc || db_is_null(rows, 0, db_column(rows, "iteration_length")))
		return rc;
	p->iteration_length = (int)db_get_int(rows, 0, db_column(rows, "iteration_length"));
	p->initial_velocity = (int)db_get_int(rows, 0, db_column(rows, "initial_velocity"));
	p->velocity_averaged_over =
		(int)db_get_int(rows, 0, db_column(rows, "velocity_averaged_over"));
	p->automatic_planning = db_get_bool(rows, 0, db_column(rows, "automatic_planning"));
	p->first_day = db_get_date(rows, 0, db_column(rows, "first_day"));
	w->now = db_get_time(rows, 0, db_column(rows, "now"));
	w->first = (int)db_get_int(rows, 0, db_column(rows, "page"));
	w->end = (int)db_get_int(rows, 0, db_column(rows, "page_end"));

	struct db_array array = db_array(rows, 0, db_column(rows, "midnights"));
	int64_t *midnights = arena_array(a, (size_t)array.left, sizeof *midnights);
	size_t n = 0;
	while (db_array_next_int(&array, &midnights[n]))
		n++;
	p->midnights =
		(struct planning_midnights){ db_get_date(rows, 0, db_column(rows, "table_day")), n,
			midnights };
	return RC_OK;
}

static enum rc take_overrides(struct arena *a, struct db *db, struct planning_project *p)
{
	struct rows *rows;
	enum rc rc = db_next(db, &rows);
	if (rc)
		return rc;
	size_t n = (size_t)db_count(rows);
	struct planning_override *o = arena_array(a, n, sizeof *o);
	for (size_t i = 0; i < n; i++)
		o[i] = (struct planning_override){ .number = (int)db_get_int(rows, (int)i, 0),
			.weeks = (int)db_get_int(rows, (int)i, 1),
			.strength = db_get_float(rows, (int)i, 2) };
	p->overrides = o;
	p->overrides_n = n;
	return RC_OK;
}

/* Columns id, rank, estimate, shown, and section when not all are accepted. */
static enum rc take_stories(struct arena *a, struct db *db, struct plan_stories *s)
{
	static const enum planning_state states[] = { PLANNING_ACCEPTED, PLANNING_STARTED,
		PLANNING_PLANNED, PLANNING_UNSTARTED };
	struct rows *rows;
	enum rc rc = db_next(db, &rows);
	if (rc)
		return rc;
	int id = db_column(rows, "id"), rank = db_column(rows, "rank");
	int estimate = db_column(rows, "estimate"), shown = db_column(rows, "shown");
	int section = db_column(rows, "section");
	s->n = (size_t)db_count(rows);
	s->stories = arena_array(a, s->n, sizeof *s->stories);
	s->ids = arena_array(a, s->n, sizeof *s->ids);
	s->shown = arena_array(a, s->n, sizeof *s->shown);
	for (size_t i = 0; i < s->n; i++) {
		int row = (int)i;
		s->ids[i] = db_get_int(rows, row, id);
		s->shown[i] = !db_is_null(rows, row, shown) && db_get_bool(rows, row, shown);
		s->stories[i] = (struct planning_story){
			.state = states[section < 0 ? 0 : db_get_int(rows, row, section)],
			.estimate = db_is_null(rows, row, estimate)
				? -1
				: db_get_float(rows, row, estimate),
			.accepted_at = db_get_int(rows, row, rank),
		};
	}
	return RC_OK;
}

/* Points accepted by iteration, as far as their stories were loaded. */
static struct planning_sums sum_up(
	struct arena *a, const struct planning_calendar *c, const struct plan_stories *done)
{
	double *points = arena_array(a, (size_t)c->current, sizeof *points);
	for (size_t i = 0; i < done->n; i++)
		if (done->stories[i].estimate > 0)
			points[planning_find_number(c, done->stories[i].accepted_at) - 1] +=
				done->stories[i].estimate;
	return (struct planning_sums){ 1, (size_t)c->current, points };
}

/* The page ---------------------------------------------------------------- */

static int count_scope(const struct plan *p, const struct plan_wish *w, int *first)
{
	int current = p->calendar.current;
	int backlog = p->filled.iterations_n ? (int)p->filled.iterations_n - 1 : 0;
	*first = 1;
	switch (w->scope) {
	case PLAN_DONE: return current - 1;
	case PLAN_DONE_CURRENT: return current;
	case PLAN_CURRENT: *first = current; return 1;
	case PLAN_CURRENT_BACKLOG: *first = current; return 1 + backlog;
	case PLAN_BACKLOG: *first = current + 1; return backlog;
	default: return current + backlog;
	}
}

/* A done iteration: the stories accepted in it, which are those from *next on. */
static void make_done(struct arena *a, const struct plan_stories *done,
	const struct planning_calendar *c, size_t *next, struct plan_iteration *it)
{
	size_t i = *next;
	while (i < done->n && done->stories[i].accepted_at < it->span.start)
		i++;
	it->story_ids = arena_array(a, done->n - i, sizeof *it->story_ids);
	for (; i < done->n; i++) {
		const struct planning_story *s = &done->stories[i];
		if (planning_find_number(c, s->accepted_at) != it->span.number)
			break;
		if (s->estimate > 0)
			it->points += s->estimate;
		if (done->shown[i])
			it->story_ids[it->stories_n++] = done->ids[i];
	}
	*next = i;
	it->accepted_points = it->points;
	it->effective_points = planning_find_effective(&it->span, it->points);
}

static void make_planned(struct arena *a, const struct plan *p, struct plan_iteration *it)
{
	const struct planning_iteration *from =
		&p->filled.iterations[it->span.number - p->calendar.current];
	it->points = from->points;
	it->accepted_points = from->accepted_points;
	it->effective_points = from->effective_points;
	it->story_ids = arena_array(a, from->n, sizeof *it->story_ids);
	for (size_t i = from->first; i < from->first + from->n; i++)
		if (p->open.shown[p->filled.order[i]])
			it->story_ids[it->stories_n++] = p->open.ids[p->filled.order[i]];
}

static void make_page(struct arena *a, const struct plan_wish *w, const struct window *page,
	const struct plan_stories *done, const struct planning_sums *sums, struct plan *p)
{
	int first, count = count_scope(p, w, &first);
	int end = page->end < first + count ? page->end : first + count;
	size_t next = 0;
	p->total = count;
	if (end <= page->first)
		return;
	p->n = (size_t)(end - page->first);
	p->iterations = arena_array(a, p->n, sizeof *p->iterations);
	for (size_t i = 0; i < p->n; i++) {
		struct plan_iteration *it = &p->iterations[i];
		it->span = planning_find_span(&p->calendar, page->first + (int)i);
		it->velocity = planning_find_velocity(&p->calendar, sums, it->span.number).points;
		if (it->span.number < p->calendar.current)
			make_done(a, done, &p->calendar, &next, it);
		else if (p->filled.iterations_n)
			make_planned(a, p, it);
	}
}

enum rc plan_take(struct arena *a, struct db *db, const struct plan_wish *w, struct plan *p)
{
	struct plan_stories done = { 0 };
	struct window page = { 0 };
	*p = (struct plan){ 0 };
	enum rc rc = take_project(a, db, &p->project, &page);
	if (!rc)
		rc = take_overrides(a, db, &p->project);
	if (!rc && wants_done(w))
		rc = take_stories(a, db, &done);
	if (!rc && wants_open(w))
		rc = take_stories(a, db, &p->open);
	if (rc || !p->project.iteration_length)
		return rc;
	planning_make_calendar(a, &p->project, page.now, &p->calendar);
	struct planning_sums sums = sum_up(a, &p->calendar, &done);
	p->velocity = planning_find_velocity(&p->calendar, &sums, p->calendar.current);
	if (wants_open(w) && (counts_backlog(w) || page.end > p->calendar.current))
		planning_fill(
			a, &p->calendar, &p->velocity, p->open.stories, p->open.n, &p->filled);
	make_page(a, w, &page, &done, &sums, p);
	return RC_OK;
}

enum rc plan_load(struct arena *a, struct db *db, const struct plan_wish *w, struct plan *p)
{
	plan_send(a, db, w);
	db_flush(db);
	return plan_take(a, db, w, p);
}

const struct planning_iteration *plan_find(const struct plan *p, int64_t id, size_t *from)
{
	for (size_t i = 0; i < p->open.n; i++) {
		size_t at = (*from + i) % p->open.n;
		if (p->open.ids[at] == id) {
			*from = at;
			return planning_find_iteration(&p->filled, at);
		}
	}
	return NULL;
}

/* Computed fields ---------------------------------------------------------- */

static void put_completion(struct arena *a, struct rows *out, int64_t id, int64_t finish)
{
	int row = db_count(out);
	db_put(out, row, 0, db_int(a, id));
	db_put(out, row, 1, db_time(a, finish));
}

/* places_stmt gives, for each object and by project, the story that it waits for. */
static enum rc find_completions(struct arena *a, struct db *db, enum stmt places_stmt,
	const int64_t *ids, size_t n, struct rows **rows)
{
	static const char *const columns[] = { "parent_id", "projected_completion" };
	struct db_param param = db_ids(a, ids, n);
	struct plan_wish wish = {
		.scope = PLAN_CURRENT_BACKLOG, .limit = COMPLETION_WEEKS, .stories = true
	};
	const struct planning_iteration *it = NULL;
	struct rows *places;
	struct plan plan;
	size_t from = 0;
	*rows = db_make_rows(db, columns, 2);
	db_send(db, places_stmt, 1, &param);
	db_flush(db);
	enum rc rc = db_next(db, &places);
	for (int i = 0; !rc && i < db_count(places); i++) {
		int64_t id = db_get_int(places, i, 0), project = db_get_int(places, i, 1);
		if (!db_is_null(places, i, 2)) {
			put_completion(a, *rows, id, db_get_time(places, i, 2));
			continue;
		}
		if (wish.project != project) {
			wish.project = project;
			rc = plan_load(a, db, &wish, &plan);
		}
		if (!rc && (it = plan_find(&plan, db_get_int(places, i, 3), &from)))
			put_completion(a, *rows, id, it->span.finish);
	}
	return rc;
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
