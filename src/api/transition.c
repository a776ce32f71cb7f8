/* States that stories came to: fields and endpoints. */
#include "api/crud.h"
#include "api/routes.h"
#include "model/model.h"
#include "model/words.h"

static const struct field story_transition_fields[] = {
	{ "kind", FT_KIND, F_DEFAULT, .doc = "story_transition" },
	{ "state", FT_WORD, F_DEFAULT, .words = words_story_states,
		.doc = "The state that the story came to." },
	{ "story_id", FT_INT, F_DEFAULT, .doc = "The story." },
	{ "story", FT_ONE, F_HIDES_KEY, .child = &res_story, .key = "story_id",
		.fetch = STMT_STORIES_SEEN, .doc = "The story, if the caller may see it." },
	{ "project_id", FT_INT, F_DEFAULT, .doc = "The project that it stood in then." },
	{ "project", FT_ONE, F_HIDES_KEY, .child = &res_project, .key = "project_id",
		.fetch = STMT_PROJECTS_SEEN, .doc = "That project, if the caller may see it." },
	{ "project_version", FT_INT, F_DEFAULT, .doc = "The version that the change made." },
	{ "occurred_at", FT_TIME, F_DEFAULT, .doc = "When." },
	{ "performed_by_id", FT_INT, F_DEFAULT, .doc = "Who did it." },
	{ "performed_by", FT_ONE, F_HIDES_KEY, .child = &res_person, .key = "performed_by_id",
		.doc = "Who did it." },
};
const struct resource res_story_transition = { "story_transition",
	RESOURCE_FIELDS(story_transition_fields) };

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
		.doc = "States that a story came to, oldest first." },
	{ "GET", "/projects/:project/story_transitions", NEED_VIEWER, crud_list,
		&res_story_transition, .read = STMT_PROJECT_TRANSITION_LIST,
		.params = transition_params, .flags = R_PAGED, .limit = 100, .limit_max = 500,
		.total = STMT_PROJECT_TRANSITION_COUNT,
		.doc = "States that the stories of a project came to, oldest first." },
	{ 0 },
};
