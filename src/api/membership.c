/* Project memberships: what their commands load, and their endpoints. */
#include "domain/membership.h"

#include "api/command.h"
#include "api/crud.h"
#include "api/person.h"
#include "api/routes.h"
#include "model/model.h"

/* The body of a POST. */
static const struct field project_membership_body_fields[] = {
	{ "kind", FT_KIND, F_CREATE | F_IGNORED, .doc = "project_membership" },
	PERSON_FIELDS(membership),
	{ "role", FT_WORD, F_CREATE | F_STORED, .words = words_roles, AT(membership, role),
		.doc = "owner, member (default) or viewer." },
	{ "project_color", FT_STRING, F_CREATE | F_STORED | F_RULED, AT(membership, project_color),
		.doc = "Six hex digits." },
	{ "created_at", FT_TIME, F_CREATE | F_STORED, AT(membership, created_at),
		.doc = "When the person joined; now by default." },
};
static const struct resource res_project_membership_body = { "project_membership",
	RESOURCE_FIELDS(project_membership_body_fields), .size = sizeof(struct membership) };

/* What commands load ----------------------------------------------------------- */

static void load_create(struct command *c)
{
	const struct membership *w = command_wish(c);
	load_new_ids(&c->load, &res_project_membership, 1);
	person_load(c, &PERSON_REF(w));
}

/* The project's owners, to see whether one remains. */
static void load_owners(struct command *c)
{
	load_ask(&c->load, STMT_LOAD_OWNERS, 1, &c->load.project, &res_project_membership,
		&c->scene.memberships);
}

/* Endpoints -------------------------------------------------------------------- */

static const char *const sort_orders[] = { "name", NULL };
static const struct param membership_params[] = {
	{ "sort_by", FT_STRING, .words = sort_orders, .read = STMT_PROJECT_MEMBERSHIP_LIST_BY_NAME,
		.doc = "name: order by the person's name instead of by id." },
	{ 0 },
};

static const struct tool membership_tools[] = {
	{ "list_members", .takes = "limit offset",
		.query = "fields=role,person(id,name,initials,username)" },
	{ 0 },
};

const struct route membership_routes[] = {
	{ "GET", "/projects/:project/memberships", NEED_VIEWER, crud_list, &res_project_membership,
		.read = STMT_PROJECT_MEMBERSHIP_LIST, .params = membership_params,
		.doc = "People of a project.", .tools = membership_tools },
	{ "POST", "/projects/:project/memberships", NEED_STEWARD, command_run,
		&res_project_membership, .read = STMT_PROJECT_MEMBERSHIP_GET,
		.activity = "project_membership_create", .target = &res_project_membership,
		.body = &res_project_membership_body, .load = load_create,
		.decide = membership_create,
		.example =
			"{\"email\":\"grace@example.com\",\"name\":\"Grace\",\"role\":\"member\"}",
		.audit = AUDIT_TELLS(MEMBERSHIP_CREATE) | AUDIT_TELLS(PERSON_CREATE),
		.doc = "Add an existing or a new person." },
	{ "GET", "/projects/:project/memberships/:id", NEED_VIEWER, crud_get,
		&res_project_membership, .read = STMT_PROJECT_MEMBERSHIP_GET,
		.doc = "One membership." },
	{ "PUT", "/projects/:project/memberships/:id", NEED_PARTNER, command_run,
		&res_project_membership, .read = STMT_PROJECT_MEMBERSHIP_GET,
		.activity = "project_membership_update", .target = &res_project_membership,
		.find = STMT_LOAD_MEMBERSHIP, .load = load_owners, .decide = membership_update,
		.example = "{\"role\":\"viewer\"}", .audit = AUDIT_TELLS(ROLE_CHANGE),
		.doc = "Change a role; people change their own colour, favourite and mail "
		       "preferences, which creates no version." },
	{ "DELETE", "/projects/:project/memberships/:id", NEED_PARTNER, command_run, NULL,
		.activity = "project_membership_delete", .target = &res_project_membership,
		.find = STMT_LOAD_MEMBERSHIP, .load = load_owners, .decide = membership_delete,
		.audit = AUDIT_TELLS(MEMBERSHIP_DELETE),
		.doc = "Remove a person from a project, or leave it." },
	{ 0 },
};
