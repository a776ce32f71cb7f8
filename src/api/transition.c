/* Story transitions: endpoints. */
#include "api/crud.h"
#include "api/routes.h"
#include "model/model.h"

static const struct param transition_params[] = {
	{ "occurred_before", FT_TIME, .where = "t.occurred_at < %s::timestamptz",
		.doc = "Only what happened before this time." },
	{ "occurred_after", FT_TIME, .where = "t.occurred_at > %s::timestamptz",
		.doc = "Only what happened after this time." },
	{ 0 },
};

const struct route transition_routes[] = {
	{ "GET", "/projects/:project/stories/:story/transitions", NEED_VIEWER, crud_list,
		&res_story_transition, .read = STMT_STORY_TRANSITION_LIST, .flags = R_PAGED,
		.limit = 100, .limit_max = 500, .total = STMT_STORY_TRANSITION_COUNT,
		.doc = "States that a story entered, oldest first." },
	{ "GET", "/projects/:project/story_transitions", NEED_VIEWER, crud_list,
		&res_story_transition, .read = STMT_PROJECT_TRANSITION_LIST,
		.params = transition_params, .flags = R_PAGED, .limit = 100, .limit_max = 500,
		.total = STMT_PROJECT_TRANSITION_COUNT,
		.doc = "States that the stories of a project entered, oldest first." },
	{ 0 },
};
