/*
 * Fields computed from the calendar, for field.compute and field.derive: rows by parent_id. Field
 * rows name these functions; store/plan_fields.c implements them.
 */
#ifndef PLAN_FIELDS_H
#define PLAN_FIELDS_H

#include "db/db.h"

/*
 * projected_completion of stories: the finish of the iteration that contains the release
 * (contract 5.6); nothing for other types.
 */
enum rc plan_completions(struct arena *a, struct db *db, const struct rows *stories,
	const int64_t *ids, size_t n, struct rows **rows) MUST_CHECK;

/*
 * projected_completion of epics: the finish of the iteration that contains their last scheduled
 * story that is not accepted; nothing if there is none.
 */
enum rc plan_epic_completions(struct arena *a, struct db *db, const struct rows *epics,
	const int64_t *ids, size_t n, struct rows **rows) MUST_CHECK;

/* What of epics was accepted before the current iteration, from STMT_EPIC_ROLLUPS. */
struct rows *plan_epic_rollups(struct arena *a, struct db *db, const struct rows *from);

/* start_time and current_iteration_number, from rows of projects. */
struct rows *plan_calendars(struct arena *a, struct db *db, const struct rows *projects);

/* shown_iterations_start_time of projects. */
enum rc plan_shown_starts(struct arena *a, struct db *db, const struct rows *projects,
	const int64_t *ids, size_t n, struct rows **rows) MUST_CHECK;

/* current_velocity, current_volatility and current_standard_deviation of projects. */
enum rc plan_velocities(struct arena *a, struct db *db, const struct rows *projects,
	const int64_t *ids, size_t n, struct rows **rows) MUST_CHECK;

#endif
