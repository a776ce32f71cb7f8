#include "domain/move.h"

#include "domain/blocker.h"
#include "domain/label.h"
#include "domain/naming.h"
#include "domain/touch.h"
#include "model/model.h"

const struct story *move_arriving(const struct outcome *out, const struct story *old)
{
	struct story *s = object_copy(out->scene->arena, &res_story, old);
	s->owner_ids = s->follower_ids = (struct ids){ 0 };
	return s;
}

static struct ids members_among(const struct outcome *out, struct ids people)
{
	struct ids members = { 0 };
	for (size_t i = 0; i < people.n; i++)
		if (naming_may_use(out->scene, NAMING_BY_ID, people.v[i]))
			members = ids_with(out->scene->arena, members, people.v[i]);
	return members;
}

static struct ids labels_along(struct outcome *out, struct ids ids)
{
	struct ids along = { 0 };
	for (size_t i = 0; i < ids.n; i++) {
		const struct label *l = label_along(out, ids.v[i]);
		if (l)
			along = ids_with(out->scene->arena, along, l->id);
	}
	return label_order(out, along);
}

enum rc move_settle(struct outcome *out, struct story *n, const struct story *old)
{
	const struct scene *s = out->scene;
	if (ids_same(n->label_ids, old->label_ids))
		n->label_ids = labels_along(out, old->label_ids);
	if (ids_same(n->owner_ids, old->owner_ids))
		n->owner_ids = members_among(out, old->owner_ids);
	if (ids_same(n->follower_ids, old->follower_ids))
		n->follower_ids = members_among(out, old->follower_ids);
	if (n->requested_by_id == old->requested_by_id &&
		!naming_may_use(s, NAMING_BY_ID, n->requested_by_id))
		n->requested_by_id = s->me->id;
	if (n->integration_id == old->integration_id)
		n->integration_id = NIL;
	if (n->current_state == STATE_PLANNED && old->current_state == STATE_PLANNED &&
		s->project->automatic_planning)
		n->current_state = STATE_UNSTARTED;
	return outcome_is_refused(out) ? RC_INVALID_PARAMETER : RC_OK;
}

/* Its parts -------------------------------------------------------------------- */

/* The type of that name, created if the new project has none. */
static int64_t type_along(struct outcome *out, int64_t id)
{
	const struct scene *s = out->scene;
	struct type_along *along = objects_find(&s->along.types, id);
	if (!along || along->to != NIL)
		return along ? along->to : id;
	struct review_type *t = outcome_new(out, &res_review_type);
	t->project_id = s->project->id;
	t->name = along->name;
	t->hidden = along->hidden;
	t->created_at = t->updated_at = s->now;
	outcome_create(out, &res_review_type, t);
	outcome_silence(out);
	along->to = t->id;
	return t->id;
}

static void follow_reviews(struct outcome *out)
{
	const struct scene *s = out->scene;
	for (size_t i = 0; i < s->along.reviews.n; i++) {
		struct review *n = outcome_change(out, &res_review, s->along.reviews.v[i]);
		size_t own = out->batch->n - 1;
		n->review_type_id = type_along(out, n->review_type_id);
		if (n->reviewer_id != NIL && !naming_may_use(s, NAMING_BY_ID, n->reviewer_id))
			n->reviewer_id = NIL;
		out->batch->changes[own].silent = true;
	}
}

static struct ids named_there(const struct outcome *out, const struct blocker *b)
{
	const struct scene *s = out->scene;
	struct ids named = blocker_names(s->arena, b->description), there = { 0 };
	for (size_t i = 0; i < named.n; i++)
		if (named.v[i] != b->story_id && ids_have(s->along.stories, named.v[i]))
			there = ids_with(s->arena, there, named.v[i]);
	return there;
}

/* Blockers name stories of their own project. */
static void follow_blockers(struct outcome *out, int64_t story)
{
	const struct scene *s = out->scene;
	for (size_t i = 0; i < s->along.blockers.n; i++) {
		struct blocker *n = outcome_change(out, &res_blocker, s->along.blockers.v[i]);
		outcome_silence(out);
		n->blocking_story_ids = n->story_id == story
			? named_there(out, n)
			: ids_without(s->arena, n->blocking_story_ids, story);
	}
}

void move_follow(struct outcome *out, const struct story *n)
{
	follow_reviews(out);
	follow_blockers(out, n->id);
}

void move_leave(struct outcome *out, const struct story *n, const struct story *old)
{
	struct story *gone = object_copy(out->scene->arena, &res_story, old);
	gone->project_id = n->project_id;
	struct batch *came = out->batch;
	outcome_turn(out, out->scene->source, "story_move_from_project");
	outcome_put(out, &res_story, old, gone);
	outcome_elsewhere(out);
	label_tally(out, old, NULL);
	touch_counts(out, n, old);
	out->batch = came;
}
