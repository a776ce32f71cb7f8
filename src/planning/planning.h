/*
 * The planning calendar: stories, settings, overrides and one point in time in; iterations and
 * velocity out. No database, no clock, no zone data, no globals. The rules are those of contract
 * 5.2 to 5.6; t/planning/README.md decides what they leave open, with reasons, and t/planning/
 * has golden cases.
 *
 * There are three layers, so that a caller need not hold all accepted stories:
 *
 *   1. planning_make_calendar: which iterations there are, up to the current one.
 *   2. planning_find_velocity: from the points accepted in the few iterations that
 *      planning_find_first_sum names.
 *   3. planning_fill: what is in the current iteration and in the backlog, from the stories not
 *      yet accepted and those accepted since it began.
 *
 * planning_make_plan does all three, and the done iterations, from all stories of a project. For
 * 20,000 stories, 19,000 of them done in 300 iterations, it takes 0.8 ms if the accepted ones are
 * ordered by accepted_at; the layers alone take 0.03 ms.
 *
 * Units: instants are microseconds since 1970 UTC and dates are days since 1970-01-01, as in
 * when.h. Points are doubles, because scales may be decimal. Sums and quotients within a
 * millionth below a limit count as reaching it: 29 points at strength 0.29 are 100. Iteration
 * numbers start at 1.
 *
 * Ownership: results live in the given arena, and point into the caller's project, which must
 * live as long.
 */
#ifndef PLANNING_H
#define PLANNING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "lib/arena.h"

/*
 * No plan projects more backlog iterations than this; the last one takes all remaining stories.
 * (A single story of 999 points at velocity 1 needs 999 iterations.)
 */
#define PLANNING_BACKLOG_MAX 5000

/* In `iteration_of`: the story is in no iteration. */
#define PLANNING_NONE SIZE_MAX

/*
 * Local midnights in the project's zone, a week apart: midnights[i] is the first instant of the
 * local date `day + 7 * i`, in ascending order. `day` is on the project's week_start_day and n is
 * at least 1. The table need not cover all iterations: before and after it, midnights are assumed
 * to be 24 hours apart, which is off by at most a daylight-saving change. It must be right where
 * exact boundaries are needed, and around now.
 */
struct planning_midnights {
	int32_t day;
	size_t n;
	const int64_t *midnights;
};

/* An iteration_override. */
struct planning_override {
	int number;
	int weeks;       /* 0: the project's iteration_length */
	double strength; /* 1 is the whole team, 0 nobody; negative: not overridden, so 1 */
};

/* What planning needs to know about a project. */
struct planning_project {
	int iteration_length;       /* weeks, 1 to 4 */
	int initial_velocity;       /* 1 to 999 */
	int velocity_averaged_over; /* iterations, 1 to 4 */
	bool automatic_planning;
	int32_t first_day; /* of iteration 1, from planning_find_first_day */
	struct planning_midnights midnights;
	const struct planning_override *overrides; /* by rising number, each number once */
	size_t overrides_n;
};

/* An iteration as a piece of time. */
struct planning_span {
	int number;
	int weeks;
	double strength;
	int32_t day;    /* local date it begins on */
	int64_t start;  /* local midnight of that date */
	int64_t finish; /* start of the next */
};

/* Layer 1: the done iterations and the current one. */
struct planning_calendar {
	const struct planning_project *project;
	int current;                       /* number of the current iteration */
	const struct planning_span *spans; /* iterations 1 to current: spans[number - 1] */
};

/* Points accepted in iterations first, first + 1, …, first + n - 1. */
struct planning_sums {
	int first;
	size_t n;
	const double *points;
};

/* Layer 2: the velocity in force during an iteration. */
struct planning_velocity {
	int points;                /* for an iteration of the project's length and strength 1 */
	bool initial;              /* it is initial_velocity, not an average */
	double standard_deviation; /* of the iterations averaged, in points an iteration */
	double volatility;         /* standard deviation over mean, per cent; 0 when initial */
};

enum planning_state {
	PLANNING_UNSCHEDULED,
	PLANNING_UNSTARTED,
	PLANNING_PLANNED,
	PLANNING_STARTED,
	PLANNING_FINISHED,
	PLANNING_DELIVERED,
	PLANNING_REJECTED,
	PLANNING_ACCEPTED,
};

/* A story, of any type; the caller's array is in the project's order. */
struct planning_story {
	enum planning_state state;
	double estimate;     /* negative or 0 weighs nothing: unestimated, and every release */
	int64_t accepted_at; /* read when accepted */
};

struct planning_iteration {
	struct planning_span span;
	size_t first, n;         /* its stories: plan.order[first] … plan.order[first + n - 1] */
	double points;           /* of all its stories */
	double accepted_points;  /* of those accepted */
	double effective_points; /* points / strength; 0 at strength 0 */
	int velocity;            /* in force during it; for the backlog, the current one */
};

/* Layer 3: iterations without gaps, done ones first if requested. */
struct planning_plan {
	struct planning_velocity velocity; /* current_velocity and its volatility */
	struct planning_iteration *iterations;
	size_t iterations_n;
	size_t current;       /* index of the current one in iterations */
	size_t *order;        /* indices into the caller's stories, by iteration, then as shown */
	size_t order_n;       /* stories that are in an iteration */
	size_t *iteration_of; /* for each of the caller's stories: index in iterations, PLANNING_NONE */
};

/*
 * Date on which iteration 1 begins: the last week_start (0 is Sunday) on or before start_date or
 * the local date of the first acceptance, whichever is earlier; null means that there is none.
 * The day on which the project was created is used in place of start_date.
 */
int32_t planning_find_first_day(
	int week_start, const int32_t *start_date, const int32_t *first_accepted, int32_t created);

/*
 * Walks from iteration 1 to the first that is not finished at `now`: that is
 * the current one, even if it is still to begin. *c keeps a pointer to p.
 */
void planning_make_calendar(struct arena *a, const struct planning_project *p, int64_t now,
	struct planning_calendar *c);

/*
 * The same using only local dates, for which no midnights need to be known: the calendar as if
 * the zone were UTC. Its days and numbers are right, its instants are not. It keeps a copy of p.
 */
void planning_make_day_calendar(struct arena *a, const struct planning_project *p, int32_t today,
	struct planning_calendar *c);

/* Iteration in which something accepted on that day counts, by a calendar of days: 1 to current. */
int planning_find_number_of_day(const struct planning_calendar *days, int32_t day);

/*
 * First days of the iterations that have one of the days from `first` to `last`, in order, by a
 * calendar of days; returns how many, at most `most`.
 */
size_t planning_find_begins(const struct planning_calendar *days, int32_t first, int32_t last,
	int64_t *begins, size_t most);

/* Any iteration from 1 on; those after the current one are projected. */
struct planning_span planning_find_span(const struct planning_calendar *c, int number);

/* Iteration in which something accepted at that instant counts: 1 to current. */
int planning_find_number(const struct planning_calendar *c, int64_t accepted_at);

/*
 * The lowest iteration whose sum planning_find_velocity needs for `number`: sums from here to
 * number - 1 suffice for it and for all later iterations up to the current one. It is `number`
 * itself if no sum is needed.
 */
int planning_find_first_sum(const struct planning_calendar *c, int number);

/*
 * The velocity in force during an iteration, which follows from the done ones before it; a number
 * after the current one counts as the current one. An iteration outside of sums counts as having
 * no points.
 */
struct planning_velocity planning_find_velocity(
	const struct planning_calendar *c, const struct planning_sums *sums, int number);

/* Points / strength; 0 at strength 0. */
double planning_find_effective(const struct planning_span *span, double points);

/*
 * The current iteration, then the backlog up to the last story in it. Stories
 * accepted before the current iteration need not be given; they are left out
 * (PLANNING_NONE), as is the icebox. Only velocity->points is used to plan.
 */
void planning_fill(struct arena *a, const struct planning_calendar *c,
	const struct planning_velocity *velocity, const struct planning_story *stories, size_t n,
	struct planning_plan *plan);

/* All iterations from number 1 on, from all stories of the project. */
void planning_make_plan(struct arena *a, const struct planning_project *p, int64_t now,
	const struct planning_story *stories, size_t n, struct planning_plan *plan);

/*
 * The iteration that contains a story, by its index in the caller's array; null for the icebox. A
 * release's projected_completion is its span.finish.
 */
const struct planning_iteration *planning_find_iteration(
	const struct planning_plan *plan, size_t story);

#endif
