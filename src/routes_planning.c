#include "act.h"
#include "crud.h"
#include "model.h"
#include "routes.h"

static const char *const scopes[] = { "done", "current", "backlog", "current_backlog",
	"done_current", NULL };
static const struct param iteration_params[] = {
	{ "scope", FT_STRING, .words = scopes, .doc = "Which iterations; all without it." },
	{ "label", FT_STRING, .doc = "Only stories with the label of this name are listed." },
	{ 0 },
};

const struct route planning_routes[] = {
	{ "GET", "/projects/:project/iterations", NEED_VIEWER, act_iterations, &res_iteration,
		.params = iteration_params, .flags = R_PAGED | R_BACKWARDS, .limit = 10,
		.limit_max = 100, .doc = "Iterations: done, current and projected." },
	{ "GET", "/projects/:project/iterations/:number", NEED_VIEWER, act_iteration,
		&res_iteration, .params = iteration_params + 1,
		.doc = "One iteration, by its number." },
	{ "PUT", "/projects/:project/iteration_overrides/:number", NEED_MEMBER,
		act_iteration_override, &res_iteration_override,
		.read = STMT_ITERATION_OVERRIDE_GET, .write = STMT_ITERATION_OVERRIDE_SET,
		.activity = "iteration_update", .one_of = "length, team_strength",
		.doc = "Give an iteration a length or team strength of its own." },
	{ 0 },
};
