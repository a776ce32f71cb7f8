/* Bulk changes of stories: what the command loads, and its endpoint. */
#include "domain/story_bulk.h"

#include "api/command.h"
#include "api/routes.h"
#include "model/model.h"

/* Fields ----------------------------------------------------------------------- */

/* What makes sense for many stories: each has a text and parts of its own. */
static const struct field change_fields[] = {
	{ "estimate", FT_FLOAT, F_UPDATE | F_NULL | F_STORED | F_UNTOLD, AT(story, estimate),
		.doc = "Points, of the project's scale." },
	{ "story_type", FT_WORD, F_UPDATE | F_STORED | F_UNTOLD, AT(story, story_type),
		.words = words_story_types, .doc = "feature, bug, chore or release." },
	{ "story_priority", FT_WORD, F_UPDATE | F_STORED | F_UNTOLD, AT(story, story_priority),
		.words = words_story_priorities, .doc = "p0, p1, p2, p3 or none." },
	{ "current_state", FT_WORD, F_UPDATE | F_STORED | F_UNTOLD, AT(story, current_state),
		.words = words_story_states, .doc = "The state of the work." },
	{ "requested_by_id", FT_INT, F_UPDATE | F_STORED | F_UNTOLD, AT(story, requested_by_id),
		.doc = "Who requested them." },
	{ "owner_ids", FT_IDS, F_UPDATE | F_STORED | F_UNTOLD, AT(story, owner_ids),
		.doc = "Who works on them, people of the project." },
	{ "follower_ids", FT_IDS, F_UPDATE | F_STORED | F_UNTOLD, AT(story, follower_ids),
		.doc = "Who follows them." },
	{ "label_ids", FT_IDS, F_UPDATE | F_STORED | F_UNTOLD, AT(story, label_ids),
		.doc = "Labels to replace all others." },
	{ "deadline", FT_TIME, F_UPDATE | F_NULL | F_STORED | F_UNTOLD, AT(story, deadline),
		.doc = "For releases: when they are due." },
};
static const struct resource res_changes = { "story_changes", RESOURCE_FIELDS(change_fields),
	.size = sizeof(struct story) };

static const struct field bulk_fields[] = {
	{ "ids", FT_IDS, F_UPDATE | F_MUST, AT(bulk_wish, ids), .max = 100,
		.doc = "Stories of the project, at most 100; stories that move keep this order." },
	{ "before_id", FT_INT, F_UPDATE, AT(bulk_wish, before_id),
		.doc = "The story before which to place them, which is none of them." },
	{ "after_id", FT_INT, F_UPDATE, AT(bulk_wish, after_id),
		.doc = "The story after which to place them, which is none of them." },
	{ "group", FT_WORD, F_UPDATE, AT(bulk_wish, group), .words = words_story_groups,
		.doc = "Where to place them: scheduled (backlog), unscheduled (icebox) or "
		       "current." },
	{ "changes", FT_OBJECT, F_UPDATE, AT(bulk_wish, changes), .child = &res_changes,
		.doc = "What to change in each." },
	{ "add_label_ids", FT_IDS, F_UPDATE, AT(bulk_wish, add_label_ids),
		.doc = "Labels to add to each." },
	{ "add_labels", FT_LABELS, F_UPDATE, AT(bulk_wish, add_labels), .column = "labels",
		.max = 200,
		.doc = "The same, as {\"name\"}, {\"id\"} or names; new names become labels." },
	{ "remove_label_ids", FT_IDS, F_UPDATE, AT(bulk_wish, remove_label_ids),
		.doc = "Labels to remove from each." },
	{ "delete", FT_BOOL, F_UPDATE, AT(bulk_wish, remove),
		.doc = "true: delete them; cannot be combined with anything else." },
};
static const struct resource res_bulk = { "story_bulk", RESOURCE_FIELDS(bulk_fields),
	.size = sizeof(struct bulk_wish) };

/* What is loaded ------------------------------------------------------------------ */

static const struct story *changes_of(const struct bulk_wish *w)
{
	return w->changes ? w->changes->object : NULL;
}

static void load_wished_labels(struct command *c, const struct bulk_wish *w)
{
	struct arena *a = c->r->arena;
	const struct story *n = changes_of(w);
	const struct ids lists[] = { w->add_label_ids, w->remove_label_ids,
		n ? n->label_ids : (struct ids){ 0 } };
	struct str *names = arena_array(a, w->add_labels.n, sizeof *names);
	struct ids ids = { 0 };
	size_t k = 0;
	for (int i = 0; i < 3; i++)
		for (size_t j = 0; j < lists[i].n; j++)
			ids = ids_with(a, ids, lists[i].v[j]);
	for (size_t i = 0; i < w->add_labels.n; i++)
		if (w->add_labels.v[i].id != NIL)
			ids = ids_with(a, ids, w->add_labels.v[i].id);
		else if (w->add_labels.v[i].name.p)
			names[k++] = w->add_labels.v[i].name;
	load_labels(&c->load, ids, (struct strs){ names, k });
	load_new_ids(&c->load, &res_label, k);
}

static bool is_asked_for(const struct bulk_wish *w, int state)
{
	const struct story *n = changes_of(w);
	return n && n->current_state == state;
}

static void load_bulk(struct command *c)
{
	const struct bulk_wish *w = command_wish(c);
	struct scene *s = &c->scene;
	struct ids ids = ids_once(c->r->arena, w->ids);
	const struct db_param params[] = { db_ids(c->r->arena, ids.v, ids.n), c->load.project };
	c->listed = params[0];
	load_ask(&c->load, STMT_LOAD_STORIES_PLACED, 2, params, &res_story, &s->stories);
	load_ask(&c->load, STMT_LOAD_LABELS_OF_STORIES, 2, params, &res_label, &s->labels);
	load_wished_labels(c, w);
	if (!is_asked_for(w, STATE_ACCEPTED))
		return;
	load_ask(&c->load, STMT_LOAD_BLOCKERS_ON_ALL, 2, params, &res_blocker, &s->waiting);
	load_ask(&c->load, STMT_LOAD_STORIES_BLOCKED_BY, 2, params, &res_story, &s->stories);
}

/* People named in the wish; for an acceptance or rejection, all people concerned. */
static void load_people(struct command *c, const struct bulk_wish *w)
{
	struct arena *a = c->r->arena;
	const struct story *n = changes_of(w);
	struct ids people = { 0 }, stories = { 0 };
	for (size_t i = 0; n && i < n->owner_ids.n; i++)
		people = ids_with(a, people, n->owner_ids.v[i]);
	for (size_t i = 0; n && i < n->follower_ids.n; i++)
		people = ids_with(a, people, n->follower_ids.v[i]);
	if (n && n->requested_by_id != NIL)
		people = ids_with(a, people, n->requested_by_id);
	if (is_asked_for(w, STATE_REJECTED) || is_asked_for(w, STATE_ACCEPTED) ||
		is_asked_for(w, STATE_DELIVERED))
		for (size_t i = 0; i < c->scene.stories.n; i++)
			stories = ids_with(a, stories, object_id(c->scene.stories.v[i]));
	load_members(&c->load, people, (struct strs){ 0 }, false, stories);
}

/* The order without the stories that move, now that it is known which these are. */
static void look_on_bulk(struct command *c)
{
	const struct bulk_wish *w = command_wish(c);
	struct arena *a = c->r->arena;
	struct ids beside = { 0 }, moved = story_bulk_moved(&c->scene, c->wish);
	if (w->before_id != NIL)
		beside = ids_with(a, beside, w->before_id);
	if (w->after_id != NIL)
		beside = ids_with(a, beside, w->after_id);
	if (moved.n)
		load_order_without(&c->load, moved, beside);
	load_people(c, w);
}

const struct route story_bulk_routes[] = {
	{ "PUT", "/projects/:project/stories/bulk", NEED_MEMBER, command_run, &res_story,
		.read = STMT_STORIES_LISTED, .activity = "story_update_multi", .body = &res_bulk,
		.load = load_bulk, .look_on = look_on_bulk, .decide = story_bulk, .flags = R_LIST,
		.one_of = "add_label_ids, add_labels, after_id, before_id, changes, delete, group, "
			  "remove_label_ids",
		.example = "{\"ids\":[555,556],\"changes\":{\"story_priority\":\"p1\"}}",
		.audit = AUDIT_UNTOLD,
		.doc = "Change, move or delete up to 100 stories, all or none, in one version." },
	{ 0 },
};
