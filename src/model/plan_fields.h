/*
 * Fields computed from the calendar, for field.compute and field.derive. Field rows name these
 * functions, and by IN where in their structs a value lies, as object.h says for its type. Each
 * struct begins with the id of its parent. store/plan_fields.c implements them.
 */
#ifndef PLAN_FIELDS_H
#define PLAN_FIELDS_H

#include "db/db.h"
#include "model/value.h"

struct fetched;

#define IN(type, member) .in = offsetof(struct type, member)

struct plan_completion {
	int64_t parent_id;
	int64_t finish;
};

/*
 * projected_completion of stories: the finish of the iteration that contains the release
 * (contract 5.6); nothing for other types.
 */
enum rc plan_completions(struct arena *a, struct db *db, const struct fetched *stories,
	const int64_t *ids, size_t n, struct objects *values) MUST_CHECK;

/*
 * projected_completion of epics: the finish of the iteration that contains their last scheduled
 * story that is not accepted; nothing if there is none.
 */
enum rc plan_epic_completions(struct arena *a, struct db *db, const struct fetched *epics,
	const int64_t *ids, size_t n, struct objects *values) MUST_CHECK;

/* What of epics was accepted before the current iteration, from STMT_EPIC_ROLLUPS. */
struct plan_rollup {
	int64_t parent_id;
	double points;
	int64_t stories, pointless;
	int64_t completed_at;
};
struct objects plan_epic_rollups(struct arena *a, const struct rows *from);

/* Iteration 1 and the current one, from rows of projects. */
struct plan_bounds {
	int64_t parent_id;
	int64_t start, current;
};
struct objects plan_project_bounds(struct arena *a, const struct rows *projects);

/* shown_iterations_start_time of projects. */
struct plan_shown {
	int64_t parent_id;
	int64_t start;
};
enum rc plan_shown_starts(struct arena *a, struct db *db, const struct fetched *projects,
	const int64_t *ids, size_t n, struct objects *values) MUST_CHECK;

/* The velocity of projects that is in force now. */
struct plan_velocity {
	int64_t parent_id;
	int64_t points;
	double volatility, standard_deviation;
};
enum rc plan_velocities(struct arena *a, struct db *db, const struct fetched *projects,
	const int64_t *ids, size_t n, struct objects *values) MUST_CHECK;

#endif
