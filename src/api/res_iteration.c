#include "model/model.h"

static const struct field iteration_fields[] = {
	{ "number", FT_INT, F_DEFAULT | F_KEY, .doc = "Counted from 1; unique in the project." },
	{ "project_id", FT_INT, F_DEFAULT, .doc = "The project." },
	{ "project", FT_ONE, F_HIDES_KEY, .child = &res_project, .key = "project_id",
		.doc = "The project." },
	{ "length", FT_INT, F_DEFAULT, .doc = "Weeks." },
	{ "team_strength", FT_FLOAT, F_DEFAULT, .doc = "1 is the whole team, 0 nobody." },
	{ "stories", FT_SOME, F_DEFAULT, .child = &res_story, .key = "story_ids",
		.doc = "In order: accepted ones, those in progress, those to come." },
	{ "story_ids", FT_IDS, 0, .doc = "Ids of the stories, in order." },
	{ "start", FT_TIME, F_DEFAULT, .doc = "Midnight of the project's zone." },
	{ "finish", FT_TIME, F_DEFAULT, .doc = "Start of the next iteration." },
	{ "kind", FT_KIND, F_DEFAULT, .doc = "iteration" },
	{ "velocity", FT_DECIMAL, 0, .doc = "The velocity in force during it." },
	{ "points", FT_FLOAT, 0, .doc = "Points of all its stories." },
	{ "accepted_points", FT_FLOAT, 0, .doc = "Points of those that are accepted." },
	{ "effective_points", FT_DECIMAL, 0, .doc = "points over team_strength; 0 at strength 0." },
	{ "accepted", FT_ONE, 0, .child = &res_daily_history_container, .key = "number",
		.fetch = STMT_ITERATIONS_ACCEPTED, .doc = "Points and stories accepted, by day." },
	{ "created", FT_ONE, 0, .child = &res_daily_history_container, .key = "number",
		.fetch = STMT_ITERATIONS_CREATED, .doc = "Points and stories made, by day." },
	{ "analytics", FT_ONE, 0, .child = &res_analytics, .key = "number",
		.fetch = STMT_ANALYTICS_OF_ITERATIONS, .doc = "The iteration in four figures." },
	{ "planned", FT_BOOL, 0,
		.doc = "Whether it is the current one of a project planned by hand." },
};
const struct resource res_iteration = { "iteration", RESOURCE_FIELDS(iteration_fields) };
