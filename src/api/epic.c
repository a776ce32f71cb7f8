/* Epics: what their commands load, and their endpoints. */
#include "domain/epic.h"

#include "api/comment.h"
#include "api/crud.h"
#include "api/routes.h"
#include "api/search.h"
#include "model/model.h"

/* What commands load ----------------------------------------------------------------- */

static bool has_label(const struct epic *w)
{
	return w->label && w->label->members;
}

static void load_label(struct command *c)
{
	const struct epic *w = command_wish(c);
	const struct label_wish *l = has_label(w) ? w->label->object : NULL;
	const int64_t *id = &w->label_id;
	struct str name = { 0 };
	if (l && wish_asks(w->label, label_wish, label_id))
		id = &l->label_id;
	else if (l)
		name = l->name;
	else if (w->label_id == NIL)
		name = epic_label_name(w->name);
	load_labels(&c->load, (struct ids){ id, name.p ? 0 : 1 },
		(struct strs){ &name, name.p ? 1 : 0 });
	load_new_ids(&c->load, &res_label, name.p ? 1 : 0);
}

/* The project's other epics. */
static void load_others(struct command *c)
{
	const struct db_param params[] = { c->load.project, c->load.epic };
	load_ask(&c->load, STMT_LOAD_EPICS, 2, params, &res_epic, &c->scene.epics);
}

static void load_people(struct command *c)
{
	const struct epic *w = command_wish(c);
	load_members(&c->load, w->follower_ids, (struct strs){ &w->description, 1 }, false,
		(struct ids){ 0 });
}

static void load_create(struct command *c)
{
	const struct epic *w = command_wish(c);
	load_new_ids(&c->load, &res_epic, 1);
	load_others(c);
	load_label(c);
	load_people(c);
	comment_load(c, &w->comments);
	load_new_ids(&c->load, &res_pull_request, w->pull_requests.n);
	load_new_ids(&c->load, &res_branch, w->branches.n);
}

static void load_update(struct command *c)
{
	const struct epic *w = command_wish(c);
	bool labelled = has_label(w) || w->label_id != NIL;
	if (labelled || w->before_id != NIL || w->after_id != NIL)
		load_others(c);
	if (labelled)
		load_label(c);
	load_people(c);
}

/* Endpoints ---------------------------------------------------------------------------- */

#define EPICS "/projects/:project/epics"
#define EPIC EPICS "/:epic"

static const struct param epic_params[] = {
	{ "filter", FT_STRING, .flags = PARAM_ALONE, .read = STMT_EPIC_FILTER,
		.doc = "Only epics that match this search: planwright-search(7)." },
	{ 0 },
};

static const struct tool epic_tools[] = {
	{ "list_epics", .takes = "filter limit offset",
		.query = "fields=id,name,label(name),description,url" },
	{ 0 },
};

const struct route epic_routes[] = {
	{ "GET", EPICS, NEED_VIEWER, search_filter, &res_epic, .read = STMT_EPIC_LIST,
		.params = epic_params, .flags = R_LIST,
		.doc = "Epics of a project, in the project's order.", .tools = epic_tools },
	{ "POST", EPICS, NEED_MEMBER, command_run, &res_epic, .read = STMT_EPIC_GET,
		.activity = "epic_create", .target = &res_epic, .load = load_create,
		.decide = epic_create,
		.example = "{\"name\":\"Vegetables\",\"label\":{\"name\":\"vegetables\"}}",
		.audit = AUDIT_UNTOLD, .doc = "Add an epic." },
	{ "GET", EPIC, NEED_VIEWER, crud_get, &res_epic, .read = STMT_EPIC_GET,
		.doc = "One epic." },
	{ "PUT", EPIC, NEED_MEMBER, command_run, &res_epic, .read = STMT_EPIC_GET,
		.activity = "epic_update", .target = &res_epic, .load = load_update,
		.decide = epic_update, .example = "{\"description\":\"All that we eat.\"}",
		.audit = AUDIT_UNTOLD, .doc = "Change or move an epic." },
	{ "DELETE", EPIC, NEED_MEMBER, command_run, NULL, .activity = "epic_delete",
		.decide = epic_delete, .audit = AUDIT_UNTOLD,
		.doc = "Delete an epic; its stories keep the label." },
	{ "GET", "/epics/:epic", NEED_VIEWER, crud_get, &res_epic, .read = STMT_EPIC_GET,
		.doc = "One epic." },
	{ 0 },
};
