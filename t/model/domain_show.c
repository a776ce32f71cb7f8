#include "domain_show.h"

#include "domain/activity.h"
#include "domain/story_bulk.h"
#include "model/model.h"
#include "model/tally.h"
#include "store/load.h"

static void put_ids(struct json *j, const char *name, struct ids ids)
{
	json_put_array(j, name);
	for (size_t i = 0; i < ids.n; i++)
		json_int(j, ids.v[i]);
	json_array_end(j);
}

/* Writes the fields with these names, separated by blanks. */
static void put_fields(
	struct json *j, const struct resource *of, const void *object, const char *names)
{
	struct str rest = str_of(names);
	json_put_int(j, "id", object_id(object));
	while (rest.p) {
		struct str name = str_cut(&rest, ' ');
		for (int i = 0; i < of->n_fields; i++) {
			const struct field *f = &of->fields[i];
			if (!f->at || !str_equal_z(name, f->name) || f->type == FT_LABELS)
				continue;
			json_key(j, f->name);
			object_put(j, f, object);
			break;
		}
	}
}

static int64_t parent_of(const struct resource *of, const char *name, const void *object)
{
	int i = resource_field(of, name);
	return i < 0 ? NIL : *(const int64_t *)object_value(&of->fields[i], object);
}

/* Writes the parts of a story or epic by id; tasks by position. */
static void put_parts(struct json *j, struct domain_world *w, const char *list,
	const struct resource *of, const char *parent, int64_t id, const char *names)
{
	struct objects all = objects_sorted(w->arena, *domain_world_list(w, of)), mine = { 0 };
	for (size_t i = 0; i < all.n; i++)
		if (parent_of(of, parent, all.v[i]) == id)
			objects_add(w->arena, &mine, all.v[i]);
	json_put_array(j, list);
	for (size_t n = 1; n <= mine.n; n++)
		for (size_t i = 0; i < mine.n; i++) {
			const struct task *t = mine.v[i];
			if (of == &res_task ? t->position != (int64_t)n : i + 1 != n)
				continue;
			json_object(j);
			put_fields(j, of, mine.v[i], names);
			json_object_end(j);
		}
	json_array_end(j);
}

static void put_beside(struct json *j, const struct objects *order, int64_t id)
{
	for (size_t i = 0; i < order->n; i++) {
		if (object_id(order->v[i]) != id)
			continue;
		if (i > 0)
			json_put_int(j, "after_id", object_id(order->v[i - 1]));
		if (i + 1 < order->n)
			json_put_int(j, "before_id", object_id(order->v[i + 1]));
	}
}

static void put_label(struct json *j, const struct label *l)
{
	json_object(j);
	put_fields(j, &res_label, l, "name");
	json_key(j, "counts");
	tally_put(j, l->tally);
	json_object_end(j);
}

/* Writes a label's id and name. */
static void put_label_name(struct json *j, struct domain_world *w, int64_t id)
{
	const struct label *l = objects_find(domain_world_list(w, &res_label), id);
	json_object(j);
	json_put_int(j, "id", id);
	json_key(j, "name");
	json_str(j, l ? l->name : (struct str){ 0 });
	json_object_end(j);
}

static void put_story(
	struct json *j, struct domain_world *w, const struct objects *order, const struct story *s)
{
	json_object(j);
	put_fields(j, &res_story, s,
		"project_id name description story_type current_state estimate story_priority"
		" requested_by_id deadline accepted_at owner_ids follower_ids label_ids");
	put_beside(j, order, s->id);
	json_put_array(j, "labels");
	for (size_t i = 0; i < s->label_ids.n; i++)
		put_label_name(j, w, s->label_ids.v[i]);
	json_array_end(j);
	put_parts(j, w, "tasks", &res_task, "story_id", s->id, "description complete position");
	put_parts(j, w, "comments", &res_comment, "story_id", s->id, "text person_id");
	put_parts(j, w, "blockers", &res_blocker, "story_id", s->id,
		"description person_id resolved");
	put_parts(j, w, "reviews", &res_review, "story_id", s->id,
		"review_type_id reviewer_id status");
	json_object_end(j);
}

static void put_epic(struct json *j, struct domain_world *w, const struct epic *e)
{
	struct objects order = domain_world_epics(w, e->project_id);
	json_object(j);
	put_fields(j, &res_epic, e, "name description follower_ids");
	put_beside(j, &order, e->id);
	json_key(j, "label");
	put_label_name(j, w, e->label_id);
	put_parts(j, w, "comments", &res_comment, "epic_id", e->id, "text person_id");
	json_object_end(j);
}

/* The response ----------------------------------------------------------------------------- */

static void show_many(struct json *j, struct domain_world *w, const struct bulk_wish *wish,
	const struct project *p)
{
	struct objects order = domain_world_order(w, p->id, NIL);
	struct ids ids = ids_once(w->arena, wish->ids);
	json_array(j);
	for (size_t i = 0; i < ids.n; i++) {
		const struct story *s = objects_find(domain_world_list(w, &res_story), ids.v[i]);
		if (s)
			put_story(j, w, &order, s);
	}
	json_array_end(j);
}

static void put_newcomer(struct json *j, int64_t id, int64_t person)
{
	json_object(j);
	json_put_int(j, "id", id);
	json_key(j, "person");
	json_object(j);
	json_put_int(j, "id", person);
	json_object_end(j);
	json_object_end(j);
}

void domain_show_subject(struct json *j, struct domain_play *play)
{
	const struct route *route = play->req.route;
	struct domain_world *w = play->world;
	const void *subject = play->out.subject;
	if (route->decide == story_bulk) {
		show_many(j, w, play->wish->object, play->scene.project);
	} else if (!subject) {
		json_null(j);
	} else if (route->resource == &res_story) {
		int64_t id = object_id(subject);
		const struct story *s = objects_find(domain_world_list(w, &res_story), id);
		struct objects order = domain_world_order(w, s->project_id, NIL);
		put_story(j, w, &order, s);
	} else if (route->resource == &res_epic) {
		put_epic(j, w, objects_find(domain_world_list(w, &res_epic), object_id(subject)));
	} else if (route->resource == &res_label) {
		put_label(j, objects_find(domain_world_list(w, &res_label), object_id(subject)));
	} else if (route->resource == &res_project) {
		domain_show_project(
			j, w, objects_find(domain_world_list(w, &res_project), object_id(subject)));
	} else if (route->resource == &res_project_membership) {
		put_newcomer(
			j, object_id(subject), ((const struct membership *)subject)->person_id);
	} else if (route->resource == &res_account_membership) {
		int64_t person = ((const struct account_membership *)subject)->person_id;
		put_newcomer(j, person, person);
	} else {
		json_object(j);
		json_put_int(j, "id", object_id(subject));
		json_object_end(j);
	}
}

/* Activity and notifications ---------------------------------------------------------------- */

static void put_id(struct json *j, const char *name, int64_t id)
{
	if (id != NIL)
		json_put_int(j, name, id);
}

static void put_news(struct json *j, const struct batch *b)
{
	json_put_array(j, "news");
	for (const struct news *n = b->news; n; n = n->next) {
		json_object(j);
		put_ids(j, "people", n->people);
		json_put_z(j, "type", n->type);
		json_put_z(j, "action", n->action);
		put_id(j, "story", n->story_id);
		put_id(j, "epic", n->epic_id);
		put_id(j, "comment", n->comment_id);
		json_object_end(j);
	}
	json_array_end(j);
}

static void put_transitions(struct json *j, const struct batch *b)
{
	json_put_array(j, "transitions");
	for (const struct transition *t = b->transitions; t; t = t->next) {
		json_array(j);
		json_int(j, t->story_id);
		json_z(j, words_story_states[t->state]);
		json_array_end(j);
	}
	json_array_end(j);
}

void domain_show_told(struct json *j, struct domain_play *play)
{
	struct activity a;
	json_array(j);
	for (const struct batch *b = play->out.batches; b && !play->is_idle; b = b->next) {
		if (!b->n || (b->project && !b->activity))
			continue;
		json_object(j);
		if (!b->project) {
			put_news(j, b);
			json_object_end(j);
			continue;
		}
		a = (struct activity){ 0 };
		activity_make(&play->scene, b, &a);
		json_put_int(j, "project", b->project->id);
		json_put_int(j, "version", b->project->version + 1);
		json_key(j, "kind");
		json_str(j, a.kind);
		json_key(j, "highlight");
		json_str(j, a.highlight);
		put_transitions(j, b);
		put_news(j, b);
		json_object_end(j);
	}
	json_array_end(j);
}

/* Projects --------------------------------------------------------------------------------- */

/* Writes a list of what belongs to the project (0: of everything) with these fields. */
static void put_list(struct json *j, struct domain_world *w, const char *list,
	const struct resource *of, int64_t project, const char *names)
{
	struct objects all = objects_sorted(w->arena, *domain_world_list(w, of));
	json_put_array(j, list);
	for (size_t i = 0; i < all.n; i++) {
		if (project && parent_of(of, "project_id", all.v[i]) != project)
			continue;
		json_object(j);
		put_fields(j, of, all.v[i], names);
		json_object_end(j);
	}
	json_array_end(j);
}

static void put_settings(struct json *j, struct domain_world *w, const struct project *p)
{
	put_fields(j, &res_project, p,
		"account_id name version point_scale bugs_and_chores_are_estimatable"
		" automatic_planning iteration_length week_start_day initial_velocity"
		" velocity_averaged_over number_of_done_iterations_to_show start_date public");
	put_list(j, w, "members", &res_project_membership, p->id, "person_id role project_color");
	put_list(j, w, "review_types", &res_review_type, p->id, "name");
	put_list(j, w, "overrides", &res_iteration_override, p->id, "length team_strength");
}

void domain_show_people(struct json *j, struct domain_world *w)
{
	put_list(j, w, "accounts", &res_account, 0, "");
	put_list(j, w, "account_memberships", &res_account_membership, 0,
		"account_id person_id owner admin project_creator");
	put_list(j, w, "people", &res_member, 0, "username");
}

void domain_show_project(struct json *j, struct domain_world *w, const struct project *p)
{
	struct objects order = domain_world_order(w, p->id, NIL);
	struct objects epics = domain_world_epics(w, p->id);
	struct objects labels = objects_sorted(w->arena, *domain_world_list(w, &res_label));
	json_object(j);
	put_settings(j, w, p);
	put_ids(j, "story_counts", p->story_counts);
	json_put_array(j, "stories");
	for (size_t i = 0; i < order.n; i++)
		put_story(j, w, &order, order.v[i]);
	json_array_end(j);
	json_put_array(j, "labels");
	for (size_t i = 0; i < labels.n; i++)
		if (((struct label *)labels.v[i])->project_id == p->id)
			put_label(j, labels.v[i]);
	json_array_end(j);
	json_put_array(j, "epics");
	for (size_t i = 0; i < epics.n; i++)
		put_epic(j, w, epics.v[i]);
	json_array_end(j);
	json_object_end(j);
}
