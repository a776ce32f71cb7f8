/* Iteration overrides: their endpoint. */
#include "domain/iteration_override.h"

#include "api/command.h"
#include "api/routes.h"
#include "model/model.h"

/* Which iterations are done, and which may be asked for, follows from the current one. */
static void load_current(struct command *c)
{
	load_current_iteration(&c->load, route_id(c->r, ":project"));
}

const struct route iteration_override_routes[] = {
	{ "PUT", "/projects/:project/iteration_overrides/:number", NEED_MEMBER, command_run,
		&res_iteration_override, .read = STMT_ITERATION_OVERRIDE_GET,
		.activity = "iteration_update", .one_of = "length, team_strength",
		.target = &res_iteration_override, .find = STMT_ITERATION_OVERRIDE_LOAD,
		.load = load_current, .decide = iteration_override_update,
		.example = "{\"team_strength\":0.5}", .audit = AUDIT_UNTOLD,
		.doc = "Override the length or team strength of an iteration." },
	{ 0 },
};
