/* Tasks: what their commands load, and their endpoints. */
#include "domain/task.h"

#include "api/command.h"
#include "api/crud.h"
#include "api/routes.h"
#include "model/model.h"

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
		.example = "{\"description\":\"Buy seeds\"}", .audit = AUDIT_UNTOLD,
		.doc = "Add a task." },
	{ "GET", "/projects/:project/stories/:story/tasks/:id", NEED_VIEWER, crud_get, &res_task,
		.read = STMT_TASK_GET, .doc = "One task." },
	{ "PUT", "/projects/:project/stories/:story/tasks/:id", NEED_MEMBER, command_run, &res_task,
		.read = STMT_TASK_GET, .activity = "task_update", .target = &res_task,
		.find = STMT_LOAD_TASK, .load = load_all, .decide = task_update,
		.example = "{\"complete\":true}", .audit = AUDIT_UNTOLD,
		.doc = "Change or move a task." },
	{ "DELETE", "/projects/:project/stories/:story/tasks/:id", NEED_MEMBER, command_run, NULL,
		.activity = "task_delete", .target = &res_task, .find = STMT_LOAD_TASK,
		.load = load_all, .decide = task_delete, .audit = AUDIT_UNTOLD,
		.doc = "Delete a task." },
	{ 0 },
};
