/* Epics: their fields, what their commands need to know, and their endpoints. */
#include "domain/epic.h"

#include "api/comment.h"
#include "api/crud.h"
#include "api/routes.h"
#include "api/search.h"
#include "model/model.h"
#include "store/plan_fields.h"

static const struct epic epic_preset = { .id = NIL,
	.project_id = NIL,
	.created_at = NIL,
	.updated_at = NIL,
	.label_id = NIL,
	.rank = NIL,
	.before_id = NIL,
	.after_id = NIL };

/* What selects or makes the label; a whole label, as it was answered, is welcome. */
static const struct field epic_label_fields[] = {
	{ "id", FT_INT, F_WRITE, AT(label_wish, label_id), .doc = "A label of the project." },
	{ "name", FT_TEXT, F_WRITE | F_NO_BLANK | F_NULL, AT(label_wish, name), .max = 255,
		.blank = "Please enter a name for the label.",
		.doc = "A label by name, made if new." },
	{ "kind", FT_STRING, F_WRITE | F_IGNORED, .doc = "label" },
	{ "project_id", FT_INT, F_WRITE | F_IGNORED, .doc = "As answered." },
	{ "created_at", FT_TIME, F_WRITE | F_IGNORED, .doc = "As answered." },
	{ "updated_at", FT_TIME, F_WRITE | F_IGNORED, .doc = "As answered." },
};
static const struct resource res_epic_label = { "label", RESOURCE_FIELDS(epic_label_fields),
	.size = sizeof(struct label_wish) };

static const struct field epic_fields[] = {
	{ "id", FT_INT, F_DEFAULT | F_KEY, .doc = "Identifier, unique in the whole service." },
	{ "kind", FT_KIND, F_DEFAULT | F_CREATE | F_IGNORED, .doc = "epic" },
	{ "created_at", FT_TIME, F_DEFAULT | F_STORED | F_TOLD, AT(epic, created_at),
		.doc = "When it was made." },
	{ "updated_at", FT_TIME, F_DEFAULT | F_STORED | F_TOLD, AT(epic, updated_at),
		.doc = "When it or its comments were last changed." },
	{ "project_id", FT_INT, F_DEFAULT | F_STORED | F_TOLD, AT(epic, project_id),
		.doc = "The project." },
	{ "project", FT_ONE, F_HIDES_KEY, .child = &res_project, .key = "project_id",
		.doc = "The project." },
	{ "name", FT_TEXT,
		F_DEFAULT | F_WRITE | F_REQUIRED | F_NO_BLANK | F_STORED | F_TOLD | F_NAMES,
		AT(epic, name), .max = 5000, .search = "epic",
		.doc = "One line of text, at most 5000 characters." },
	{ "description", FT_TEXT, F_DEFAULT | F_WRITE | F_NULL | F_STORED | F_TOLD,
		AT(epic, description), .max = 20000, .search = "epic_description",
		.doc = "More text, at most 20000 characters." },
	{ "url", FT_URL, F_DEFAULT, .path = "/epic/show/", .doc = "Address of the epic's page." },
	{ "label", FT_ONE, F_DEFAULT, .child = &res_label, .key = "label_id",
		.fetch_root = STMT_LABEL_OF_EPIC,
		.doc = "The label whose stories are the epic's." },
	{ "label", FT_OBJECT, F_WRITE | F_HIDDEN, AT(epic, label), .child = &res_epic_label,
		.doc = "{\"id\"} or {\"name\"}; without one, a label is made from the epic's name." },
	{ "label_id", FT_INT, F_WRITE | F_STORED | F_TOLD, AT(epic, label_id),
		.doc = "The label, by id." },
	{ "comments", FT_MANY, 0, .child = &res_comment, .fetch = STMT_COMMENTS_OF_EPICS,
		.doc = "Oldest first." },
	{ "comments", FT_LIST, F_CREATE | F_HIDDEN, AT(epic, comments), .child = &res_comment,
		.max = 500, .doc = "Comments to make with the epic." },
	{ "comment_ids", FT_MANY_IDS, 0, .key = "comments", .child = &res_comment,
		.doc = "Ids of the comments, oldest first." },
	{ "pull_requests", FT_MANY, 0, .child = &res_pull_request,
		.fetch = STMT_PULL_REQUESTS_OF_EPICS, .doc = "Pull requests, oldest first." },
	{ "pull_requests", FT_LIST, F_CREATE | F_HIDDEN, AT(epic, pull_requests),
		.child = &res_pull_request, .max = 500,
		.doc = "Pull requests to make with the epic." },
	{ "pull_request_ids", FT_MANY_IDS, 0, .key = "pull_requests", .child = &res_pull_request,
		.doc = "Their ids." },
	{ "branches", FT_MANY, 0, .child = &res_branch, .fetch = STMT_BRANCHES_OF_EPICS,
		.doc = "Branches, oldest first." },
	{ "branches", FT_LIST, F_CREATE | F_HIDDEN, AT(epic, branches), .child = &res_branch,
		.max = 500, .doc = "Branches to make with the epic." },
	{ "branch_ids", FT_MANY_IDS, 0, .key = "branches", .child = &res_branch,
		.doc = "Their ids." },
	{ "follower_ids", FT_IDS, F_WRITE | F_STORED | F_TOLD, AT(epic, follower_ids),
		.doc = "Who asked to follow it, or commented on it." },
	{ "followers", FT_SOME, 0, .child = &res_person, .key = "follower_ids",
		.doc = "Who asked to follow it, or commented on it." },
	{ "before_id", FT_INT, F_SIDE | F_WRITE | F_NULL | F_TOLD, AT(epic, before_id),
		.fetch = STMT_EPIC_NEIGHBOURS,
		.doc = "The epic right after this one in the project's order." },
	{ "after_id", FT_INT, F_SIDE | F_WRITE | F_NULL | F_TOLD, AT(epic, after_id),
		.fetch = STMT_EPIC_NEIGHBOURS, .doc = "The epic right before this one." },
	{ "past_done_story_estimates", FT_FLOAT, F_SIDE, .fetch = STMT_EPIC_ROLLUPS,
		.derive = plan_epic_rollups,
		.doc = "Points of its stories accepted before the current iteration." },
	{ "past_done_stories_count", FT_INT, F_SIDE, .fetch = STMT_EPIC_ROLLUPS,
		.derive = plan_epic_rollups,
		.doc = "Its stories accepted before the current iteration." },
	{ "past_done_stories_no_point_count", FT_INT, F_SIDE, .fetch = STMT_EPIC_ROLLUPS,
		.derive = plan_epic_rollups, .doc = "Those of them without points." },
	{ "completed_at", FT_TIME, F_SIDE, .fetch = STMT_EPIC_ROLLUPS, .derive = plan_epic_rollups,
		.doc = "When the last of its stories was accepted; none while one is not." },
	{ "projected_completion", FT_TIME, F_SIDE, .compute = plan_epic_completions,
		.doc = "Finish of the iteration that holds the last of its stories still to be "
		       "done; stories in the icebox do not count." },
	{ "rank", FT_INT, F_HIDDEN | F_STORED, AT(epic, rank), .doc = "Place among the epics." },
};
const struct resource res_epic = { "epic", .table = "epic", RESOURCE_FIELDS(epic_fields),
	.by_ids = STMT_EPIC_BY_IDS, .size = sizeof(struct epic), .preset = &epic_preset,
	.depth = 1 };

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

/* The others of the project. */
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
		.doc = "Only epics that this search finds: planwright-search(7)." },
	{ 0 },
};

const struct route epic_routes[] = {
	{ "GET", EPICS, NEED_VIEWER, search_filter, &res_epic, .read = STMT_EPIC_LIST,
		.params = epic_params, .flags = R_LIST,
		.doc = "Epics of a project, in the project's order." },
	{ "POST", EPICS, NEED_MEMBER, command_run, &res_epic, .read = STMT_EPIC_GET,
		.activity = "epic_create", .target = &res_epic, .load = load_create,
		.decide = epic_create,
		.example = "{\"name\":\"Vegetables\",\"label\":{\"name\":\"vegetables\"}}",
		.doc = "Add an epic." },
	{ "GET", EPIC, NEED_VIEWER, crud_get, &res_epic, .read = STMT_EPIC_GET,
		.doc = "One epic." },
	{ "PUT", EPIC, NEED_MEMBER, command_run, &res_epic, .read = STMT_EPIC_GET,
		.activity = "epic_update", .target = &res_epic, .load = load_update,
		.decide = epic_update, .example = "{\"description\":\"All that we eat.\"}",
		.doc = "Change or move an epic." },
	{ "DELETE", EPIC, NEED_MEMBER, command_run, NULL, .activity = "epic_delete",
		.decide = epic_delete, .doc = "Delete an epic; its stories keep the label." },
	{ "GET", "/epics/:epic", NEED_VIEWER, crud_get, &res_epic, .read = STMT_EPIC_GET,
		.doc = "One epic." },
	{ 0 },
};
