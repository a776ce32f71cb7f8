#include "domain/epic.h"

#include "domain/order.h"
#include "domain/comment.h"
#include "domain/label.h"
#include "domain/order.h"
#include "domain/part.h"
#include "domain/touch.h"
#include "model/model.h"

enum { LABEL_MAX = 255 };

/* Label -------------------------------------------------------------------------- */

struct str epic_label_name(struct str name)
{
	struct str s = str_trim(name);
	size_t chars = 0;
	for (size_t i = 0; i < s.n; i++)
		if (((unsigned char)s.p[i] & 0xc0) != 0x80 && ++chars > LABEL_MAX)
			s.n = i;
	return s;
}

/* {"id"} of a label of the project, or {"name"}, made if new. */
static const struct label *wished_label(struct outcome *out, const struct wish *wish)
{
	const struct label_wish *w = wish->object;
	if (wish_asks(wish, label_wish, label_id))
		return label_known(out, "label", w->label_id);
	if (w->name.p)
		return label_named(out, w->name);
	outcome_problem(out, "label", "Can't use content of 'label' parameter.");
	return NULL;
}

static enum rc check_label(
	struct outcome *out, const char *field, const struct epic *n, const struct label *l)
{
	const struct scene *s = out->scene;
	for (size_t i = 0; i < s->epics.n; i++) {
		const struct epic *e = s->epics.v[i];
		if (e->label_id == l->id && e->id != n->id)
			return outcome_refuse_field(out, field,
				"The label '%.*s' is already used by another epic.", (int)l->name.n,
				l->name.p);
	}
	return RC_OK;
}

/* A label {} means none: an existing one stays, a new epic gets one with its name. */
static enum rc take_label(struct outcome *out, const struct wish *wish, struct epic *n)
{
	const struct epic *w = wish->object;
	const struct label *l;
	const char *field = "label";
	if (w->label && w->label->members) {
		l = wished_label(out, w->label);
	} else if (w->label_id != NIL) {
		field = "label_id";
		l = label_known(out, field, w->label_id);
	} else if (n->label_id == NIL) {
		field = "name";
		l = label_named(out, epic_label_name(n->name));
	} else {
		return RC_OK;
	}
	if (!l)
		return RC_INVALID_PARAMETER;
	n->label_id = l->id;
	return check_label(out, field, n, l);
}

/* Place --------------------------------------------------------------------------- */

/* The other epics of the project, in their order. */
static struct objects others_of(const struct scene *s, const struct epic *n)
{
	struct objects others = { 0 };
	for (size_t i = 0; i < s->epics.n; i++)
		if (object_id(s->epics.v[i]) != n->id)
			objects_add(s->arena, &others, s->epics.v[i]);
	return others;
}

static size_t place_of(const struct objects *list, int64_t id)
{
	size_t i = 0;
	while (i < list->n && object_id(list->v[i]) != id)
		i++;
	return i;
}

/* How many of the other epics come before the place in the wish; if it names both neighbours,
   they must be next to each other (contract 1.4). */
static bool find_place(const struct objects *others, const struct epic *w, size_t *at)
{
	size_t before = w->before_id == NIL ? 0 : place_of(others, w->before_id);
	size_t after = w->after_id == NIL ? 0 : place_of(others, w->after_id);
	*at = w->after_id == NIL ? before : after + 1;
	return (w->before_id == NIL || before < others->n) &&
		(w->after_id == NIL || after < others->n) &&
		(w->before_id == NIL || w->after_id == NIL || after + 1 == before);
}

/* Spreads all others evenly; there are few, and none changes its place. */
static void spread(struct outcome *out, struct objects *others)
{
	for (size_t i = 0; i < others->n; i++) {
		struct epic *e = outcome_change(out, &res_epic, others->v[i]);
		outcome_silence(out);
		e->rank = ((int64_t)i + 1) * ORDER_GAP;
		others->v[i] = e;
	}
}

static int64_t rank_at(const struct objects *others, size_t at)
{
	const struct epic *above = at > 0 ? others->v[at - 1] : NULL;
	const struct epic *below = at < others->n ? others->v[at] : NULL;
	if (!above)
		return (below ? below->rank : 2 * ORDER_GAP) - ORDER_GAP;
	return below ? above->rank + (below->rank - above->rank) / 2 : above->rank + ORDER_GAP;
}

static void stand(struct outcome *out, struct epic *n, size_t at)
{
	struct objects others = others_of(out->scene, n);
	const struct epic *above = at > 0 ? others.v[at - 1] : NULL;
	const struct epic *below = at < others.n ? others.v[at] : NULL;
	int64_t after_id = above ? above->id : NIL, before_id = below ? below->id : NIL;
	if (n->rank != NIL && n->after_id == after_id && n->before_id == before_id)
		return; /* it is already there */
	if (above && below && below->rank - above->rank <= 1)
		spread(out, &others);
	n->rank = rank_at(&others, at);
	n->after_id = after_id;
	n->before_id = before_id;
}

/* A new epic goes last. */
static enum rc take_place(struct outcome *out, const struct wish *wish, struct epic *n)
{
	const struct epic *w = wish->object;
	struct objects others = others_of(out->scene, n);
	size_t at = others.n;
	if (w->before_id == NIL && w->after_id == NIL) {
		if (n->rank == NIL)
			stand(out, n, at);
		return RC_OK;
	}
	if (!find_place(&others, w, &at))
		return outcome_refuse(out, "This epic can no longer be moved to that position");
	stand(out, n, at);
	return RC_OK;
}

/* Commands ------------------------------------------------------------------------- */

static enum rc take(
	struct outcome *out, const struct wish *wish, struct epic *n, const struct epic *old)
{
	int64_t label = n->label_id;
	wish_apply(wish, n);
	n->label_id = label;
	n->follower_ids = ids_once(out->scene->arena, n->follower_ids);
	enum rc rc = take_label(out, wish, n);
	if (!rc)
		rc = take_place(out, wish, n);
	if (rc)
		return rc;
	touch_people(
		out, "follower_ids", n->follower_ids, old ? old->follower_ids : (struct ids){ 0 });
	return outcome_is_refused(out) ? RC_INVALID_PARAMETER : RC_OK;
}

enum rc epic_create(struct outcome *out, const struct wish *wish)
{
	const struct scene *s = out->scene;
	const struct epic *w = wish->object;
	struct epic *n = outcome_new(out, &res_epic);
	n->project_id = s->project->id;
	n->created_at = n->updated_at = s->now;
	enum rc rc = take(out, wish, n, NULL);
	if (rc)
		return rc;
	out->subject = outcome_create(out, &res_epic, n);
	for (size_t i = 0; i < w->comments.n && !rc; i++)
		rc = comment_add(out, w->comments.v[i], NULL, n);
	for (size_t i = 0; i < w->pull_requests.n && !rc; i++)
		rc = part_add(out, w->pull_requests.v[i], NIL, n->id, NULL);
	for (size_t i = 0; i < w->branches.n && !rc; i++)
		rc = part_add(out, w->branches.v[i], NIL, n->id, NULL);
	return rc;
}

enum rc epic_update(struct outcome *out, const struct wish *wish)
{
	const struct epic *old = out->scene->epic;
	struct epic *n = object_copy(out->scene->arena, &res_epic, old);
	out->subject = n;
	enum rc rc = take(out, wish, n, old);
	if (rc || !outcome_differs(&res_epic, old, n))
		return rc;
	n->updated_at = out->scene->now;
	outcome_put(out, &res_epic, old, n);
	return RC_OK;
}

/* Its stories keep the label. */
enum rc epic_delete(struct outcome *out, const struct wish *none)
{
	(void)none;
	outcome_delete(out, &res_epic, out->scene->epic);
	return RC_OK;
}
