/* Projects: what their commands load, and their endpoints. */
#include "domain/project.h"

#include "api/command.h"
#include "api/crud.h"
#include "api/gate.h"
#include "api/routes.h"
#include "http/list.h"
#include "model/model.h"

struct stale_commands {
	int64_t project_version;
	struct str commands;
};

static const struct field stale_data_fields[] = {
	{ "stale_commands", FT_JSON, F_DEFAULT, AT(stale_commands, commands),
		.doc = "Always empty." },
};
static const struct resource res_stale_data = { "stale_data", RESOURCE_FIELDS(stale_data_fields) };

static const struct field stale_commands_fields[] = {
	{ "project_version", FT_INT, F_DEFAULT, .doc = "The version of the project." },
	{ "data", FT_INLINE, F_DEFAULT, .child = &res_stale_data,
		.doc = "What the original sent to its own pages." },
};
static const struct resource res_stale_commands = { "stale_commands",
	RESOURCE_FIELDS(stale_commands_fields) };

/* What commands load ----------------------------------------------------------- */

static void take_zone(struct load *l, const struct rows *rows)
{
	l->scene->knows_zone = db_get_bool(rows, 0, db_column(rows, "known"));
}

/* Projects of the same name, the account that the wish names, and whether its time zone exists. */
static void load_settings(struct command *c)
{
	const struct project *w = command_wish(c);
	struct db_param zone = db_text(c->r->arena, w->time_zone),
			account = db_int_or_null(c->r->arena, w->account_id, NIL);
	if (w->time_zone.p)
		load_ask_rows(&c->load, STMT_ZONE_EXISTS, 1, &zone, take_zone);
	if (w->account_id != NIL)
		load_ask(
			&c->load, STMT_LOAD_ACCOUNT, 1, &account, &res_account, &c->scene.accounts);
	if (!w->name.p && w->account_id == NIL)
		return;
	const struct db_param params[] = { c->load.project, db_text(c->r->arena, w->name) };
	load_ask(&c->load, STMT_LOAD_PROJECTS_NAMED, 2, params, &res_project, &c->scene.projects);
}

static void load_create(struct command *c)
{
	const struct project *w = command_wish(c);
	const struct db_param account = db_int_or_null(c->r->arena, w->account_id, NIL);
	c->scene.new_accounts = c->r->conf->new_accounts;
	if (!w->new_account_name.p)
		load_ask(&c->load, STMT_LOAD_OWN_ACCOUNTS, 1, &account, &res_account_membership,
			&c->scene.account_memberships);
	load_settings(c);
	load_new_ids(&c->load, &res_project, 1);
	load_new_ids(&c->load, &res_review_type, PROJECT_REVIEW_TYPES);
	load_new_ids(
		&c->load, &res_project_membership, wish_asks(c->wish, project, no_owner) ? 0 : 1);
	load_new_ids(&c->load, &res_account, w->new_account_name.p ? 1 : 0);
	load_new_ids(&c->load, &res_account_membership, w->new_account_name.p ? 1 : 0);
}

static void load_update(struct command *c)
{
	const struct project *w = command_wish(c);
	const struct db_param account = db_int_or_null(c->r->arena, w->account_id, NIL);
	if (w->account_id != NIL)
		load_ask(&c->load, STMT_LOAD_OWN_ACCOUNTS, 1, &account, &res_account_membership,
			&c->scene.account_memberships);
	load_settings(c);
}

/* Everything in the project is deleted with it, which may take long. */
static void load_delete(struct command *c)
{
	load_ask_rows(&c->load, STMT_STATEMENT_TIMEOUT_OFF, 0, NULL, NULL);
}

/*
 * Public boards of the original's users poll this every few seconds, and reload when the version
 * has risen.
 */
static enum rc tell_version(struct req *r)
{
	struct stale_commands *none = arena_alloc(r->arena, sizeof *none);
	struct objects answer = { 0 };
	struct fetched *f;
	list_check(r);
	enum rc rc = gate_ask(r);
	if (rc)
		return rc;
	db_commit(r->db);
	if ((rc = gate_allows(r)))
		return rc;
	*none = (struct stale_commands){ r->version, STR("[]") };
	objects_add(r->arena, &answer, none);
	if (!(rc = crud_fetch_objects(r, answer, &f)))
		crud_render_one(r, f);
	return rc;
}

/* Endpoints -------------------------------------------------------------------- */

static const struct param project_params[] = {
	{ "account_ids", FT_IDS, .where = "p.account_id = any(%s::bigint[])", .max = 500,
		.doc = "Only projects of these accounts, separated by commas." },
	{ 0 },
};

/* A deletion is the last version of a project; only its answer carries that version. */
static enum rc delete_project(struct req *r)
{
	enum rc rc = command_run(r);
	if (!rc)
		r->version++;
	return rc;
}

static const struct tool project_tools[] = {
	{ "list_projects", .takes = "limit offset",
		.query = "fields=id,name,description,point_scale,iteration_length,"
			 "current_iteration_number,version" },
	{ 0 },
};

const struct route project_routes[] = {
	{ "GET", "/projects", NEED_PERSON, crud_list, &res_project, .read = STMT_PROJECT_LIST,
		.params = project_params, .doc = "The caller's projects.", .tools = project_tools },
	{ "POST", "/projects", NEED_PERSON, command_run, &res_project, .read = STMT_PROJECT_GET,
		.target = &res_project, .load = load_create, .decide = project_create,
		.flags = R_WHOLE | R_NEW_PROJECT | R_UNTOLD,
		.example = "{\"name\":\"Garden\",\"new_account_name\":\"At home\"}",
		.audit = AUDIT_TELLS(PROJECT_CREATE) | AUDIT_TELLS(ACCOUNT_CREATE) |
			AUDIT_TELLS(MEMBERSHIP_CREATE),
		.doc = "Create a project." },
	{ "GET", "/projects/:project", NEED_VIEWER, crud_get, &res_project,
		.read = STMT_PROJECT_GET, .flags = R_VIEWS, .doc = "One project." },
	{ "PUT", "/projects/:project", NEED_OWNER, command_run, &res_project,
		.read = STMT_PROJECT_GET, .activity = "project_update", .target = &res_project,
		.load = load_update, .decide = project_update,
		.example = "{\"iteration_length\":2}",
		.audit = AUDIT_TELLS(PROJECT_CHANGE) | AUDIT_TELLS(PROJECT_PUBLIC),
		.doc = "Change a project's settings." },
	{ "DELETE", "/projects/:project", NEED_OWNER, delete_project, NULL, .load = load_delete,
		.decide = project_delete, .flags = R_UNTOLD, .audit = AUDIT_TELLS(PROJECT_DELETE),
		.doc = "Delete a project with everything in it." },
	{ "GET", "/project_stale_commands/:project/:version", NEED_VIEWER, tell_version,
		&res_stale_commands,
		.doc = "The version of a project, for clients that reload it when it has changed." },
	{ 0 },
};
