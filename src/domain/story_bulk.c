#include "domain/story_bulk.h"

#include "domain/label.h"
#include "domain/order.h"
#include "domain/story.h"
#include "domain/touch.h"
#include "model/model.h"

/* The wish ------------------------------------------------------------------------ */

static const struct wish *changes_of(const struct scene *s, const struct bulk_wish *w)
{
	return w->changes ? w->changes : wish_none(s->arena, &res_story);
}

static struct goal goal_of(const struct scene *s, const struct bulk_wish *w)
{
	return (struct goal){ w->before_id, w->after_id, w->group,
		wish_asks(changes_of(s, w), story, current_state) };
}

static struct ids without(struct arena *a, struct ids ids, struct ids others)
{
	int64_t *v = arena_array(a, ids.n, sizeof *v);
	struct ids rest = { v, 0 };
	for (size_t i = 0; i < ids.n; i++)
		if (!ids_have(others, ids.v[i]))
			v[rest.n++] = ids.v[i];
	return rest;
}

static bool knows_labels(struct outcome *out, const char *field, struct ids ids)
{
	for (size_t i = 0; i < ids.n; i++)
		if (!label_known(out, field, ids.v[i]))
			return false;
	return true;
}

static void take_labels(struct outcome *out, const struct bulk_wish *w, struct story *n)
{
	struct arena *a = out->scene->arena;
	struct ids ids = n->label_ids;
	struct ids named = label_ids_of(out, "add_labels", w->add_labels);
	for (size_t i = 0; i < w->add_label_ids.n; i++)
		ids = ids_with(a, ids, w->add_label_ids.v[i]);
	for (size_t i = 0; i < named.n; i++)
		ids = ids_with(a, ids, named.v[i]);
	if (!outcome_is_refused(out))
		n->label_ids = label_order(out, without(a, ids, w->remove_label_ids));
}

/* Places ---------------------------------------------------------------------------- */

static bool moves(const struct story *n, const struct story *old, bool placed)
{
	enum section section = scene_section(n->current_state);
	return placed || section != scene_section(old->current_state) ||
		(section == SECTION_DONE && n->accepted_at != old->accepted_at);
}

/* Whether a story will move: tries the rule itself, as the state that it chooses depends on the
   order. */
static bool will_move(const struct scene *s, const struct bulk_wish *w, const struct story *old)
{
	const struct goal goal = goal_of(s, w);
	struct story n = *old;
	struct outcome out;
	bool placed = false;
	if (goal.before_id != NIL || goal.after_id != NIL)
		return true;
	outcome_init(&out, s, NULL);
	if (goal.has_state)
		n.current_state = ((const struct story *)w->changes->object)->current_state;
	if (goal_is_set(&goal) && order_place(&out, &n, old, &goal, &placed))
		return false;
	return moves(&n, old, placed);
}

struct ids story_bulk_moved(const struct scene *s, const struct wish *wish)
{
	const struct bulk_wish *w = wish->object;
	int64_t *v = arena_array(s->arena, w->ids.n, sizeof *v);
	struct ids moved = { v, 0 };
	struct ids ids = ids_once(s->arena, w->ids);
	for (size_t i = 0; i < ids.n && !w->remove; i++) {
		const struct story *old = objects_find(&s->stories, ids.v[i]);
		if (old && will_move(s, w, old))
			v[moved.n++] = ids.v[i];
	}
	return moved;
}

/* Each story ------------------------------------------------------------------------- */

/* Adds to a refusal which story it is about. */
static enum rc refuse(struct outcome *out, const struct story *s, enum rc rc)
{
	struct arena *a = out->scene->arena;
	long long id = s->id;
	for (struct problem *p = out->problems; p; p = p->next)
		p->text = arena_printf(a, "Story %lld: %.*s", id, (int)p->text.n, p->text.p);
	if (out->general_problem.p)
		out->general_problem = arena_printf(a, "Story %lld: %.*s", id,
			(int)out->general_problem.n, out->general_problem.p);
	else if (out->requirement.p)
		out->general_problem = arena_printf(
			a, "Story %lld: %.*s", id, (int)out->requirement.n, out->requirement.p);
	return rc;
}

static enum rc change_one(struct outcome *out, const struct bulk_wish *w, const struct goal *goal,
	struct order_moved *x)
{
	bool placed;
	enum rc rc = story_take(out, changes_of(out->scene, w), x->now);
	if (!rc)
		take_labels(out, w, x->now);
	if (!rc && outcome_is_refused(out))
		rc = RC_INVALID_PARAMETER;
	if (!rc)
		rc = story_settle(out, goal, x->now, x->old, &placed);
	x->moves = !rc && moves(x->now, x->old, placed);
	return rc;
}

static enum rc change_all(
	struct outcome *out, const struct bulk_wish *w, struct order_moved *all, size_t n)
{
	const struct goal goal = goal_of(out->scene, w);
	bool accepted = false;
	for (size_t i = 0; i < n; i++) {
		all[i].now = object_copy(out->scene->arena, &res_story, all[i].old);
		enum rc rc = change_one(out, w, &goal, &all[i]);
		if (rc)
			return refuse(out, all[i].old, rc);
	}
	order_line_up(out, all, n);
	for (size_t i = 0; i < n; i++) {
		if (!outcome_differs(&res_story, all[i].old, all[i].now))
			continue;
		story_put(out, all[i].now, all[i].old);
		accepted = accepted || story_becomes_accepted(all[i].now, all[i].old);
	}
	if (accepted)
		story_resolve_blockers(out);
	return RC_OK;
}

static void delete_all(struct outcome *out, const struct order_moved *all, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		outcome_delete(out, &res_story, all[i].old);
		label_tally(out, all[i].old, NULL);
		touch_counts(out, NULL, all[i].old);
	}
}

/* Commands ----------------------------------------------------------------------------- */

static bool is_else(const struct bulk_wish *w)
{
	return w->changes || w->before_id != NIL || w->after_id != NIL || w->group != WORD_NONE ||
		w->add_label_ids.n || w->remove_label_ids.n || w->add_labels.n;
}

static enum rc check(struct outcome *out, const struct bulk_wish *w)
{
	const int64_t places[] = { w->before_id, w->after_id };
	static const char *const names[] = { "before_id", "after_id" };
	if (w->remove && is_else(w))
		return outcome_refuse_field(out, "delete",
			"A story cannot be deleted and changed in the same request.");
	for (int i = 0; i < 2; i++)
		if (places[i] != NIL && ids_have(w->ids, places[i]))
			return outcome_refuse_field(out, names[i],
				"Story %lld cannot be placed before or after itself.",
				(long long)places[i]);
	if (!knows_labels(out, "add_label_ids", w->add_label_ids) ||
		!knows_labels(out, "remove_label_ids", w->remove_label_ids))
		return RC_INVALID_PARAMETER;
	return RC_OK;
}

/* Named after the move only if the wish asks for nothing else. */
static const char *activity_of(const struct bulk_wish *w)
{
	bool is_move = !(w->changes && w->changes->n) && !w->add_label_ids.n &&
		!w->remove_label_ids.n && !w->add_labels.n;
	return w->remove ? "story_delete" : is_move ? "story_move_multi" : "story_update_multi";
}

enum rc story_bulk(struct outcome *out, const struct wish *wish)
{
	const struct scene *s = out->scene;
	const struct bulk_wish *w = wish->object;
	struct ids ids = ids_once(s->arena, w->ids);
	struct order_moved *all = arena_array(s->arena, ids.n, sizeof *all);
	enum rc rc = check(out, w);
	for (size_t i = 0; i < ids.n && !rc; i++) {
		all[i].old = objects_find(&s->stories, ids.v[i]);
		if (!all[i].old || all[i].old->project_id != s->project->id)
			rc = outcome_refuse_field(out, "ids",
				"Story with id=%lld does not exist within this project",
				(long long)ids.v[i]);
	}
	if (rc)
		return rc;
	out->batch->activity = activity_of(w);
	if (!w->remove)
		return change_all(out, w, all, ids.n);
	delete_all(out, all, ids.n);
	return RC_OK;
}
