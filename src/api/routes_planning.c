#include "api/act.h"
#include "api/crud.h"
#include "model/model.h"
#include "api/routes.h"

static const char *const scopes[] = { "done", "current", "backlog", "current_backlog",
	"done_current", NULL };
static const struct param iteration_params[] = {
	{ "scope", FT_STRING, .words = scopes, .doc = "Which iterations; all without it." },
	{ "label", FT_STRING, .doc = "Only stories with the label of this name are listed." },
	{ 0 },
};

static const struct param history_params[] = {
	{ "start_date", FT_DATE, .doc = "The first day." },
	{ "end_date", FT_DATE, .doc = "The last day; today by default." },
	{ 0 },
};

const struct route planning_routes[] = {
	{ "GET", "/projects/:project/iterations", NEED_VIEWER, act_iterations, &res_iteration,
		.params = iteration_params, .flags = R_PAGED | R_BACKWARDS, .limit = 10,
		.limit_max = 100, .doc = "Iterations: done, current and projected." },
	{ "GET", "/projects/:project/iterations/:number", NEED_VIEWER, act_iteration,
		&res_iteration, .params = iteration_params + 1,
		.doc = "One iteration, by its number." },
	{ "GET", "/projects/:project/iterations/:number/analytics", NEED_VIEWER,
		act_iteration_report, &res_analytics, .read = STMT_ITERATION_ANALYTICS,
		.doc = "An iteration in four figures." },
	{ "GET", "/projects/:project/iterations/:number/analytics/cycle_time_details", NEED_VIEWER,
		act_iteration_reports, &res_cycle_time_details, .read = STMT_ITERATION_CYCLE_TIMES,
		.doc = "Time that the stories of an iteration spent in the states of work." },
	{ "GET", "/projects/:project/history/iterations/:number/days", NEED_VIEWER,
		act_iteration_report, &res_daily_history_container,
		.read = STMT_HISTORY_ITERATION_DAYS,
		.doc = "The days of an iteration, by the states of the stories that are in it." },
	{ "GET", "/projects/:project/history/days", NEED_VIEWER, act_history,
		&res_daily_history_container, .read = STMT_HISTORY_PROJECT_DAYS,
		.params = history_params,
		.doc = "Days by the states of all stories, at most 366; by default since the first "
		       "iteration that a client shows." },
	{ "GET", "/projects/:project/history/releases/:id/days", NEED_VIEWER, act_history_release,
		&res_daily_history_container, .read = STMT_HISTORY_RELEASE_DAYS,
		.params = history_params,
		.doc = "Days by the states of a release's stories, at most 366; by default since the "
		       "release was made, until it was accepted." },
	{ "GET", "/projects/:project/history/snapshots", NEED_VIEWER, act_history_list,
		&res_project_snapshot, .read = STMT_HISTORY_SNAPSHOTS, .params = history_params,
		.doc = "Which stories were where at the end of each day, at most 31; by default of "
		       "today." },
	{ 0 },
};
