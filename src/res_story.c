#include "model.h"

static const char *const story_types[] = { "feature", "bug", "chore", "release", NULL };
static const char *const story_states[] = { "accepted", "delivered", "finished", "started",
	"rejected", "planned", "unstarted", "unscheduled", NULL };
static const char *const story_priorities[] = { "p0", "p1", "p2", "p3", "none", NULL };

static const struct field story_fields[] = {
	{ "kind", FT_KIND, F_DEFAULT | F_CREATE | F_IGNORED, .doc = "story" },
	{ "id", FT_INT, F_DEFAULT | F_KEY, .doc = "Identifier, unique in the whole service." },
	{ "created_at", FT_TIME, F_DEFAULT | F_CREATE, .doc = "When it was made; not in the future." },
	{ "updated_at", FT_TIME, F_DEFAULT, .doc = "When it or its parts were last changed." },
	{ "accepted_at", FT_TIME, F_DEFAULT | F_WRITE | F_NULL,
		.doc = "Set when the story becomes accepted, cleared when it is accepted no longer." },
	{ "estimate", FT_FLOAT, F_DEFAULT | F_WRITE | F_NULL, .doc = "Points, of the project's scale." },
	{ "story_type", FT_WORD, F_DEFAULT | F_WRITE, .words = story_types,
		.doc = "feature, bug, chore or release." },
	{ "story_priority", FT_WORD, F_DEFAULT | F_WRITE, .words = story_priorities,
		.doc = "p0, p1, p2, p3 or none." },
	{ "name", FT_TEXT, F_DEFAULT | F_WRITE | F_REQUIRED | F_NO_BLANK, .max = 5000,
		.doc = "One line of text, at most 5000 characters." },
	{ "description", FT_TEXT, F_DEFAULT | F_WRITE | F_NULL, .max = 20000,
		.doc = "More text, at most 20000 characters." },
	{ "current_state", FT_WORD, F_DEFAULT | F_WRITE, .words = story_states,
		.doc = "Where the work stands." },
	{ "requested_by_id", FT_INT, F_DEFAULT | F_WRITE, .doc = "Who asked for it; the caller by default." },
	{ "requested_by", FT_ONE, F_HIDES_KEY, .child = &res_person, .key = "requested_by_id",
		.doc = "Who asked for it." },
	{ "url", FT_URL, F_DEFAULT, .path = "/story/show/", .doc = "Address of the story's page." },
	{ "project_id", FT_INT, F_DEFAULT, .doc = "The project." },
	{ "owner_ids", FT_IDS, F_DEFAULT | F_WRITE, .bind = "distinct_ids(%s::bigint[])",
		.doc = "Who works on it, people of the project." },
	{ "owners", FT_SOME, 0, .child = &res_person, .key = "owner_ids", .doc = "Who works on it." },
	{ "labels", FT_SOME, F_DEFAULT, .child = &res_label, .key = "label_ids",
		.fetch_root = STMT_LABELS_OF_STORY, .doc = "Labels, by name." },
	{ "labels", FT_LABELS, F_WRITE | F_HIDDEN, .column = "label_ids",
		.bind = "labels_of(%s::jsonb)", .max = 200,
		.doc = "Replaces the labels: {\"name\"}, {\"id\"} or names; new names become labels." },
	{ "label_ids", FT_IDS, F_WRITE, .bind = "labels_with_ids(%s::bigint[])",
		.doc = "Labels, by id." },
	{ "owned_by_id", FT_INT, F_DEFAULT | F_WRITE | F_NULL, .column = "owner_ids",
		.bind = "array_remove(array[%s::bigint], null)",
		.doc = "The first owner. Writing it sets the one owner; owner_ids wins over it." },
	{ "owned_by", FT_ONE, F_HIDES_KEY, .child = &res_person, .key = "owned_by_id",
		.doc = "The first owner." },
	{ "deadline", FT_TIME, F_DEFAULT | F_WRITE | F_NULL, .doc = "Of a release: when it is due." },
	{ "integration_id", FT_INT, F_DEFAULT | F_WRITE | F_NULL, .doc = "The linked integration." },
	{ "external_id", FT_STRING, F_DEFAULT | F_WRITE | F_NULL, .max = 255,
		.doc = "Id in the linked integration's system." },
	{ "follower_ids", FT_IDS, F_CREATE | F_UPDATE, .bind = "distinct_ids(%s::bigint[])",
		.doc = "Who asked to follow it." },
	{ "followers", FT_SOME, 0, .child = &res_person, .key = "follower_ids",
		.doc = "Who asked to follow it." },
	{ "before_id", FT_INT, F_SIDE | F_WRITE | F_NULL, .fetch = STMT_STORY_NEIGHBOURS,
		.before = STMT_STORY_GOAL, .doc = "The story right after this one in the project's order." },
	{ "after_id", FT_INT, F_SIDE | F_WRITE | F_NULL, .fetch = STMT_STORY_NEIGHBOURS,
		.before = STMT_STORY_GOAL, .doc = "The story right before this one." },
	{ "tasks", FT_MANY, 0, .child = &res_task, .fetch = STMT_TASKS_OF_STORIES,
		.doc = "In position order." },
	{ "tasks", FT_LIST, F_CREATE | F_HIDDEN, .child = &res_task, .after = STMT_TASKS_CREATE,
		.max = 500, .doc = "Tasks to make with the story." },
	{ "task_ids", FT_MANY_IDS, 0, .key = "tasks", .child = &res_task,
		.doc = "Ids of the tasks, in position order." },
};
const struct resource res_story = { "story", .table = "story", .parent = "project_id",
	.parent_value = "project()", RESOURCE_FIELDS(story_fields), .by_ids = STMT_STORY_BY_IDS,
	.touch = "current_state = current_state" };

static const struct field task_fields[] = {
	{ "kind", FT_KIND, F_DEFAULT, .doc = "task" },
	{ "id", FT_INT, F_DEFAULT | F_KEY, .doc = "Identifier." },
	{ "story_id", FT_INT, F_DEFAULT, .doc = "The story." },
	{ "description", FT_TEXT, F_DEFAULT | F_WRITE | F_REQUIRED | F_NO_BLANK, .max = 1000,
		.doc = "What is to be done, at most 1000 characters." },
	{ "complete", FT_BOOL, F_DEFAULT | F_WRITE, .doc = "Whether it is done." },
	{ "position", FT_INT, F_DEFAULT | F_WRITE,
		.bind = "greatest(least(%s::bigint, 2147483647), -1)::integer", .doc = "Place among the story's tasks, from 1." },
	{ "created_at", FT_TIME, F_DEFAULT, .doc = "When it was made." },
	{ "updated_at", FT_TIME, F_DEFAULT, .doc = "When it was last changed." },
};
const struct resource res_task = { "task", .table = "task", .parent = "story_id",
	RESOURCE_FIELDS(task_fields) };

static const struct field story_owner_body_fields[] = {
	{ "id", FT_INT, F_CREATE | F_REQUIRED, .doc = "Person to add." },
};
const struct resource res_story_owner_body = { "person",
	RESOURCE_FIELDS(story_owner_body_fields) };
