/* Workspaces: fields, what their commands need to know, and their endpoints. */
#include "domain/workspace.h"

#include "api/command.h"
#include "api/crud.h"
#include "api/routes.h"
#include "model/model.h"

static const struct workspace preset = {
	.id = NIL, .person_id = NIL, .name = { "My Workspace", sizeof "My Workspace" - 1 }
};

static const struct field fields[] = {
	{ "id", FT_INT, F_DEFAULT | F_KEY, .doc = "Identifier." },
	{ "kind", FT_KIND, F_DEFAULT, .doc = "workspace" },
	{ "name", FT_TEXT, F_DEFAULT | F_CREATE | F_NO_BLANK | F_STORED | F_UNTOLD,
		AT(workspace, name), .max = 25,
		.doc = "At most 25 characters; My Workspace by default." },
	{ "person_id", FT_INT, F_DEFAULT | F_STORED, AT(workspace, person_id),
		.doc = "Whose it is." },
	{ "person", FT_ONE, F_HIDES_KEY, .child = &res_person, .key = "person_id",
		.doc = "Whose it is." },
	{ "project_ids", FT_IDS, F_DEFAULT | F_WRITE | F_STORED | F_UNTOLD,
		AT(workspace, project_ids), .max = 500,
		.doc = "Its projects, in the order given." },
	{ "projects", FT_SOME, F_HIDES_KEY, .child = &res_project, .key = "project_ids",
		.doc = "Its projects, in the order given." },
};
const struct resource res_workspace = { "workspace", .table = "workspace", RESOURCE_FIELDS(fields),
	.by_ids = STMT_WORKSPACE_BY_IDS, .size = sizeof(struct workspace), .preset = &preset };

static void take_own_projects(struct load *l, const struct rows *rows)
{
	for (int i = 0; i < db_count(rows); i++)
		l->scene->own_projects =
			ids_with(l->arena, l->scene->own_projects, db_get_int(rows, i, 0));
}

static void load_projects(struct command *c)
{
	const struct workspace *w = command_wish(c);
	const struct db_param params[] = { c->load.mac, c->load.login,
		db_ids(c->r->arena, w->project_ids.v, w->project_ids.n) };
	load_ask_rows(&c->load, STMT_WORKSPACE_PROJECTS, 3, params, take_own_projects);
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
		.decide = workspace_create, .one_of = "name, project_ids", .flags = R_UNTOLD,
		.example = "{\"name\":\"All of it\",\"project_ids\":[99]}",
		.doc = "Make a workspace." },
	{ "GET", "/my/workspaces/:workspace", NEED_PERSON, crud_get, &res_workspace,
		.read = STMT_WORKSPACE_GET, .doc = "One workspace." },
	{ "PUT", "/my/workspaces/:workspace", NEED_PERSON, command_run, &res_workspace,
		.read = STMT_WORKSPACE_GET, .target = &res_workspace, .find = STMT_WORKSPACE_LOAD,
		.load = load_projects, .decide = workspace_update, .flags = R_UNTOLD,
		.example = "{\"project_ids\":[99]}", .doc = "Change the projects of a workspace." },
	{ "DELETE", "/my/workspaces/:workspace", NEED_PERSON, command_run, NULL,
		.target = &res_workspace, .find = STMT_WORKSPACE_LOAD, .decide = workspace_delete,
		.flags = R_UNTOLD, .doc = "Delete a workspace; its projects stay." },
	{ 0 },
};
