/* Workspaces: what their commands load, and their endpoints. */
#include "domain/workspace.h"

#include "api/command.h"
#include "api/crud.h"
#include "api/routes.h"
#include "model/model.h"

static void take_own_projects(struct load *l, const struct rows *rows)
{
	for (int i = 0; i < db_count(rows); i++)
		l->scene->own_projects =
			ids_with(l->arena, l->scene->own_projects, db_get_int(rows, i, 0));
}

static void load_projects(struct command *c)
{
	const struct workspace *w = command_wish(c);
	const struct db_param ids = db_ids(c->r->arena, w->project_ids.v, w->project_ids.n);
	load_ask_rows(&c->load, STMT_WORKSPACE_PROJECTS, 1, &ids, take_own_projects);
}

static void take_unreached(struct load *l, const struct rows *rows)
{
	for (int i = 0; i < db_count(rows); i++)
		l->scene->unreached_projects =
			ids_with(l->arena, l->scene->unreached_projects, db_get_int(rows, i, 0));
}

static void load_update(struct command *c)
{
	const struct db_param id = db_int(c->r->arena, crud_id(c->r));
	load_projects(c);
	load_ask_rows(&c->load, STMT_WORKSPACE_UNREACHED, 1, &id, take_unreached);
}

static void load_create(struct command *c)
{
	load_new_ids(&c->load, &res_workspace, 1);
	load_projects(c);
}

const struct route workspace_routes[] = {
	{ "GET", "/my/workspaces", NEED_PERSON, crud_list, &res_workspace,
		.read = STMT_WORKSPACE_LIST, .doc = "The caller's workspaces." },
	{ "POST", "/my/workspaces", NEED_PERSON, command_run, &res_workspace,
		.read = STMT_WORKSPACE_GET, .target = &res_workspace, .load = load_create,
		.decide = workspace_create, .one_of = "name, project_ids",
		.flags = R_WHOLE | R_UNTOLD,
		.example = "{\"name\":\"All of it\",\"project_ids\":[99]}", .audit = AUDIT_UNTOLD,
		.doc = "Create a workspace." },
	{ "GET", "/my/workspaces/:workspace", NEED_PERSON, crud_get, &res_workspace,
		.read = STMT_WORKSPACE_GET, .doc = "One workspace." },
	{ "PUT", "/my/workspaces/:workspace", NEED_PERSON, command_run, &res_workspace,
		.read = STMT_WORKSPACE_GET, .target = &res_workspace, .find = STMT_WORKSPACE_LOAD,
		.load = load_update, .decide = workspace_update, .flags = R_WHOLE | R_UNTOLD,
		.example = "{\"project_ids\":[99]}", .audit = AUDIT_UNTOLD,
		.doc = "Change the projects of a workspace." },
	{ "DELETE", "/my/workspaces/:workspace", NEED_PERSON, command_run, NULL,
		.target = &res_workspace, .find = STMT_WORKSPACE_LOAD, .decide = workspace_delete,
		.flags = R_WHOLE | R_UNTOLD, .audit = AUDIT_UNTOLD,
		.doc = "Delete a workspace, but not its projects." },
	{ 0 },
};
