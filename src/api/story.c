/* Stories: what their commands load, and their endpoints. */
#include "domain/story.h"

#include "api/comment.h"
#include "api/crud.h"
#include "api/move.h"
#include "api/part.h"
#include "api/routes.h"
#include "api/search.h"
#include "domain/label.h"
#include "domain/order.h"
#include "domain/story_parts.h"
#include "model/model.h"

/* What commands load ----------------------------------------------------------------- */

static struct ids people_of(const struct command *c)
{
	const struct story *w = command_wish(c);
	struct arena *a = c->r->arena;
	struct ids people = w->owner_ids;
	for (size_t i = 0; i < w->follower_ids.n; i++)
		people = ids_with(a, people, w->follower_ids.v[i]);
	const int64_t single[] = { w->owned_by_id, w->requested_by_id };
	for (int i = 0; i < 2; i++)
		if (single[i] != NIL)
			people = ids_with(a, people, single[i]);
	return people;
}

/* Labels that the wish names, with ids for those that are new. */
static void load_wished_labels(struct command *c)
{
	const struct story *w = command_wish(c);
	struct arena *a = c->r->arena;
	struct ids ids = w->label_ids;
	struct str *names = arena_array(a, w->labels.n, sizeof *names);
	size_t n = 0;
	for (size_t i = 0; i < w->labels.n; i++)
		if (w->labels.v[i].id != NIL)
			ids = ids_with(a, ids, w->labels.v[i].id);
		else if (w->labels.v[i].name.p)
			names[n++] = w->labels.v[i].name;
	load_labels(&c->load, ids, (struct strs){ names, n });
	load_new_ids(&c->load, &res_label, n);
}

/* The place determines the state: it may be in any section. */
static void load_place(struct command *c, int64_t story)
{
	const struct story *w = command_wish(c);
	struct ids ids = { 0 };
	if (w->before_id != NIL)
		ids = ids_with(c->r->arena, ids, w->before_id);
	if (w->after_id != NIL)
		ids = ids_with(c->r->arena, ids, w->after_id);
	load_neighbours(&c->load, story, ids);
	load_order(&c->load, story, w->accepted_at);
}

/* The state determines the place. */
static void load_arrival(struct command *c, int64_t project, int64_t story, int state, int before)
{
	const struct story *w = command_wish(c);
	int section = (int)scene_section(state);
	load_section_border(&c->load, project, story, order_border(section, before));
	if (section == SECTION_DONE)
		load_order_accepted(&c->load, story, w->accepted_at);
}

static void load_integration(struct command *c)
{
	const struct story *w = command_wish(c);
	if (w->integration_id == NIL)
		return;
	const struct db_param params[] = { c->load.project, c->load.story,
		db_int(c->r->arena, w->integration_id) };
	load_ask(&c->load, STMT_LOAD_INTEGRATION, 3, params, &res_integration,
		&c->scene.integrations);
}

static size_t count_new(struct wishes list)
{
	size_t n = 0;
	for (size_t i = 0; i < list.n; i++)
		n += object_id(list.v[i]->object) == NIL;
	return n;
}

/* Loads what the lists in a body need. */
static void load_lists(struct command *c)
{
	const struct story *w = command_wish(c);
	struct scene *s = &c->scene;
	struct wish *comment = w->comment;
	if (w->tasks.n && route_id(c->r, ":story"))
		load_tasks(&c->load);
	load_new_ids(&c->load, &res_task, count_new(w->tasks));
	part_load_known(c, &res_comment, w->comments, STMT_LOAD_COMMENTS, &s->comments);
#define LOAD(one, ONE, list, LIST, ...)                                                            \
	part_load(c, &res_##one, w->list, STMT_LOAD_##LIST, &s->list);
	LISTED_PARTS(LOAD)
#undef LOAD
	comment_load(c, &w->comments);
	comment_load(c, &(struct wishes){ &comment, comment ? 1 : 0 });
}

static void load_create(struct command *c)
{
	const struct story *w = command_wish(c);
	const struct goal goal = { w->before_id, w->after_id, w->group, false };
	load_new_ids(&c->load, &res_story, 1);
	load_wished_labels(c);
	if (goal_is_set(&goal))
		load_place(c, NIL);
	else
		load_arrival(c, route_id(c->r, ":project"), NIL,
			w->current_state == WORD_NONE ? STATE_UNSCHEDULED : w->current_state,
			WORD_NONE);
	load_members(&c->load, people_of(c), (struct strs){ &w->description, 1 }, false,
		(struct ids){ 0 });
	load_integration(c);
	load_lists(c);
}

static bool is_verdict(int state)
{
	return state == STATE_REJECTED || state == STATE_ACCEPTED || state == STATE_DELIVERED;
}

static void load_update(struct command *c)
{
	const struct story *w = command_wish(c);
	const struct goal goal = { w->before_id, w->after_id, w->group, false };
	bool moves =
		c->into != NIL || goal_is_set(&goal) || wish_asks(c->wish, story, current_state);
	if (story_moves(c->wish))
		load_place(c, route_id(c->r, ":story"));
	if (moves || wish_asks(c->wish, story, labels) || wish_asks(c->wish, story, label_ids) ||
		wish_asks(c->wish, story, estimate) || wish_asks(c->wish, story, story_type))
		load_labels_of_story(&c->load);
	load_wished_labels(c);
	if (c->into != NIL)
		move_load(c);
	if (w->current_state == STATE_ACCEPTED) {
		load_ask(&c->load, STMT_LOAD_BLOCKERS_ON, 1, &c->load.story, &res_blocker,
			&c->scene.waiting);
		load_ask(&c->load, STMT_LOAD_STORIES_BLOCKED, 1, &c->load.story, &res_story,
			&c->scene.stories);
	}
	/* Accepting a story unblocks others, whose people are notified. */
	bool alone = is_verdict(w->current_state) && w->current_state != STATE_ACCEPTED &&
		c->into == NIL;
	if (alone)
		load_concerned(&c->load);
	load_members(&c->load, people_of(c), (struct strs){ &w->description, 1 },
		is_verdict(w->current_state) && !alone, (struct ids){ 0 });
	load_integration(c);
	load_lists(c);
}

/* A new state means a new place only if it is in another section. */
static void look_on_update(struct command *c)
{
	const struct story *s = c->scene.story;
	int state = ((const struct story *)command_wish(c))->current_state,
	    before = (int)scene_section(s->current_state);
	if (story_moves(c->wish) || !wish_asks(c->wish, story, current_state) ||
		(int)scene_section(state) == before)
		return;
	load_adjacent(&c->load);
	load_arrival(c, s->project_id, s->id, state, before);
}

static void load_delete(struct command *c)
{
	load_labels_of_story(&c->load);
}

static void load_person(struct command *c)
{
	const struct person_wish *w = command_wish(c);
	int64_t id = wish_asks(c->wish, person_wish, id) ? w->id : w->person_id;
	load_members(&c->load, ids_with(c->r->arena, (struct ids){ 0 }, id), (struct strs){ 0 },
		false, (struct ids){ 0 });
}

static void load_label(struct command *c)
{
	const struct label_wish *w = command_wish(c);
	bool by_id = wish_asks(c->wish, label_wish, label_id);
	load_labels_of_story(&c->load);
	load_labels(&c->load, (struct ids){ &w->label_id, by_id ? 1 : 0 },
		(struct strs){ &w->name, by_id ? 0 : 1 });
	load_new_ids(&c->load, &res_label, by_id ? 0 : 1);
}

/* Parameters of lists ------------------------------------------------------ */

/* Computed like updated_week in migration 0035. */
#define WEEK "date_trunc('week', %s::timestamptz at time zone 'UTC')::date"

static const struct param story_params[] = {
	{ "filter", FT_STRING, .flags = PARAM_ALONE,
		.doc = "Only stories that match this search: planwright-search(7)." },
	{ "with_label", FT_STRING,
		.where = "s.label_ids @> array[(select l.id from label l"
			 " where l.project_id = $1::bigint and l.name = lower(%s::text))]",
		.doc = "Only stories with this label, by name." },
	{ "with_story_type", FT_STRING, .words = words_story_types,
		.where = "s.story_type = %s::text", .doc = "Only stories of this type." },
	{ "with_story_priority", FT_STRING, .words = words_story_priorities,
		.where = "s.story_priority = %s::text", .doc = "Only stories of this priority." },
	{ "with_state", FT_STRING, .words = words_story_states, .flags = PARAM_LIST,
		.where = "s.section = story_section(%s::text) and s.current_state = %s::text",
		.column = "s.section", .place = "story_section(%s::text)",
		.doc = "Only stories in this state, or in one of these, separated by commas." },
	{ "after_story_id", FT_INT, .flags = PARAM_PLACE,
		.where =
			"(s.section, s.rank, s.id) > ((select section from story where id = %s::bigint),"
			" (select rank from story where id = %s::bigint), %s::bigint)",
		.exists = STMT_STORY_EXISTS,
		.unknown = "Story with id=%lld does not exist within this project",
		.doc = "Only stories after this one in the project's order." },
	{ "before_story_id", FT_INT, .flags = PARAM_PLACE,
		.where =
			"(s.section, s.rank, s.id) < ((select section from story where id = %s::bigint),"
			" (select rank from story where id = %s::bigint), %s::bigint)",
		.exists = STMT_STORY_EXISTS,
		.unknown = "Story with id=%lld does not exist within this project",
		.doc = "Only stories before this one in the project's order." },
	{ "accepted_before", FT_TIME, .where = "s.accepted_at < %s::timestamptz",
		.doc = "Only stories accepted before this time." },
	{ "accepted_after", FT_TIME, .where = "s.accepted_at > %s::timestamptz",
		.doc = "Only stories accepted after this time." },
	{ "created_before", FT_TIME, .where = "s.created_at < %s::timestamptz",
		.doc = "Only stories created before this time." },
	{ "created_after", FT_TIME, .where = "s.created_at > %s::timestamptz",
		.doc = "Only stories created after this time." },
	{ "updated_before", FT_TIME,
		.where = "s.updated_at < %s::timestamptz and s.updated_week <= " WEEK,
		.doc = "Only stories changed before this time." },
	{ "updated_after", FT_TIME,
		.where = "s.updated_at > %s::timestamptz and s.updated_week >= " WEEK,
		.doc = "Only stories changed after this time." },
	{ "deadline_before", FT_TIME, .where = "s.deadline < %s::timestamptz",
		.doc = "Only stories due before this time." },
	{ "deadline_after", FT_TIME, .where = "s.deadline > %s::timestamptz",
		.doc = "Only stories due after this time." },
	{ 0 },
};

static const struct param story_bulk_params[] = {
	{ "ids", FT_IDS, .where = "s.id = any(%s::bigint[])", .flags = PARAM_REQUIRED, .max = 500,
		.doc = "Ids of stories, separated by commas, at most 500; ids that do not exist "
		       "are left out." },
	{ 0 },
};

/* Tools of assistants ------------------------------------------------------ */

#define BRIEF                                                                                      \
	"id,name,story_type,current_state,estimate,story_priority,owners(id,name),labels(name)"
#define WRITTEN "id,name,story_type,current_state,estimate,owners(id,name),labels(name),url"

static const struct tool story_list_tools[] = {
	{ "find_stories", .takes = "filter limit offset", .needs = "filter",
		.query = "fields=" BRIEF "&limit=20",
		.doc = "Stories that a search finds. Terms: words, \"a phrase\", state:started,unstarted "
		       "type:bug label:\"x y\" owner:ANN requester: epic: estimate:2 id: has:blockers "
		       "updated_since:2026-01-31; -term is not, OR, parentheses." },
	{ "my_work", .takes = "limit offset",
		.query = "filter=owner:{me} -state:accepted&limit=50&fields=" BRIEF,
		.doc = "Stories of a project that you own and that are not accepted." },
	{ 0 },
};
static const struct tool story_add_tools[] = {
	{ "add_story",
		.takes = "name description story_type estimate current_state story_priority "
			 "labels owner_ids before_id after_id",
		.query = "fields=" WRITTEN,
		.doc = "Add a story. Without current_state it goes to the icebox (unscheduled); "
		       "unstarted is the backlog." },
	{ 0 },
};
static const struct tool story_get_tools[] = {
	{ "show_story", .cuts = true, .uri = "planwright://story/{story_id}", .title = "A story",
		.query =
			"fields=id,name,project(id,name),story_type,current_state,estimate,"
			"story_priority,owners(id,name),requested_by(id,name),labels(name),deadline,"
			"accepted_at,updated_at,url,description,tasks(id,description,complete),"
			"blockers(description,resolved),comments(id,person(id,name),created_at,text)",
		.doc = "One story with tasks, blockers and comments; long ones are shortened." },
	{ 0 },
};
static const struct tool story_change_tools[] = {
	{ "change_story",
		.takes = "name description story_type estimate current_state story_priority "
			 "labels owner_ids",
		.query = "fields=" WRITTEN,
		.doc = "Change only the fields given. States in order: unscheduled, unstarted, "
		       "started, finished, delivered, accepted or rejected." },
	{ "move_story", .takes = "before_id after_id group project_id",
		.query = "fields=id,name,current_state,before_id,after_id,project(id,name)",
		.doc = "Move a story in the order, between backlog and icebox, or to another project." },
	{ 0 },
};

/* Endpoints ---------------------------------------------------------------- */

const struct route story_routes[] = {
	{ "GET", "/projects/:project/stories", NEED_VIEWER, search_filter, &res_story,
		.read = STMT_STORY_LIST, .params = story_params,
		.flags = R_PAGED | R_STORY_TOTAL | R_VIEWS, .limit = 100, .limit_max = 500,
		.first = STMT_STORY_PAGE, .brief = STMT_STORY_PAGE_BRIEF, .total = STMT_STORY_COUNT,
		.example = "?filter=label:spring",
		.doc = "Stories of a project, in the project's order.", .tools = story_list_tools },
	{ "POST", "/projects/:project/stories", NEED_MEMBER, command_run, &res_story,
		.read = STMT_STORY_GET, .activity = "story_create", .target = &res_story,
		.load = load_create, .decide = story_parts_create,
		.example =
			"{\"name\":\"Sow the beans\",\"estimate\":1,\"current_state\":\"unstarted\",\"labels\":[\"spring\"]}",
		.audit = AUDIT_UNTOLD, .doc = "Add a story.", .tools = story_add_tools },
	{ "GET", "/projects/:project/stories/bulk", NEED_VIEWER, crud_list, &res_story,
		.read = STMT_STORY_BULK, .params = story_bulk_params, .example = "?ids=555,556",
		.doc = "Stories by their ids." },
	{ "GET", "/projects/:project/stories/:story", NEED_VIEWER, crud_get, &res_story,
		.read = STMT_STORY_GET, .flags = R_VIEWS, .doc = "One story." },
	{ "PUT", "/projects/:project/stories/:story", NEED_MEMBER, command_run, &res_story,
		.read = STMT_STORY_GET, .activity = "story_update", .target = &res_story,
		.load = load_update, .look_on = look_on_update, .decide = story_parts_update,
		.example = "{\"estimate\":2,\"current_state\":\"started\",\"owner_ids\":[101]}",
		.audit = AUDIT_UNTOLD, .doc = "Change a story." },
	{ "DELETE", "/projects/:project/stories/:story", NEED_MEMBER, command_run, NULL,
		.activity = "story_delete", .load = load_delete, .decide = story_delete,
		.audit = AUDIT_UNTOLD, .doc = "Delete a story with its tasks." },
	{ "GET", "/stories/:story", NEED_VIEWER, crud_get, &res_story, .read = STMT_STORY_GET,
		.flags = R_VIEWS, .example = "?fields=name,current_state,owners(name)",
		.doc = "One story.", .tools = story_get_tools },
	{ "PUT", "/stories/:story", NEED_MEMBER, command_run, &res_story, .read = STMT_STORY_GET,
		.activity = "story_update", .target = &res_story, .load = load_update,
		.look_on = look_on_update, .decide = story_parts_update,
		.example = "{\"estimate\":2}", .audit = AUDIT_UNTOLD, .doc = "Change a story.",
		.tools = story_change_tools },
	{ "DELETE", "/stories/:story", NEED_MEMBER, command_run, NULL, .activity = "story_delete",
		.load = load_delete, .decide = story_delete, .audit = AUDIT_UNTOLD,
		.doc = "Delete a story with its tasks." },
	{ "GET", "/projects/:project/stories/:story/owners", NEED_VIEWER, crud_list, &res_person,
		.read = STMT_STORY_OWNER_LIST, .doc = "Owners of a story." },
	{ "POST", "/projects/:project/stories/:story/owners", NEED_MEMBER, command_run, &res_person,
		.read = STMT_STORY_OWNER_GET, .activity = "story_update",
		.body = &res_story_owner_body, .load = load_person, .decide = story_owner_add,
		.example = "{\"id\":101}", .audit = AUDIT_UNTOLD, .doc = "Add an owner." },
	{ "DELETE", "/projects/:project/stories/:story/owners/:id", NEED_MEMBER, command_run, NULL,
		.activity = "story_update", .target = &res_member, .find = STMT_LOAD_ID,
		.decide = story_owner_remove, .audit = AUDIT_UNTOLD, .doc = "Remove an owner." },
	{ "GET", "/projects/:project/stories/:story/followers", NEED_VIEWER, crud_list, &res_person,
		.read = STMT_FOLLOWER_LIST, .doc = "Who follows a story or commented on it." },
	{ "POST", "/projects/:project/stories/:story/followers", NEED_MEMBER, command_run,
		&res_person, .read = STMT_FOLLOWER_GET, .activity = "follower_create",
		.body = &res_follower_body, .one_of = "id, person_id", .load = load_person,
		.decide = story_follower_add, .example = "{\"id\":101}", .audit = AUDIT_UNTOLD,
		.doc = "Add a follower." },
	{ "DELETE", "/projects/:project/stories/:story/followers/:id", NEED_MEMBER, command_run,
		NULL, .activity = "follower_delete", .target = &res_member, .find = STMT_LOAD_ID,
		.decide = story_follower_remove, .audit = AUDIT_UNTOLD,
		.doc = "Remove a follower, until their next comment." },
	{ "GET", "/projects/:project/stories/:story/labels", NEED_VIEWER, crud_list, &res_label,
		.read = STMT_STORY_LABEL_LIST, .doc = "Labels of a story." },
	{ "POST", "/projects/:project/stories/:story/labels", NEED_MEMBER, command_run, &res_label,
		.read = STMT_LABEL_GET, .activity = "story_update", .body = &res_story_label_body,
		.one_of = "id, name", .load = load_label, .decide = story_label_add,
		.example = "{\"name\":\"spring\"}", .audit = AUDIT_UNTOLD,
		.doc = "Add an existing or a new label." },
	{ "DELETE", "/projects/:project/stories/:story/labels/:id", NEED_MEMBER, command_run,
		&res_label, .read = STMT_LABEL_GET, .activity = "story_update",
		.target = &res_label, .find = STMT_LOAD_LABEL_OF_STORY, .load = load_delete,
		.decide = story_label_remove, .audit = AUDIT_UNTOLD,
		.doc = "Remove a label; returns it." },
	{ 0 },
};
