#include "api/act.h"
#include "api/command.h"
#include "api/crud.h"
#include "domain/label.h"
#include "model/model.h"
#include "api/routes.h"

/* Parameters of lists ------------------------------------------------------ */

static const struct param known_people_params[] = {
	{ "project_id", FT_INT, .flags = PARAM_REQUIRED | PARAM_PROJECT,
		.doc = "The project whose people are wanted." },
	{ "filter_by", FT_STRING,
		.where = "(position(lower(%s::text) in lower(p.name)) > 0"
			 " or position(lower(%s::text) in lower(p.email)) > 0"
			 " or position(lower(%s::text) in lower(p.initials)) > 0"
			 " or position(lower(%s::text) in lower(p.username)) > 0)",
		.doc = "Part of the name, address, initials or user name." },
	{ 0 },
};

static const char *const label_statuses[] = { "active", "inactive", NULL };
static const char *const label_types[] = { "epic", "standard", NULL };
static const struct param label_params[] = {
	{ "with_type", FT_STRING, .words = label_types,
		.where = "exists (select from epic e where e.label_id = l.id)"
			 " = (%s::text = 'epic')",
		.doc = "Only labels of epics, or only others." },
	{ "with_status", FT_STRING, .words = label_statuses,
		.where =
			"(l.id in (select unnest(s.label_ids) from story s"
			" where s.project_id = $1::bigint and s.section > 0)) = (%s::text = 'active')",
		.doc = "active: on a story that is not accepted; inactive: the others." },
	{ 0 },
};

/* What commands load ------------------------------------------------------- */

static void load_label_name(struct command *c)
{
	const struct label *w = command_wish(c);
	load_labels(&c->load, (struct ids){ 0 }, (struct strs){ &w->name, 1 });
}

static void load_new_label(struct command *c)
{
	load_new_ids(&c->load, &res_label, 1);
	load_label_name(c);
}

static void load_label_epic(struct command *c)
{
	struct db_param param = db_int(c->r->arena, crud_id(c->r));
	load_ask(&c->load, STMT_LOAD_EPIC_OF_LABEL, 1, &param, &res_epic, &c->scene.epics);
}

/* Endpoints ---------------------------------------------------------------- */

static const struct route people_routes[] = {
	{ "GET", "/me", NEED_PERSON, crud_get, &res_me, .read = STMT_ME_GET,
		.flags = R_BASIC | R_QUIET,
		.doc = "The caller, with projects, accounts and API token." },
	{ "GET", "/my/people", NEED_PARTNER, crud_list, &res_known_person,
		.read = STMT_KNOWN_PEOPLE, .params = known_people_params,
		.flags = R_PAGED | R_NO_PAGE_HEADERS | R_QUIET, .limit = 1000, .limit_max = 1000,
		.doc = "People of a project, other than the caller." },
	{ "POST", "/my/people", NEED_PARTNER, act_known_people, &res_known_person,
		.read = STMT_KNOWN_PEOPLE_BY_EMAILS, .body = &res_known_people_body,
		.params = known_people_params,
		.flags = R_PAGED | R_NO_PAGE_HEADERS | R_QUIET | R_READS, .limit = 1000,
		.limit_max = 1000, .doc = "Known people with these addresses." },
	{ 0 },
};

static const struct route label_routes[] = {
	{ "GET", "/projects/:project/labels", NEED_VIEWER, crud_list, &res_label,
		.read = STMT_LABEL_LIST, .params = label_params,
		.doc = "Labels of a project, by name." },
	{ "POST", "/projects/:project/labels", NEED_MEMBER, command_run, &res_label,
		.read = STMT_LABEL_GET, .activity = "label_create", .target = &res_label,
		.load = load_new_label, .decide = label_create, .doc = "Add a label." },
	{ "GET", "/projects/:project/labels/:id", NEED_VIEWER, crud_get, &res_label,
		.read = STMT_LABEL_GET, .doc = "One label." },
	{ "PUT", "/projects/:project/labels/:id", NEED_MEMBER, command_run, &res_label,
		.read = STMT_LABEL_GET, .activity = "label_update", .target = &res_label,
		.find = STMT_LOAD_LABEL, .load = load_label_name, .decide = label_update,
		.doc = "Rename a label." },
	{ "DELETE", "/projects/:project/labels/:id", NEED_MEMBER, command_run, NULL,
		.activity = "label_delete", .target = &res_label, .find = STMT_LOAD_LABEL,
		.load = load_label_epic, .decide = label_delete,
		.doc = "Delete a label; its stories lose it." },
	{ 0 },
};

/* clang-format off */
const struct route *const route_tables[] = {
	people_routes,
	account_routes,
	project_routes,
	membership_routes,
	label_routes,
	story_routes,
	export_routes,
	epic_routes,
	comment_routes,
	file_routes,
	commit_routes,
	part_routes,
	workspace_routes,
	integration_routes,
	feed_routes,
	release_routes,
	webhook_routes,
	aggregator_routes,
	planning_routes,
	iteration_override_routes,
	search_routes,
	saved_search_routes,
	settings_routes,
};
/* clang-format on */
const int route_tables_count = sizeof route_tables / sizeof *route_tables;
