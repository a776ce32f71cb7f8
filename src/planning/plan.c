#include "planning/plan.h"

#include <stdlib.h>

const char *const plan_scopes[PLAN__MAX] = { NULL, "done", "current", "backlog", "current_backlog",
	"done_current" };

/* What a request covers --------------------------------------------------- */

static bool has_backlog(const struct plan_wish *w)
{
	return w->scope == PLAN_ALL || w->scope == PLAN_BACKLOG || w->scope == PLAN_CURRENT_BACKLOG;
}

bool plan_needs_all(const struct plan_wish *w)
{
	return w->whole || (w->total && has_backlog(w));
}

/* Part of the request may depend on the plan. */
static bool may_need_open(const struct plan_wish *w)
{
	return w->scope != PLAN_DONE && (w->stories || has_backlog(w));
}

/* Number of the scope's first iteration. */
static int find_base(const struct planning_calendar *c, enum plan_scope scope)
{
	switch (scope) {
	case PLAN_CURRENT:
	case PLAN_CURRENT_BACKLOG: return c->current;
	case PLAN_BACKLOG: return c->current + 1;
	default: return 1;
	}
}

/* Beyond the last possible iteration, all pages are alike: empty. */
static int find_first(const struct planning_calendar *c, const struct plan_wish *w)
{
	int64_t none = c->current + PLANNING_BACKLOG_MAX + 1;
	if (w->number)
		return (int)(w->number < none ? w->number : none);
	int64_t base = w->offset < 0 ? c->current : find_base(c, w->scope);
	if (w->offset >= none - base)
		return (int)none;
	return w->offset < 1 - base ? 1 : (int)(base + w->offset);
}

static int32_t find_day(const struct planning_calendar *c, int number)
{
	return planning_find_span(c, number).day;
}

/* Stories accepted in iterations from `from` up to but not including `to`. */
static void add_done(
	const struct planning_calendar *c, int from, int to, struct plan_window *window)
{
	if (from < to)
		window->done[window->done_n++] =
			(struct plan_days){ find_day(c, from), find_day(c, to) };
}

static int min(int a, int b)
{
	return a < b ? a : b;
}

void plan_find_window(
	const struct planning_calendar *c, const struct plan_wish *w, struct plan_window *window)
{
	int current = c->current, first = find_first(c, w), end = first + (int)w->limit;
	int sums = planning_find_first_sum(c, current);
	int page_sums = planning_find_first_sum(c, min(first, current));
	int from = w->velocities ? page_sums : first;
	bool open = may_need_open(w);
	*window = (struct plan_window){ .first = first, .end = end };
	window->midnights.from = find_day(c, min(sums, page_sums));
	window->midnights.to = find_day(c, end > current ? end : current + 1);
	window->open = open && (plan_needs_all(w) || end > current);
	window->current_day = find_day(c, current);

	if (!w->stories && !w->velocities && !w->velocity && !open)
		return;
	if (!w->velocity && !open) {
		add_done(c, from, min(end, current), window);
	} else if (min(end, current) <= sums) {
		add_done(c, from, min(end, current), window);
		add_done(c, sums, current, window);
	} else {
		add_done(c, min(from, sums), current, window);
	}
}

/* What is planned --------------------------------------------------------- */

/* Points accepted by iteration, as far as their stories are known. */
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

bool plan_is_filled(
	const struct plan *p, const struct plan_wish *w, const struct plan_window *window)
{
	int behind = window->end - p->calendar.current;
	return !plan_needs_all(w) && behind > 0 && p->filled.iterations_n > (size_t)behind;
}

void plan_fill(struct arena *a, const struct plan_window *window, const struct plan_stories *done,
	struct plan *p)
{
	struct planning_sums sums = sum_up(a, &p->calendar, done);
	p->velocity = planning_find_velocity(&p->calendar, &sums, p->calendar.current);
	if (window->open)
		planning_fill(
			a, &p->calendar, &p->velocity, p->open.stories, p->open.n, &p->filled);
}

/* The page ---------------------------------------------------------------- */

static int count_scope(const struct plan *p, const struct plan_wish *w, int *first)
{
	int current = p->calendar.current;
	int backlog = p->filled.iterations_n ? (int)p->filled.iterations_n - 1 : 0;
	*first = find_base(&p->calendar, w->scope);
	switch (w->scope) {
	case PLAN_DONE: return current - 1;
	case PLAN_DONE_CURRENT: return current;
	case PLAN_CURRENT: return 1;
	case PLAN_CURRENT_BACKLOG: return 1 + backlog;
	case PLAN_BACKLOG: return backlog;
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

void plan_make_page(struct arena *a, const struct plan_wish *w, const struct plan_window *page,
	const struct plan_stories *done, struct plan *p)
{
	struct planning_sums sums = sum_up(a, &p->calendar, done);
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
		it->velocity = planning_find_velocity(&p->calendar, &sums, it->span.number).points;
		if (it->span.number < p->calendar.current)
			make_done(a, done, &p->calendar, &next, it);
		else if (p->filled.iterations_n)
			make_planned(a, p, it);
	}
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
