/*
 * Iteration pages: which iterations a request covers, what must be known about the project for
 * that, and the page itself. From values to values, like planning.h; src/store/plan_load.h loads
 * what a window names.
 */
#ifndef PLAN_H
#define PLAN_H

#include "lib/str.h"
#include "planning/planning.h"

/* Which iterations a list contains (contract 2.14). */
enum plan_scope {
	PLAN_ALL,
	PLAN_DONE,
	PLAN_CURRENT,
	PLAN_BACKLOG,
	PLAN_CURRENT_BACKLOG,
	PLAN_DONE_CURRENT,
	PLAN__MAX
};

/* Its word in the query; null for PLAN_ALL. */
extern const char *const plan_scopes[PLAN__MAX];

struct plan_wish {
	int64_t project;
	enum plan_scope scope;
	int64_t number;        /* the page begins with this iteration; 0: where offset says */
	int64_t offset, limit; /* a negative offset counts back from the current iteration */
	bool stories;          /* stories and points of the page's iterations */
	bool velocities;       /* velocity of the page's iterations */
	bool velocity;         /* velocity in force now */
	bool total;            /* how many there are in the scope */
	bool whole;            /* everything planned, even beyond the page */
	struct str label;      /* only stories with this label are listed; absent: all */
};

/* Local dates from the first up to the second, which is not among them. */
struct plan_days {
	int32_t from, to;
};

/* What a request covers. */
struct plan_window {
	int first, end;             /* the page: iterations first to end - 1 */
	struct plan_days midnights; /* these, a week apart; `to` is among them */
	struct plan_days done[2];   /* stories accepted on these days */
	size_t done_n;
	bool open;           /* what is planned is needed: stories accepted from current_day on, */
	int32_t current_day; /* and those that are not accepted, in the project's order */
};

/* Stories as planning sees them, with their other values: index by index. */
struct plan_stories {
	size_t n;
	struct planning_story *stories;
	int64_t *ids;
	bool *shown; /* has the label */
};

struct plan_iteration {
	struct planning_span span;
	double points, accepted_points, effective_points; /* with wish.stories */
	int velocity;                                     /* with wish.velocities */
	int64_t *story_ids;
	size_t stories_n;
};

struct plan {
	struct planning_project project;
	struct planning_calendar calendar;
	struct planning_velocity velocity; /* with wish.velocity or a planned part */
	struct plan_stories open;          /* what `filled` was made from */
	struct planning_plan filled;       /* current iteration and backlog; without iterations
	                                      when only done ones were asked for */
	int64_t total;                     /* with wish.total */
	struct plan_iteration *iterations; /* the page */
	size_t n;
};

/* `days`: of planning_make_day_calendar. */
void plan_find_window(const struct planning_calendar *days, const struct plan_wish *wish,
	struct plan_window *window);

/* Whether all that is planned is needed, however much it is: to count iterations. */
bool plan_needs_all(const struct plan_wish *wish);

/*
 * Whether this much of the plan is enough for the page: what comes after it changes nothing
 * there.
 */
bool plan_is_filled(
	const struct plan *plan, const struct plan_wish *wish, const struct plan_window *window);

/* The velocity in force now, and the number of plan->open, which may be partial: see above. */
void plan_fill(struct arena *a, const struct plan_window *window, const struct plan_stories *done,
	struct plan *plan);

/* The page. */
void plan_make_page(struct arena *a, const struct plan_wish *wish, const struct plan_window *window,
	const struct plan_stories *done, struct plan *plan);

/*
 * The planned iteration that contains a story which is not accepted; null: none. *from is where
 * the search starts: 0 at first, then the index of the last match, so that stories looked up in
 * the project's order are found in one walk.
 */
const struct planning_iteration *plan_find(const struct plan *plan, int64_t id, size_t *from);

#endif
