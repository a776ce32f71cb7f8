/* Labels: what their commands load, and their endpoints. */
#include "domain/label.h"

#include "api/command.h"
#include "api/crud.h"
#include "api/routes.h"
#include "model/model.h"

/* What commands load -------------------------------------------------------- */

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

/* Endpoints ----------------------------------------------------------------- */

static const char *const label_statuses[] = { "active", "inactive", NULL };
static const char *const label_types[] = { "epic", "standard", NULL };
static const struct param label_params[] = {
	{ "with_type", FT_STRING, .words = label_types,
		.where = "exists (select from epic e where e.label_id = l.id)"
			 " = (%s::text = 'epic')",
		.doc = "epic: only labels of epics; standard: only others." },
	{ "with_status", FT_STRING, .words = label_statuses,
		.where =
			"(l.id in (select unnest(s.label_ids) from story s"
			" where s.project_id = $1::bigint and s.section > 0)) = (%s::text = 'active')",
		.doc = "active: on a story that is not accepted; inactive: all others." },
	{ 0 },
};

const struct route label_routes[] = {
	{ "GET", "/projects/:project/labels", NEED_VIEWER, crud_list, &res_label,
		.read = STMT_LABEL_LIST, .params = label_params,
		.doc = "Labels of a project, by name." },
	{ "POST", "/projects/:project/labels", NEED_MEMBER, command_run, &res_label,
		.read = STMT_LABEL_GET, .activity = "label_create", .target = &res_label,
		.load = load_new_label, .decide = label_create, .example = "{\"name\":\"spring\"}",
		.audit = AUDIT_UNTOLD, .doc = "Add a label." },
	{ "GET", "/projects/:project/labels/:id", NEED_VIEWER, crud_get, &res_label,
		.read = STMT_LABEL_GET, .doc = "One label." },
	{ "PUT", "/projects/:project/labels/:id", NEED_MEMBER, command_run, &res_label,
		.read = STMT_LABEL_GET, .activity = "label_update", .target = &res_label,
		.find = STMT_LOAD_LABEL, .load = load_label_name, .decide = label_update,
		.example = "{\"name\":\"summer\"}", .audit = AUDIT_UNTOLD,
		.doc = "Rename a label." },
	{ "DELETE", "/projects/:project/labels/:id", NEED_MEMBER, command_run, NULL,
		.activity = "label_delete", .target = &res_label, .find = STMT_LOAD_LABEL,
		.load = load_label_epic, .decide = label_delete, .audit = AUDIT_UNTOLD,
		.doc = "Delete a label; its stories lose it." },
	{ 0 },
};
