/* Tasks: their fields, what their commands need to know, and their endpoints. */
#include "domain/task.h"

#include "api/command.h"
#include "api/crud.h"
#include "api/routes.h"
#include "model/model.h"

static const struct field task_fields[] = {
	{ "kind", FT_KIND, F_DEFAULT, .doc = "task" },
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
		.doc = "When it was made." },
	{ "updated_at", FT_TIME, F_DEFAULT | F_STORED | F_TOLD, AT(task, updated_at),
		.doc = "When it was last changed." },
};
const struct resource res_task = { "task", .table = "task", RESOURCE_FIELDS(task_fields),
	.size = sizeof(struct task), .depth = 2 };

static void load_all(struct command *c)
{
	load_tasks(&c->load);
}

static void load_create(struct command *c)
{
	load_tasks(&c->load);
	load_new_ids(&c->load, &res_task, 1);
}

const struct route task_routes[] = {
	{ "GET", "/projects/:project/stories/:story/tasks", NEED_VIEWER, crud_list, &res_task,
		.read = STMT_TASK_LIST, .doc = "Tasks of a story." },
	{ "POST", "/projects/:project/stories/:story/tasks", NEED_MEMBER, command_run, &res_task,
		.read = STMT_TASK_GET, .activity = "task_create", .target = &res_task,
		.load = load_create, .decide = task_create,
		.example = "{\"description\":\"Buy seeds\"}", .doc = "Add a task." },
	{ "GET", "/projects/:project/stories/:story/tasks/:id", NEED_VIEWER, crud_get, &res_task,
		.read = STMT_TASK_GET, .doc = "One task." },
	{ "PUT", "/projects/:project/stories/:story/tasks/:id", NEED_MEMBER, command_run, &res_task,
		.read = STMT_TASK_GET, .activity = "task_update", .target = &res_task,
		.find = STMT_LOAD_TASK, .load = load_all, .decide = task_update,
		.example = "{\"complete\":true}", .doc = "Change or move a task." },
	{ "DELETE", "/projects/:project/stories/:story/tasks/:id", NEED_MEMBER, command_run, NULL,
		.activity = "task_delete", .target = &res_task, .find = STMT_LOAD_TASK,
		.load = load_all, .decide = task_delete, .doc = "Delete a task." },
	{ 0 },
};
