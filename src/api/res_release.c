#include "model/model.h"
#include "planning/plan.h"

static const char *const story_states[] = { "accepted", "delivered", "finished", "started",
	"rejected", "planned", "unstarted", "unscheduled", NULL };
static const char *const release_states[] = { "accepted", "unstarted", "unscheduled", NULL };

static const struct field release_fields[] = {
	{ "kind", FT_KIND, F_DEFAULT, .doc = "release" },
	{ "id", FT_INT, F_DEFAULT | F_KEY, .doc = "Identifier; also that of the story it is." },
	{ "created_at", FT_TIME, F_DEFAULT, .doc = "When it was made." },
	{ "updated_at", FT_TIME, F_DEFAULT, .doc = "When it was last changed." },
	{ "accepted_at", FT_TIME, F_DEFAULT, .doc = "When it was accepted." },
	{ "deadline", FT_TIME, F_DEFAULT, .doc = "When it is due." },
	{ "name", FT_TEXT, F_DEFAULT, .doc = "One line of text." },
	{ "description", FT_TEXT, F_DEFAULT, .doc = "More text." },
	{ "current_state", FT_WORD, F_DEFAULT, .words = release_states,
		.doc = "unscheduled, unstarted or accepted." },
	{ "url", FT_URL, F_DEFAULT, .path = "/story/show/", .doc = "Address of its page." },
	{ "project_id", FT_INT, F_DEFAULT, .doc = "The project." },
	{ "project", FT_ONE, F_HIDES_KEY, .child = &res_project, .key = "project_id",
		.doc = "The project." },
	{ "labels", FT_SOME, F_DEFAULT, .child = &res_label, .key = "label_ids",
		.fetch_root = STMT_LABELS_OF_STORY, .doc = "Labels, by name." },
	{ "label_ids", FT_IDS, 0, .doc = "Ids of the labels." },
	{ "stories", FT_MANY, 0, .child = &res_story, .fetch = STMT_STORIES_OF_RELEASES,
		.doc = "The stories above it, down from the release before." },
	{ "story_ids", FT_MANY_IDS, 0, .key = "stories", .child = &res_story,
		.doc = "Ids of these stories, in their order." },
	{ "projected_completion", FT_TIME, F_SIDE, .compute = plan_completions,
		.doc = "Finish of the iteration that holds it." },
	{ "projected_completion_interval", FT_STRING, 0,
		.doc = "Never there: a projection is one time." },
	{ "points_accepted", FT_FLOAT, F_SIDE, .fetch = STMT_RELEASE_ROLLUPS,
		.doc = "Points of its stories that are accepted." },
	{ "points_total", FT_FLOAT, F_SIDE, .fetch = STMT_RELEASE_ROLLUPS,
		.doc = "Points of its stories." },
	{ "counts_accepted", FT_INT, F_SIDE, .fetch = STMT_RELEASE_ROLLUPS,
		.doc = "How many of its stories are accepted." },
	{ "counts_total", FT_INT, F_SIDE, .fetch = STMT_RELEASE_ROLLUPS,
		.doc = "How many stories it has." },
};
const struct resource res_release = { "release", RESOURCE_FIELDS(release_fields),
	.by_ids = STMT_RELEASE_BY_IDS };

static const struct field story_transition_fields[] = {
	{ "kind", FT_KIND, F_DEFAULT, .doc = "story_transition" },
	{ "state", FT_WORD, F_DEFAULT, .words = story_states,
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
