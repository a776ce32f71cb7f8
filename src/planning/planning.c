#include "planning/planning.h"

#include <math.h>
#include <stdlib.h>

#include "lib/when.h"

#define DAY_US (INT64_C(86400) * 1000000)
#define NEARLY 1e-6         /* see "Units" in planning.h */
#define VELOCITY_MAX 1e9    /* fits an int; only absurd strengths come close */
#define AVERAGED_OVER_MAX 4 /* velocity_averaged_over */

/* Layer 1: the calendar. */

int32_t planning_find_first_day(
	int week_start, const int32_t *start_date, const int32_t *first_accepted, int32_t created)
{
	int32_t day = start_date ? *start_date : created;
	if (first_accepted && *first_accepted < day)
		day = *first_accepted;
	return when_week_start(day, week_start);
}

static int64_t find_midnight(const struct planning_midnights *m, int32_t day)
{
	size_t i = 0;
	if (day > m->day)
		i = (size_t)(day - m->day) / 7;
	if (i >= m->n)
		i = m->n - 1;
	return m->midnights[i] + (day - m->day - (int64_t)i * 7) * DAY_US;
}

/* Steps through the iterations from number 1 on. */
struct walk {
	const struct planning_project *project;
	size_t override; /* the first one not yet passed */
	struct planning_span span;
};

static void walk_next(struct walk *w)
{
	const struct planning_project *p = w->project;
	struct planning_span *s = &w->span;
	s->day += s->weeks * 7;
	s->number++;
	s->weeks = p->iteration_length;
	s->strength = 1;
	while (w->override < p->overrides_n && p->overrides[w->override].number < s->number)
		w->override++;
	if (w->override < p->overrides_n && p->overrides[w->override].number == s->number) {
		const struct planning_override *o = &p->overrides[w->override];
		if (o->weeks > 0)
			s->weeks = o->weeks;
		if (o->strength >= 0)
			s->strength = o->strength;
	}
	s->start = find_midnight(&p->midnights, s->day);
	s->finish = find_midnight(&p->midnights, s->day + s->weeks * 7);
}

/* Before number 1; the first walk_next leads there. */
static struct walk walk_start(const struct planning_project *p)
{
	return (struct walk){ .project = p, .span = { .day = p->first_day } };
}

/* At the current iteration. */
static struct walk walk_current(const struct planning_calendar *c)
{
	struct walk w = walk_start(c->project);
	w.span = c->spans[c->current - 1];
	return w;
}

void planning_make_calendar(
	struct arena *a, const struct planning_project *p, int64_t now, struct planning_calendar *c)
{
	struct walk w = walk_start(p);
	do
		walk_next(&w);
	while (w.span.finish <= now);
	int current = w.span.number;

	struct planning_span *spans = arena_array(a, (size_t)current, sizeof(*spans));
	w = walk_start(p);
	for (int i = 0; i < current; i++) {
		walk_next(&w);
		spans[i] = w.span;
	}
	*c = (struct planning_calendar){ .project = p, .current = current, .spans = spans };
}

void planning_make_day_calendar(struct arena *a, const struct planning_project *p, int32_t today,
	struct planning_calendar *c)
{
	struct planning_project *days = arena_alloc(a, sizeof *days);
	int64_t *midnight = arena_alloc(a, sizeof *midnight);
	*midnight = p->first_day * DAY_US;
	*days = *p;
	days->midnights = (struct planning_midnights){ p->first_day, 1, midnight };
	planning_make_calendar(a, days, today * DAY_US, c);
}

int planning_find_number_of_day(const struct planning_calendar *days, int32_t day)
{
	return planning_find_number(days, day * DAY_US);
}

struct planning_span planning_find_span(const struct planning_calendar *c, int number)
{
	if (number <= c->current)
		return c->spans[number - 1];
	struct walk w = walk_current(c);
	while (w.span.number < number)
		walk_next(&w);
	return w.span;
}

size_t planning_find_begins(const struct planning_calendar *days, int32_t first, int32_t last,
	int64_t *begins, size_t most)
{
	struct walk w = walk_current(days);
	size_t n = 0;
	int number = planning_find_number_of_day(days, first);
	w.span = days->spans[number - 1];
	for (; n < most && w.span.day <= last; walk_next(&w))
		if (w.span.day + w.span.weeks * 7 > first)
			begins[n++] = w.span.day;
	return n;
}

int planning_find_number(const struct planning_calendar *c, int64_t accepted_at)
{
	int low = 1, high = c->current;
	while (low < high) {
		int middle = low + (high - low) / 2;
		if (accepted_at < c->spans[middle - 1].finish)
			high = middle;
		else
			low = middle + 1;
	}
	return low;
}

/* Layer 2: velocity. */

/* The iterations averaged for `number`, newest first; returns how many, at most 4. */
static int find_window(const struct planning_calendar *c, int number,
	const struct planning_span *window[AVERAGED_OVER_MAX])
{
	int wanted = c->project->velocity_averaged_over, found = 0;
	if (wanted > AVERAGED_OVER_MAX)
		wanted = AVERAGED_OVER_MAX;
	for (int i = number - 1; i >= 1 && found < wanted; i--)
		if (c->spans[i - 1].strength > 0)
			window[found++] = &c->spans[i - 1];
	return found;
}

int planning_find_first_sum(const struct planning_calendar *c, int number)
{
	const struct planning_span *window[AVERAGED_OVER_MAX];
	if (number > c->current)
		number = c->current;
	int n = find_window(c, number, window);
	return n ? window[n - 1]->number : number;
}

double planning_find_effective(const struct planning_span *span, double points)
{
	return span->strength > 0 ? points / span->strength : 0;
}

static double find_sum(const struct planning_sums *sums, int number)
{
	if (number < sums->first || (size_t)(number - sums->first) >= sums->n)
		return 0;
	return sums->points[number - sums->first];
}

/* Population standard deviation, not that of a sample. */
static double find_deviation(const double *values, int n, double mean)
{
	double squares = 0;
	for (int i = 0; i < n; i++)
		squares += (values[i] - mean) * (values[i] - mean);
	return sqrt(squares / n);
}

struct planning_velocity planning_find_velocity(
	const struct planning_calendar *c, const struct planning_sums *sums, int number)
{
	const struct planning_project *p = c->project;
	const struct planning_span *window[AVERAGED_OVER_MAX];
	int n = find_window(c, number > c->current ? c->current : number, window);
	double values[AVERAGED_OVER_MAX], effective = 0, weeks = 0, mean = 0;

	for (int i = 0; i < n; i++) {
		double e = planning_find_effective(window[i], find_sum(sums, window[i]->number));
		effective += e;
		weeks += window[i]->weeks;
		values[i] = e / window[i]->weeks * p->iteration_length;
		mean += values[i] / n;
	}
	if (n == 0 || (effective < NEARLY && n == p->velocity_averaged_over))
		return (struct planning_velocity){ .points = p->initial_velocity, .initial = true };

	double velocity = floor(effective / weeks * p->iteration_length + NEARLY);
	double deviation = find_deviation(values, n, mean);
	return (struct planning_velocity){
		.points = (int)fmin(velocity, VELOCITY_MAX),
		.standard_deviation = deviation,
		.volatility = mean > NEARLY ? deviation / mean * 100 : 0,
	};
}

/* Layer 3: filling. */

/* A plan in the making. */
struct filler {
	struct arena *arena;
	const struct planning_calendar *calendar;
	const struct planning_story *stories;
	size_t n;
	int first;        /* number of plan->iterations[0] */
	double room;      /* what the iteration being filled can still take; below 0: overfull */
	double *accepted; /* points by iteration, 1 to current, of the stories seen */
	struct planning_plan *plan;
};

static double find_weight(const struct planning_story *s)
{
	return s->estimate > 0 ? s->estimate : 0;
}

static double find_capacity(
	const struct planning_project *p, const struct planning_span *s, int velocity)
{
	return floor(velocity * s->strength * s->weeks / p->iteration_length + NEARLY);
}

/* The parts of the current iteration, in the order they are shown in. */
enum part { PART_ACCEPTED, PART_IN_PROGRESS, PART_PLANNED, PART_WAITING, PART_ICEBOX };

static enum part find_part(const struct filler *f, const struct planning_story *s)
{
	switch (s->state) {
	case PLANNING_ACCEPTED: return PART_ACCEPTED;
	case PLANNING_STARTED:
	case PLANNING_FINISHED:
	case PLANNING_DELIVERED:
	case PLANNING_REJECTED: return PART_IN_PROGRESS;
	case PLANNING_PLANNED: /* left from manual planning, it is as good as unstarted */
		return f->calendar->project->automatic_planning ? PART_WAITING : PART_PLANNED;
	case PLANNING_UNSTARTED: return PART_WAITING;
	case PLANNING_UNSCHEDULED: break;
	}
	return PART_ICEBOX;
}

/* Accepted stories go where they were accepted, work in progress into the current iteration. */
static double place_settled(struct filler *f)
{
	const struct planning_calendar *c = f->calendar;
	double points = 0; /* of the current iteration */
	for (size_t i = 0; i < f->n; i++) {
		const struct planning_story *s = &f->stories[i];
		enum part part = find_part(f, s);
		int number = c->current;
		f->plan->iteration_of[i] = PLANNING_NONE;
		if (part == PART_WAITING || part == PART_ICEBOX)
			continue;
		if (part == PART_ACCEPTED) {
			number = planning_find_number(c, s->accepted_at);
			f->accepted[number - 1] += find_weight(s);
		}
		if (number == c->current)
			points += find_weight(s);
		if (number >= f->first)
			f->plan->iteration_of[i] = (size_t)(number - f->first);
	}
	return points;
}

/*
 * Puts waiting stories, in order, into the current iteration until one would exceed its capacity,
 * then into backlog iterations. Unused capacity is carried over to the next. Returns the number
 * of the last iteration.
 */
static int place_waiting(struct filler *f, int velocity)
{
	const struct planning_calendar *c = f->calendar;
	const struct planning_project *p = c->project;
	struct walk w = walk_current(c);
	bool open = p->automatic_planning;
	if (!open)
		f->room = 0;
	for (size_t i = 0; i < f->n; i++) {
		double weight = find_weight(&f->stories[i]);
		if (find_part(f, &f->stories[i]) != PART_WAITING)
			continue;
		while (!open || w.span.strength <= 0 || weight > f->room + NEARLY) {
			if (w.span.number - c->current >= PLANNING_BACKLOG_MAX)
				break;
			walk_next(&w);
			open = true;
			/* At velocity 0 the backlog would never end. */
			f->room = fmax(f->room, 0) +
				find_capacity(p, &w.span, velocity > 0 ? velocity : 1);
		}
		f->room -= weight;
		f->plan->iteration_of[i] = (size_t)(w.span.number - f->first);
	}
	return w.span.number;
}

static void make_iterations(struct filler *f, int last, const struct planning_velocity *velocity)
{
	struct planning_plan *plan = f->plan;
	plan->iterations_n = (size_t)(last - f->first + 1);
	plan->iterations = arena_array(f->arena, plan->iterations_n, sizeof(*plan->iterations));
	plan->current = (size_t)(f->calendar->current - f->first);
	plan->velocity = *velocity;

	struct planning_sums sums = { 1, (size_t)f->calendar->current, f->accepted };
	struct walk w = walk_current(f->calendar);
	for (size_t i = 0; i < plan->iterations_n; i++) {
		struct planning_iteration *it = &plan->iterations[i];
		int number = f->first + (int)i;
		it->velocity = velocity->points;
		if (number <= f->calendar->current) {
			it->span = f->calendar->spans[number - 1];
			it->accepted_points = f->accepted[number - 1];
		} else {
			walk_next(&w);
			it->span = w.span;
		}
		if (number < f->calendar->current)
			it->velocity = planning_find_velocity(f->calendar, &sums, number).points;
	}
	for (size_t i = 0; i < f->n; i++) {
		if (plan->iteration_of[i] == PLANNING_NONE)
			continue;
		struct planning_iteration *it = &plan->iterations[plan->iteration_of[i]];
		it->n++;
		it->points += find_weight(&f->stories[i]);
	}
	for (size_t i = 0; i < plan->iterations_n; i++) {
		struct planning_iteration *it = &plan->iterations[i];
		it->first = i ? it[-1].first + it[-1].n : 0;
		it->effective_points = planning_find_effective(&it->span, it->points);
	}
	plan->order_n = plan->iterations[plan->iterations_n - 1].first +
		plan->iterations[plan->iterations_n - 1].n;
}

static int compare_accepted(const void *left, const void *right, void *filler)
{
	const struct filler *f = filler;
	size_t l = *(const size_t *)left, r = *(const size_t *)right;
	int64_t a = f->stories[l].accepted_at;
	int64_t b = f->stories[r].accepted_at;
	if (a != b)
		return a < b ? -1 : 1;
	return l < r ? -1 : l > r;
}

/* By accepted_at, then by the project's order; a query's result is often sorted already. */
static void sort_accepted(struct filler *f, size_t *order, size_t n)
{
	for (size_t i = 1; i < n; i++)
		if (f->stories[order[i - 1]].accepted_at > f->stories[order[i]].accepted_at) {
			qsort_r(order, n, sizeof(*order), compare_accepted, f);
			return;
		}
}

static void order_stories(struct filler *f)
{
	struct planning_plan *plan = f->plan;
	size_t *filled = arena_array(f->arena, plan->iterations_n, sizeof(*filled));
	for (enum part part = PART_ACCEPTED; part < PART_ICEBOX; part++) {
		for (size_t i = 0; i < f->n; i++) {
			size_t at = plan->iteration_of[i];
			if (at != PLANNING_NONE && find_part(f, &f->stories[i]) == part)
				plan->order[plan->iterations[at].first + filled[at]++] = i;
		}
		if (part != PART_ACCEPTED)
			continue;
		for (size_t i = 0; i <= plan->current; i++)
			sort_accepted(f, plan->order + plan->iterations[i].first, filled[i]);
	}
}

/* A null velocity is computed from the stories, which then are all there are. */
static void fill(struct filler *f, const struct planning_velocity *velocity)
{
	const struct planning_calendar *c = f->calendar;
	struct planning_velocity own;
	f->accepted = arena_array(f->arena, (size_t)c->current, sizeof(*f->accepted));
	f->plan->iteration_of = arena_array(f->arena, f->n, sizeof(*f->plan->iteration_of));
	f->plan->order = arena_array(f->arena, f->n, sizeof(*f->plan->order));

	double points = place_settled(f);
	if (!velocity) {
		struct planning_sums sums = { 1, (size_t)c->current, f->accepted };
		own = planning_find_velocity(c, &sums, c->current);
		velocity = &own;
	}
	f->room = find_capacity(c->project, &c->spans[c->current - 1], velocity->points) - points;
	int last = place_waiting(f, velocity->points);
	make_iterations(f, last, velocity);
	order_stories(f);
}

void planning_fill(struct arena *a, const struct planning_calendar *c,
	const struct planning_velocity *velocity, const struct planning_story *stories, size_t n,
	struct planning_plan *plan)
{
	struct filler f = { .arena = a,
		.calendar = c,
		.stories = stories,
		.n = n,
		.first = c->current,
		.plan = plan };
	fill(&f, velocity);
}

void planning_make_plan(struct arena *a, const struct planning_project *p, int64_t now,
	const struct planning_story *stories, size_t n, struct planning_plan *plan)
{
	struct planning_calendar c;
	planning_make_calendar(a, p, now, &c);
	struct filler f = {
		.arena = a, .calendar = &c, .stories = stories, .n = n, .first = 1, .plan = plan
	};
	fill(&f, NULL);
}

const struct planning_iteration *planning_find_iteration(
	const struct planning_plan *plan, size_t story)
{
	size_t i = plan->iteration_of[story];
	return i == PLANNING_NONE ? NULL : &plan->iterations[i];
}
