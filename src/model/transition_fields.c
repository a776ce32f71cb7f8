/* Fields of story transitions. */
#include "model/model.h"
#include "model/things.h"

static const struct field story_transition_fields[] = {
	{ "kind", FT_KIND, F_DEFAULT, .doc = "story_transition" },
	{ "state", FT_WORD, F_DEFAULT | F_CARRIED, .words = words_story_states,
		.doc = "The state that the story entered." },
	{ "story_id", FT_INT, F_DEFAULT | F_CARRIED, .doc = "The story." },
	{ "story", FT_ONE, F_HIDES_KEY, .child = &res_story, .key = "story_id",
		.fetch = STMT_STORIES_VISIBLE, .doc = "The story, if the caller may see it." },
	{ "project_id", FT_INT, F_DEFAULT, .doc = "The project that it was in then." },
	{ "project", FT_ONE, F_HIDES_KEY, .child = &res_project, .key = "project_id",
		.fetch = STMT_PROJECTS_VISIBLE, .doc = "That project, if the caller may see it." },
	{ "project_version", FT_INT, F_DEFAULT | F_CARRIED,
		.doc = "The version that the change created." },
	{ "occurred_at", FT_TIME, F_DEFAULT | F_CARRIED, .doc = "When." },
	{ "performed_by_id", FT_INT, F_DEFAULT | F_CARRIED, .doc = "Who did it." },
	{ "performed_by", FT_ONE, F_HIDES_KEY, .child = &res_person, .key = "performed_by_id",
		.doc = "Who did it." },
};
const struct resource res_story_transition = { "story_transition",
	RESOURCE_FIELDS(story_transition_fields), .depth = 2, .is_versioned = true };
