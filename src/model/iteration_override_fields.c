/* Fields of iteration overrides. */
#include "model/model.h"
#include "model/things.h"

static const struct field fields[] = {
	{ "number", FT_INT, F_DEFAULT | F_KEY, .doc = "The iteration." },
	{ "project_id", FT_INT, F_DEFAULT | F_STORED | F_NAMES, AT(iteration_override, project_id),
		.doc = "The project." },
	{ "project", FT_ONE, F_HIDES_KEY, .child = &res_project, .key = "project_id",
		.doc = "The project." },
	{ "length", FT_INT, F_DEFAULT | F_UPDATE | F_NULL | F_STORED | F_UNTOLD,
		AT(iteration_override, length),
		.doc = "Weeks, 1 to 99; not for future iterations. The project's length, or "
		       "null, removes the override." },
	{ "team_strength", FT_FLOAT, F_DEFAULT | F_UPDATE | F_NULL | F_STORED | F_UNTOLD,
		AT(iteration_override, team_strength),
		.doc = "0 to 10. 1, or null, removes the override." },
	{ "kind", FT_KIND, F_DEFAULT, .doc = "iteration_override" },
	{ "length", FT_JSON, F_HIDDEN | F_TOLD, AT(iteration_override, told_length),
		.doc = "As in activities: default if there is none." },
	{ "team_strength", FT_FLOAT, F_HIDDEN | F_TOLD, AT(iteration_override, told_team_strength),
		.doc = "As in activities: 1 if there is none." },
};
const struct resource res_iteration_override = { "iteration_override", RESOURCE_FIELDS(fields),
	.size = sizeof(struct iteration_override), .number_key = "number",
	.put = STMT_ITERATION_OVERRIDE_PUT };
