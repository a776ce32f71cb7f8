/*
 * Plans from the database: loads what planning.h needs of a project, by time
 * windows and never all accepted stories, and puts a page of iterations
 * together. sql/planning.sql finds the windows; which statements are needed at
 * all follows from what is asked for. One round trip.
 */
#ifndef PLAN_H
#define PLAN_H

#include "db/db.h"
#include "planning/planning.h"

/* Which iterations a list holds (contract 2.14). */
enum plan_scope {
	PLAN_ALL,
	PLAN_DONE,
	PLAN_CURRENT,
	PLAN_BACKLOG,
	PLAN_CURRENT_BACKLOG,
	PLAN_DONE_CURRENT,
	PLAN__MAX
};

/* Word of the query for it; null for PLAN_ALL. */
extern const char *const plan_scopes[PLAN__MAX];

struct plan_wish {
	int64_t project;
	enum plan_scope scope;
	int64_t offset, limit; /* a negative offset counts back from the current iteration */
	bool stories;          /* stories and points of the page's iterations */
	bool velocities;       /* velocity of the page's iterations */
	bool velocity;         /* velocity in force now */
	bool total;            /* how many there are in the scope */
	struct str label;      /* only stories with this label are listed; absent: all */
};

/* Stories as planning sees them, with what stands beside: index by index. */
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

/* Queues the statements; the caller flushes. */
void plan_send(struct arena *a, struct db *db, const struct plan_wish *wish);

/* Takes their answers; of a project that was deleted meanwhile the plan is empty. */
enum rc plan_take(
	struct arena *a, struct db *db, const struct plan_wish *wish, struct plan *plan) MUST_CHECK;

/* plan_send, a round trip, plan_take: for the use inside of an open transaction. */
enum rc plan_load(
	struct arena *a, struct db *db, const struct plan_wish *wish, struct plan *plan) MUST_CHECK;

/*
 * The planned iteration that holds a story which is not accepted; null: none
 * does. *from is where the search begins, 0 at first, and then the place of
 * the last find: stories that are asked for in the project's order are found
 * in one walk.
 */
const struct planning_iteration *plan_find(const struct plan *plan, int64_t id, size_t *from);

/*
 * For field.compute. projected_completion of stories: the finish of the
 * iteration that holds the release (contract 5.6); nothing for other types.
 */
enum rc plan_completions(struct arena *a, struct db *db, const int64_t *ids, size_t n,
	struct rows **rows) MUST_CHECK;

/*
 * projected_completion of epics: the finish of the iteration that holds the last
 * of their stories that are scheduled and not accepted; nothing without one.
 */
enum rc plan_epic_completions(struct arena *a, struct db *db, const int64_t *ids, size_t n,
	struct rows **rows) MUST_CHECK;

/* current_velocity, current_volatility and current_standard_deviation of projects. */
enum rc plan_velocities(struct arena *a, struct db *db, const int64_t *ids, size_t n,
	struct rows **rows) MUST_CHECK;

#endif
