/*
 * Loader of what plans need from a project (planning/plan.h): first its settings, then, for the
 * days that follow from them, the midnights of its zone and the stories; never all accepted ones.
 * It takes two round trips, the first of which can be combined with something else.
 */
#ifndef PLAN_LOAD_H
#define PLAN_LOAD_H

#include "db/db.h"
#include "planning/plan.h"

/* A project before its iterations: settings, overrides and local dates, but no midnights. */
struct plan_project {
	int64_t id;
	struct planning_project project;
	struct planning_calendar days; /* of planning_make_day_calendar */
	int64_t first_midnight;        /* when iteration 1 begins */
	int64_t shown;                 /* done iterations that a client shows */
	int64_t now;
	int32_t today;
	struct str zone;
};

/* From a row of api.project_planning, or of api.project, which has all that is in it. */
void plan_load_read_project(
	struct arena *a, const struct rows *rows, int row, struct plan_project *project);

/* Queues the look-up of projects. */
void plan_load_send_projects(struct arena *a, struct db *db, const int64_t *ids, size_t n);

/* Takes it: those that are there, by rising id. */
enum rc plan_load_take_projects(
	struct arena *a, struct db *db, struct plan_project **projects, size_t *n) MUST_CHECK;

/* First day of the current iteration. */
int32_t plan_load_current_day(const struct plan_project *project);

/* First day of the first iteration that a client shows. */
int32_t plan_load_shown_day(const struct plan_project *project);

/* A local date whose midnight is needed. */
struct plan_day {
	int32_t day;
	struct str zone;
};

/* Their instants, with a round trip. */
enum rc plan_load_midnights(struct arena *a, struct db *db, const struct plan_day *days, size_t n,
	int64_t **instants) MUST_CHECK;

/* Queues what plan_load_take begins with; the caller flushes. */
void plan_load_send(struct arena *a, struct db *db, const struct plan_wish *wish);

/* Takes it and requests the rest; if the project was deleted meanwhile, the plan is empty. */
enum rc plan_load_take(
	struct arena *a, struct db *db, const struct plan_wish *wish, struct plan *plan) MUST_CHECK;

/* The same for a project that was looked up: one round trip. */
enum rc plan_load_of(struct arena *a, struct db *db, const struct plan_project *project,
	const struct plan_wish *wish, struct plan *plan) MUST_CHECK;

/* Both: for the use inside of an open transaction. */
enum rc plan_load(
	struct arena *a, struct db *db, const struct plan_wish *wish, struct plan *plan) MUST_CHECK;

#endif
