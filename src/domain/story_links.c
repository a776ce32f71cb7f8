/* Owners, labels and followers of a story, one by one. */
#include "domain/label.h"
#include "domain/story.h"
#include "domain/touch.h"
#include "model/model.h"

/* Saves a story whose links were changed in place, if anything did change. */
static enum rc put(struct outcome *out, struct story *n)
{
	const struct story *old = out->scene->story;
	if (!outcome_differs(&res_story, old, n))
		return RC_OK;
	label_tally(out, old, n);
	n->updated_at = out->scene->now;
	outcome_put(out, &res_story, old, n);
	return RC_OK;
}

static struct story *copy(struct outcome *out)
{
	return object_copy(out->scene->arena, &res_story, out->scene->story);
}

static enum rc add_person(
	struct outcome *out, struct story *n, struct ids *people, const char *field, int64_t person)
{
	struct ids known = *people;
	if (!ids_have(known, person))
		*people = ids_with(out->scene->arena, known, person);
	touch_people(out, field, *people, known);
	int64_t *subject = arena_alloc(out->scene->arena, sizeof *subject);
	*subject = person;
	out->subject = subject;
	return outcome_is_refused(out) ? RC_INVALID_PARAMETER : put(out, n);
}

static enum rc remove_id(struct outcome *out, struct story *n, struct ids *ids, const void *object)
{
	int64_t id = object_id(object);
	if (!ids_have(*ids, id))
		return RC_UNFOUND_RESOURCE;
	*ids = ids_without(out->scene->arena, *ids, id);
	return put(out, n);
}

enum rc story_owner_add(struct outcome *out, const struct wish *wish)
{
	struct story *n = copy(out);
	return add_person(
		out, n, &n->owner_ids, "id", ((const struct person_wish *)wish->object)->id);
}

enum rc story_owner_remove(struct outcome *out, const struct wish *none)
{
	struct story *n = copy(out);
	(void)none;
	return remove_id(out, n, &n->owner_ids, out->scene->object);
}

enum rc story_follower_add(struct outcome *out, const struct wish *wish)
{
	const struct person_wish *w = wish->object;
	struct story *n = copy(out);
	bool by_id = wish_asks(wish, person_wish, id);
	return add_person(
		out, n, &n->follower_ids, by_id ? "id" : "person_id", by_id ? w->id : w->person_id);
}

enum rc story_follower_remove(struct outcome *out, const struct wish *none)
{
	struct story *n = copy(out);
	(void)none;
	return remove_id(out, n, &n->follower_ids, out->scene->object);
}

enum rc story_label_add(struct outcome *out, const struct wish *wish)
{
	const struct label_wish *w = wish->object;
	struct story *n = copy(out);
	const struct label *l = wish_asks(wish, label_wish, label_id)
		? label_known(out, "id", w->label_id)
		: label_named(out, w->name);
	if (!l)
		return RC_INVALID_PARAMETER;
	out->subject = l;
	n->label_ids = label_order(out, ids_with(out->scene->arena, n->label_ids, l->id));
	return put(out, n);
}

enum rc story_label_remove(struct outcome *out, const struct wish *none)
{
	struct story *n = copy(out);
	(void)none;
	out->subject = out->scene->object;
	return remove_id(out, n, &n->label_ids, out->scene->object);
}
