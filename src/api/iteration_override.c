/* Iteration overrides: their endpoint. */
#include "domain/iteration_override.h"

#include "api/command.h"
#include "api/routes.h"
#include "model/model.h"

const struct route iteration_override_routes[] = {
	{ "PUT", "/projects/:project/iteration_overrides/:number", NEED_MEMBER, command_run,
		&res_iteration_override, .read = STMT_ITERATION_OVERRIDE_GET,
		.activity = "iteration_update", .one_of = "length, team_strength",
		.target = &res_iteration_override, .find = STMT_ITERATION_OVERRIDE_LOAD,
		.decide = iteration_override_update, .example = "{\"team_strength\":0.5}",
		.doc = "Give an iteration a length or team strength of its own." },
	{ 0 },
};
