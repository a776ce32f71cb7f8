/* Accounts and their people: what commands need to know, and endpoints. */
#include "api/command.h"
#include "api/crud.h"
#include "api/person.h"
#include "api/routes.h"
#include "domain/account.h"
#include "model/model.h"
#include "model/words.h"

/* The body of a POST. */
static const struct field account_membership_body_fields[] = {
	{ "kind", FT_KIND, F_CREATE | F_IGNORED, .doc = "account_membership" },
	PERSON_FIELDS(account_membership),
	{ "admin", FT_BOOL, F_CREATE | F_STORED, AT(account_membership, admin),
		.doc = "Whether the person is an administrator." },
	{ "project_creator", FT_BOOL, F_CREATE | F_STORED, AT(account_membership, project_creator),
		.doc = "Whether the person may create projects." },
	{ "created_at", FT_TIME, F_CREATE | F_STORED, AT(account_membership, created_at),
		.doc = "When the person joined; now by default." },
	{ "timekeeper", FT_BOOL, F_CREATE | F_IGNORED, .doc = "Only in earlier revisions." },
	{ "time_enterer", FT_BOOL, F_CREATE | F_IGNORED, .doc = "Only in earlier revisions." },
};
static const struct resource res_account_membership_body = { "account_membership",
	RESOURCE_FIELDS(account_membership_body_fields),
	.size = sizeof(struct account_membership) };

/* What commands load ----------------------------------------------------------- */

static void load_add(struct command *c)
{
	const struct account_membership *w = command_wish(c);
	struct db_param account = db_int(c->r->arena, route_id(c->r, ":account"));
	load_ask(&c->load, STMT_LOAD_ACCOUNT, 1, &account, &res_account, &c->scene.accounts);
	load_new_ids(&c->load, &res_account_membership, 1);
	person_load(c, &PERSON_REF(w));
}

/* All that is needed is the server's own rule. */
static void load_policy(struct command *c)
{
	struct str word = str_of(c->r->conf->second_factor);
	c->scene.second_factor = words_find(words_second_factor, word.p, word.n);
}

/* Those who leave an account also leave its projects: locks the projects, in the order of their
   ids, then the account's people; everything else is looked up after that. */
static void load_remove(struct command *c)
{
	struct arena *a = c->r->arena;
	const struct db_param params[] = { db_int(a, route_id(c->r, ":account")),
		db_int(a, crud_id(c->r)) };
	load_ask_rows(&c->load, STMT_LOCK_PROJECTS_OF, 2, params, load_take_locked);
	load_ask(&c->load, STMT_LOCK_ACCOUNT_MEMBERSHIP, 2, params, &res_account_membership,
		&c->scene.account_memberships);
	load_ask_rows(&c->load, STMT_LOAD_PROJECTS_OF, 2, params, load_take_projects);
	load_ask(&c->load, STMT_LOAD_MEMBERSHIPS_OF, 2, params, &res_project_membership,
		&c->scene.memberships);
}

/* Endpoints -------------------------------------------------------------------- */

static const char *const account_permissions[] = { "none", "project_creation", "administration",
	"time_keeping", "time_entering", NULL };
static const struct param account_summary_params[] = {
	{ "with_permission", FT_STRING, .words = account_permissions,
		.where =
			"case %s::text when 'none' then true"
			" when 'project_creation' then m.project_creator else m.owner or m.admin end",
		.doc = "Only accounts in which the caller has this permission." },
	{ 0 },
};

const struct route account_routes[] = {
	{ "GET", "/accounts", NEED_PERSON, crud_list, &res_account, .read = STMT_ACCOUNT_LIST,
		.doc = "The caller's accounts." },
	{ "GET", "/account_summaries", NEED_PERSON, crud_list, &res_account_summary,
		.read = STMT_ACCOUNT_SUMMARY_LIST, .params = account_summary_params,
		.doc = "The caller's accounts, summarized." },
	{ "GET", "/accounts/:account", NEED_ACCOUNT_ADMIN, crud_get, &res_account,
		.read = STMT_ACCOUNT_GET, .flags = R_WHOLE,
		.doc = "One account, for its owner and administrators." },
	{ "PUT", "/accounts/:account", NEED_ACCOUNT_OWNER, command_run, &res_account,
		.read = STMT_ACCOUNT_GET, .target = &res_account, .find = STMT_LOAD_ACCOUNT,
		.load = load_policy, .decide = account_update, .flags = R_UNTOLD | R_WHOLE,
		.example = "{\"second_factor\":\"required\"}", .audit = AUDIT_TELLS(ACCOUNT_CHANGE),
		.doc = "Whether the people of an account need a second factor." },
	{ "GET", "/accounts/:account/memberships", NEED_ACCOUNT_MEMBER, crud_list,
		&res_account_membership, .read = STMT_ACCOUNT_MEMBERSHIP_LIST, .flags = R_WHOLE,
		.doc = "People of an account." },
	{ "POST", "/accounts/:account/memberships", NEED_ACCOUNT_ADMIN, command_run,
		&res_account_membership, .read = STMT_ACCOUNT_MEMBERSHIP_BY_ROW,
		.target = &res_account_membership, .body = &res_account_membership_body,
		.one_of = "admin, created_at, email, initials, name, person_id, project_creator, "
			  "time_enterer, timekeeper",
		.load = load_add, .decide = account_member_add, .flags = R_WHOLE | R_UNTOLD,
		.example = "{\"email\":\"grace@example.com\",\"name\":\"Grace\"}",
		.audit = AUDIT_TELLS(MEMBERSHIP_CREATE) | AUDIT_TELLS(PERSON_CREATE),
		.doc = "Add an existing or a new person." },
	{ "GET", "/accounts/:account/memberships/:id", NEED_ACCOUNT_MEMBER, crud_get,
		&res_account_membership, .read = STMT_ACCOUNT_MEMBERSHIP_GET, .flags = R_WHOLE,
		.doc = "One person of an account." },
	{ "PUT", "/accounts/:account/memberships/:id", NEED_ACCOUNT_ADMIN, command_run,
		&res_account_membership, .read = STMT_ACCOUNT_MEMBERSHIP_BY_ROW,
		.target = &res_account_membership, .find = STMT_LOAD_ACCOUNT_MEMBERSHIP,
		.decide = account_member_update, .flags = R_WHOLE | R_UNTOLD,
		.example = "{\"project_creator\":true}", .audit = AUDIT_TELLS(ROLE_CHANGE),
		.doc = "Change what a person may do." },
	{ "DELETE", "/accounts/:account/memberships/:id", NEED_ACCOUNT_SELF, command_run, NULL,
		.target = &res_account_membership, .find = STMT_LOAD_ACCOUNT_MEMBERSHIP,
		.load = load_remove, .decide = account_member_remove, .flags = R_WHOLE | R_UNTOLD,
		.audit = AUDIT_TELLS(MEMBERSHIP_DELETE),
		.doc = "Remove a person from an account and its projects, or leave it." },
	{ 0 },
};
