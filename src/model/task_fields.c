/* Fields of tasks. */
#include "model/model.h"
#include "model/things.h"

static const struct field task_fields[] = {
	{ "kind", FT_KIND, F_DEFAULT | F_CREATE | F_IGNORED, .doc = "task" },
	{ "id", FT_INT, F_DEFAULT | F_KEY, .doc = "Identifier." },
	{ "story_id", FT_INT, F_DEFAULT | F_STORED | F_TOLD, AT(task, story_id),
		.doc = "The story." },
	{ "story", FT_ONE, F_HIDES_KEY, .child = &res_story, .key = "story_id",
		.doc = "The story." },
	{ "description", FT_TEXT, F_DEFAULT | F_WRITE | F_REQUIRED | F_NO_BLANK | F_STORED | F_TOLD,
		AT(task, description), .max = 1000, .search = "task",
		.doc = "What is to be done, at most 1000 characters." },
	{ "complete", FT_BOOL, F_DEFAULT | F_WRITE | F_STORED | F_TOLD, AT(task, complete),
		.doc = "Whether it is done." },
	{ "position", FT_INT, F_DEFAULT | F_WRITE | F_STORED | F_TOLD, AT(task, position),
		.doc = "Place among the story's tasks, from 1." },
	{ "created_at", FT_TIME, F_DEFAULT | F_STORED | F_TOLD, AT(task, created_at),
		.doc = "When it was created." },
	{ "updated_at", FT_TIME, F_DEFAULT | F_STORED | F_TOLD, AT(task, updated_at),
		.doc = "When it was last changed." },
};
const struct resource res_task = { "task", .table = "task", RESOURCE_FIELDS(task_fields),
	.size = sizeof(struct task), .depth = 2, .is_versioned = true };
