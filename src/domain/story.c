#include "domain/story.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "domain/label.h"
#include "domain/move.h"
#include "domain/order.h"
#include "domain/touch.h"
#include "model/model.h"

/* The names of one value in requests (contract 2.7). */
static const char OWNERS[] = "owner_ids", OWNER[] = "owned_by_id";

/* What a story may be --------------------------------------------------------------- */

bool story_is_estimatable(const struct story *s, const struct project *p)
{
	return s->story_type == TYPE_FEATURE ||
		((s->story_type == TYPE_BUG || s->story_type == TYPE_CHORE) &&
			p->bugs_and_chores_are_estimatable);
}

bool story_can_be_in(int type, int state)
{
	switch (state) {
	case STATE_FINISHED:
	case STATE_DELIVERED:
	case STATE_REJECTED:
	case STATE_PLANNED: return type == TYPE_FEATURE || type == TYPE_BUG;
	case STATE_STARTED: return type != TYPE_RELEASE;
	default: return true;
	}
}

static enum rc check_state(struct outcome *out, const struct story *n)
{
	bool plannable = n->story_type == TYPE_FEATURE || n->story_type == TYPE_BUG;
	if (n->current_state == STATE_PLANNED && out->scene->project->automatic_planning &&
		plannable)
		return outcome_require(out,
			"Project must have 'Automatic Planning' off for 'planned' to be an acceptable "
			"value for 'current_state'.",
			"Remove the 'current_state' parameter from your request or turn off "
			"'Automatic Planning' for this project.");
	if (!story_can_be_in(n->story_type, n->current_state))
		outcome_problem(out, "current_state", "%s is not a state of a %s: use one of %s.",
			words_story_states[n->current_state], words_story_types[n->story_type],
			n->story_type == TYPE_CHORE ? "unscheduled, unstarted, started, accepted"
						    : "unscheduled, unstarted, accepted");
	return RC_OK;
}

static bool needs_estimate(int state)
{
	return state == STATE_STARTED || state == STATE_FINISHED || state == STATE_DELIVERED ||
		state == STATE_ACCEPTED || state == STATE_REJECTED;
}

bool story_is_on_scale(double estimate, struct str scale)
{
	for (struct str rest = scale; rest.p;) {
		struct str part = str_cut(&rest, ',');
		char text[40] = { 0 };
		if (part.n < sizeof text) {
			memcpy(text, part.p, part.n);
			double value = strtod(text, NULL);
			if (!(value < estimate) && !(value > estimate))
				return true;
		}
	}
	return false;
}

static const char *number_text(struct arena *a, double v)
{
	struct buf b = { 0 };
	struct json j;
	json_init(&j, &b);
	json_float(&j, v);
	const char *text = arena_str(a, buf_str(&b)).p;
	buf_free(&b);
	return text;
}

/* An existing estimate stays: the scale may have changed since, or the story comes from a project
   with another scale. */
static void check_estimate(struct outcome *out, const struct story *n, bool is_new)
{
	const struct project *p = out->scene->project;
	if (isnan(n->estimate)) {
		if (story_is_estimatable(n, p) && needs_estimate(n->current_state) &&
			story_can_be_in(n->story_type, n->current_state))
			outcome_problem(out, "estimate",
				"Stories in the %s state must be estimated.",
				words_story_states[n->current_state]);
	} else if (!is_new) {
		return;
	} else if (n->story_type == TYPE_RELEASE) {
		outcome_problem(out, "estimate", "Releases cannot be estimated.");
	} else if (!story_is_estimatable(n, p)) {
		outcome_problem(
			out, "estimate", "Bugs and chores cannot be estimated in this project.");
	} else if (!story_is_on_scale(n->estimate, p->point_scale)) {
		outcome_problem(out, "estimate",
			"%s is not a valid estimate for this project's point scale.",
			number_text(out->scene->arena, n->estimate));
	}
}

static void check_acceptance(struct outcome *out, const struct story *n, const struct story *old)
{
	if (n->accepted_at == NIL)
		return;
	if (n->current_state != STATE_ACCEPTED)
		outcome_problem(out, "accepted_at",
			"Only stories in accepted state may have accepted_at dates");
	else if (n->accepted_at > out->scene->now && (!old || n->accepted_at != old->accepted_at))
		outcome_problem(out, "accepted_at", "Story accepted_at cannot be in the future.");
}

static void check_links(struct outcome *out, const struct story *n, const struct story *old)
{
	const struct ids none = { 0 };
	const struct scene *s = out->scene;
	touch_people(out, OWNERS, n->owner_ids, old ? old->owner_ids : none);
	touch_people(out, "follower_ids", n->follower_ids, old ? old->follower_ids : none);
	if (n->integration_id != NIL && (!old || n->integration_id != old->integration_id) &&
		!objects_find(&s->integrations, n->integration_id))
		outcome_problem(out, "integration_id",
			"Integration with id=%lld does not exist within this project",
			(long long)n->integration_id);
	if (!old || n->requested_by_id != old->requested_by_id) {
		struct ids requester = { &n->requested_by_id, n->requested_by_id == NIL ? 0 : 1 };
		touch_people(out, "requested_by_id", requester, none);
	}
}

/* What follows ------------------------------------------------------------------------ */

/* owned_by_id is the first of owner_ids, for the answer; accepted_at is set and cleared with the
   state; estimates and deadlines that the new type cannot have are cleared. */
static void derive(const struct scene *s, struct story *n, const struct story *old)
{
	n->owned_by_id = n->owner_ids.n ? n->owner_ids.v[0] : NIL;
	bool same_time = old ? n->accepted_at == old->accepted_at : n->accepted_at == NIL;
	if (n->current_state == STATE_ACCEPTED && n->accepted_at == NIL)
		n->accepted_at = s->now;
	else if (n->current_state != STATE_ACCEPTED && same_time)
		n->accepted_at = NIL;
	if (!old || n->story_type == old->story_type)
		return;
	if (n->story_type != TYPE_RELEASE && n->deadline == old->deadline)
		n->deadline = NIL;
	if (!memcmp(&n->estimate, &old->estimate, sizeof n->estimate) &&
		!story_is_estimatable(n, s->project))
		n->estimate = NAN;
}

/*
 * A story that was changed in place, compared with its old state: consequences (acceptance,
 * estimate, deadline), forbidden values, its counts, transition and labels' tallies. old: null
 * for a new one. Problems are collected in `out`.
 */
static enum rc story_follow(struct outcome *out, struct story *n, const struct story *old)
{
	derive(out->scene, n, old);
	bool same_estimate = old && !memcmp(&n->estimate, &old->estimate, sizeof n->estimate);
	if (n->created_at > out->scene->now && (!old || n->created_at != old->created_at))
		return outcome_require(out, "Story created_at cannot be in the future.", NULL);
	check_acceptance(out, n, old);
	if (!same_estimate || n->story_type != old->story_type ||
		n->current_state != old->current_state) {
		enum rc rc = check_state(out, n);
		if (rc)
			return rc;
		check_estimate(out, n, !same_estimate);
	}
	if (n->deadline != NIL && n->story_type != TYPE_RELEASE)
		outcome_problem(out, "deadline", "Deadline can only be set on releases.");
	check_links(out, n, old);
	return outcome_is_refused(out) ? RC_INVALID_PARAMETER : RC_OK;
}

/* The contents of a wish ----------------------------------------------------------------- */

static enum rc take_owners(struct outcome *out, const struct wish *wish, struct story *n)
{
	const struct story *w = wish->object;
	if (wish_asks(wish, story, owner_ids))
		n->owner_ids = ids_once(out->scene->arena, w->owner_ids);
	else if (wish_asks(wish, story, owned_by_id))
		n->owner_ids = w->owned_by_id == NIL
			? (struct ids){ 0 }
			: ids_with(out->scene->arena, (struct ids){ 0 }, w->owned_by_id);
	if (wish_asks(wish, story, follower_ids))
		n->follower_ids = ids_once(out->scene->arena, w->follower_ids);
	return RC_OK;
}

static enum rc take_labels(struct outcome *out, const struct wish *wish, struct story *n)
{
	const struct story *w = wish->object;
	if (wish_asks(wish, story, labels)) {
		n->label_ids = label_ids_of(out, "labels", w->labels);
	} else if (wish_asks(wish, story, label_ids)) {
		for (size_t i = 0; i < w->label_ids.n; i++)
			if (!label_known(out, "label_ids", w->label_ids.v[i]))
				return RC_INVALID_PARAMETER;
		n->label_ids = label_order(out, w->label_ids);
	}
	return outcome_is_refused(out) ? RC_INVALID_PARAMETER : RC_OK;
}

static struct goal goal_of(const struct wish *wish)
{
	const struct story *w = wish->object;
	return (struct goal){ w->before_id, w->after_id, w->group,
		wish_asks(wish, story, current_state) };
}

bool story_moves(const struct wish *wish)
{
	struct goal goal = goal_of(wish);
	return goal_is_set(&goal) || wish_asks(wish, story, accepted_at) ||
		wish_asks(wish, story, project_id);
}

static bool comes_from_elsewhere(const struct outcome *out)
{
	return out->scene->source != NULL;
}

enum rc story_take(struct outcome *out, const struct wish *wish, struct story *n)
{
	struct ids labels = n->label_ids;
	wish_apply(wish, n);
	n->label_ids = labels;
	enum rc rc = take_owners(out, wish, n);
	return rc ? rc : take_labels(out, wish, n);
}

enum rc story_settle(struct outcome *out, const struct goal *goal, struct story *n,
	const struct story *old, bool *placed)
{
	enum rc rc = RC_OK;
	*placed = false;
	if (goal_is_set(goal))
		rc = order_place(out, n, old, goal, placed);
	if (!rc)
		rc = story_follow(out, n, old);
	if (!rc && !*placed)
		order_arrive(out->scene, n, old);
	return rc;
}

static enum rc take(
	struct outcome *out, const struct wish *wish, struct story *n, const struct story *old)
{
	struct goal goal = goal_of(wish);
	bool placed;
	enum rc rc = story_take(out, wish, n);
	if (!rc && comes_from_elsewhere(out)) {
		rc = move_settle(out, n, old);
		old = move_arriving(out, old);
	}
	if (!rc)
		rc = story_settle(out, &goal, n, old, &placed);
	if (!wish_asks(wish, story, owner_ids) && wish_asks(wish, story, owned_by_id))
		outcome_rename(out, OWNERS, OWNER);
	return rc;
}

static void name_labels(const struct outcome *out, struct story *n)
{
	struct str *v = arena_array(out->scene->arena, n->label_ids.n, sizeof *v);
	for (size_t i = 0; i < n->label_ids.n; i++)
		v[i] = label_by_id(out, n->label_ids.v[i])->name;
	n->label_names = (struct strs){ v, n->label_ids.n };
}

enum rc story_create(struct outcome *out, const struct wish *wish)
{
	const struct scene *s = out->scene;
	struct story *n = outcome_new(out, &res_story);
	n->project_id = s->project->id;
	n->requested_by_id = s->me->id;
	n->created_at = n->updated_at = s->now;
	enum rc rc = take(out, wish, n, NULL);
	if (rc)
		return rc;
	if (n->requested_by_id == NIL)
		n->requested_by_id = s->me->id;
	name_labels(out, n);
	out->subject = outcome_create(out, &res_story, n);
	label_tally(out, NULL, n);
	touch_counts(out, n, NULL);
	return RC_OK;
}

/* Only a place: the activity is a move, even if it changes the state. */
static bool is_move(const struct wish *wish)
{
	static const size_t places[] = { offsetof(struct story, before_id),
		offsetof(struct story, after_id), offsetof(struct story, group),
		offsetof(struct story, project_id) };
	struct goal goal = goal_of(wish);
	return goal_is_set(&goal) && wish_asks_only(wish, places, 4);
}

static const char *activity_of(const struct outcome *out, const struct wish *wish)
{
	if (comes_from_elsewhere(out))
		return is_move(wish) ? "story_move_into_project_and_prioritize"
				     : "story_move_into_project";
	return is_move(wish) ? "story_move" : out->batch->activity;
}

/* Whether it names a story that this command accepts, not one that was accepted before. */
static bool is_freed(const struct outcome *out, const struct blocker *b)
{
	for (size_t i = 0; i < out->batch->n; i++) {
		const struct change *c = &out->batch->changes[i];
		if (c->of == &res_story && c->old && c->new &&
			story_becomes_accepted(c->new, c->old) &&
			ids_have(b->blocking_story_ids, object_id(c->new)))
			return true;
	}
	return false;
}

/* An accepted story blocks no other: blockers that waited only for it are resolved. */
void story_resolve_blockers(struct outcome *out)
{
	const struct scene *s = out->scene;
	for (size_t i = 0; i < s->waiting.n; i++) {
		const struct blocker *old = s->waiting.v[i];
		const struct story *blocked = objects_find(&s->stories, old->story_id);
		if (old->waits || !blocked || !is_freed(out, old))
			continue;
		struct blocker *b = outcome_edit(out, &res_blocker, old);
		b->resolved = true;
		b->updated_at = s->now;
		touch_story(out, blocked);
	}
}

void story_put(struct outcome *out, struct story *n, const struct story *old)
{
	label_tally(out, old, n);
	n->updated_at = out->scene->now;
	outcome_put(out, &res_story, old, n);
	touch_counts(out, n, old);
}

bool story_becomes_accepted(const struct story *n, const struct story *old)
{
	return n->current_state == STATE_ACCEPTED && old->current_state != STATE_ACCEPTED;
}

static void put_changed(struct outcome *out, struct story *n, const struct story *old)
{
	story_put(out, n, old);
	if (comes_from_elsewhere(out)) {
		move_follow(out, n);
		move_leave(out, n, old);
	} else if (story_becomes_accepted(n, old)) {
		story_resolve_blockers(out);
	}
}

enum rc story_update(struct outcome *out, const struct wish *wish)
{
	const struct story *old = out->scene->story;
	struct story *n = object_copy(out->scene->arena, &res_story, old);
	enum rc rc = take(out, wish, n, old);
	if (rc)
		return rc;
	out->subject = n;
	if (!outcome_differs(&res_story, old, n))
		return RC_OK;
	out->batch->activity = activity_of(out, wish);
	put_changed(out, n, old);
	return RC_OK;
}

enum rc story_come_to(struct outcome *out, int state)
{
	const struct story *old = out->scene->story;
	struct story *n = object_copy(out->scene->arena, &res_story, old);
	n->current_state = state;
	enum rc rc = story_follow(out, n, old);
	if (rc)
		return rc;
	order_arrive(out->scene, n, old);
	put_changed(out, n, old);
	return RC_OK;
}

enum rc story_delete(struct outcome *out, const struct wish *none)
{
	const struct story *old = out->scene->story;
	(void)none;
	outcome_delete(out, &res_story, old);
	label_tally(out, old, NULL);
	touch_counts(out, NULL, old);
	return RC_OK;
}
