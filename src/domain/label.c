#include "domain/label.h"

#include <string.h>

#include "model/model.h"
#include "model/tally.h"

/* Finding -------------------------------------------------------------------- */

const struct label *label_by_id(const struct outcome *out, int64_t id)
{
	for (size_t i = 0; i < out->batch->n; i++) {
		const struct change *c = &out->batch->changes[i];
		if (c->of == &res_label && c->type == CHANGE_CREATE && object_id(c->new) == id)
			return c->new;
	}
	const struct label *l = objects_find(&out->scene->labels, id);
	return l && l->project_id == out->batch->project->id ? l : NULL;
}

const struct label *label_known(struct outcome *out, const char *field, int64_t id)
{
	const struct label *l = label_by_id(out, id);
	if (!l)
		outcome_problem(out, field, "Label with id=%lld does not exist within this project",
			(long long)id);
	return l;
}

static const struct label *made_label(const struct outcome *out, struct str name)
{
	for (size_t i = 0; i < out->batch->n; i++) {
		const struct change *c = &out->batch->changes[i];
		const struct label *l = c->new;
		if (c->of == &res_label && c->type == CHANGE_CREATE && str_equal(l->name, name))
			return l;
	}
	return NULL;
}

const struct label *label_named(struct outcome *out, struct str wished)
{
	const struct scene *s = out->scene;
	const struct label *named = NULL;
	for (size_t i = 0; i < s->labels.n && !named; i++) {
		const struct label *l = s->labels.v[i];
		if (l->wished.p && str_equal(l->wished, wished))
			named = l;
	}
	if (!named)
		return NULL; /* the scene did not load it */
	if (named->id != NIL)
		return named;
	const struct label *made = made_label(out, named->name);
	if (made)
		return made;
	struct label *l = outcome_new(out, &res_label);
	l->project_id = s->project->id;
	l->name = named->name;
	l->created_at = l->updated_at = s->now;
	return outcome_create(out, &res_label, l);
}

const struct label *label_along(struct outcome *out, int64_t id)
{
	const struct scene *s = out->scene;
	const struct label *there =
		ids_have(s->story->label_ids, id) ? objects_find(&s->labels, id) : NULL;
	return there ? label_named(out, there->name) : NULL;
}

struct ids label_order(const struct outcome *out, struct ids ids)
{
	ids = ids_once(out->scene->arena, ids);
	int64_t *v = arena_array(out->scene->arena, ids.n, sizeof *v);
	for (size_t i = 0; i < ids.n; i++)
		v[i] = ids.v[i];
	for (size_t i = 1; i < ids.n; i++) /* a handful, mostly sorted */
		for (size_t k = i; k > 0; k--) {
			struct str a = label_by_id(out, v[k - 1])->name;
			struct str b = label_by_id(out, v[k])->name;
			int order = memcmp(a.p, b.p, a.n < b.n ? a.n : b.n);
			if (order < 0 || (order == 0 && a.n <= b.n))
				break;
			int64_t moved = v[k];
			v[k] = v[k - 1];
			v[k - 1] = moved;
		}
	return (struct ids){ v, ids.n };
}

/* A story that comes from another project may be sent back with its labels as they were read there. */
static const struct label *label_read(struct outcome *out, const char *field, int64_t id)
{
	const struct label *l =
		out->scene->source && !label_by_id(out, id) ? label_along(out, id) : NULL;
	return l ? l : label_known(out, field, id);
}

struct ids label_ids_of(struct outcome *out, const char *field, struct label_refs refs)
{
	int64_t *v = arena_array(out->scene->arena, refs.n, sizeof *v);
	struct ids ids = { v, 0 };
	for (size_t i = 0; i < refs.n; i++) {
		const struct label *l = NULL;
		if (refs.v[i].id != NIL)
			l = label_read(out, field, refs.v[i].id);
		else if (refs.v[i].name.p)
			l = label_named(out, refs.v[i].name);
		else
			outcome_problem(out, field, "Can't use content of 'label' parameter.");
		if (!l)
			return (struct ids){ 0 };
		v[ids.n++] = l->id;
	}
	return label_order(out, ids);
}

/* Tallies ------------------------------------------------------------------------ */

/* A change of the label's numbers, separate from its creation: both are reported. */
static struct label *edit_tally(struct outcome *out, const struct label *l)
{
	for (size_t i = 0; i < out->batch->n; i++) {
		struct change *c = &out->batch->changes[i];
		if (c->of == &res_label && c->type == CHANGE_UPDATE && object_id(c->new) == l->id)
			return c->new;
	}
	return outcome_change(out, &res_label, l);
}

static bool has_label(const struct story *s, int64_t id)
{
	return s && ids_have(s->label_ids, id);
}

static void tally_label(
	struct outcome *out, int64_t id, const struct story *old, const struct story *new)
{
	bool was = has_label(old, id), is = has_label(new, id);
	const struct label *l = label_by_id(out, id);
	if (!l ||
		(was && is && old->current_state == new->current_state &&
			!memcmp(&old->estimate, &new->estimate, sizeof old->estimate)))
		return;
	struct label *n = edit_tally(out, l);
	if (was)
		tally_add(n->tally, old->current_state, old->estimate, -1);
	if (is)
		tally_add(n->tally, new->current_state, new->estimate, 1);
}

void label_tally(struct outcome *out, const struct story *old, const struct story *new)
{
	for (size_t i = 0; old && i < old->label_ids.n; i++)
		tally_label(out, old->label_ids.v[i], old, new);
	for (size_t i = 0; new && i < new->label_ids.n; i++)
		if (!has_label(old, new->label_ids.v[i]))
			tally_label(out, new->label_ids.v[i], old, new);
}

/* Commands ------------------------------------------------------------------------- */

static enum rc take_name(struct outcome *out, struct label *l, struct str wished)
{
	const struct scene *s = out->scene;
	for (size_t i = 0; i < s->labels.n; i++) {
		const struct label *named = s->labels.v[i];
		if (!named->wished.p || !str_equal(named->wished, wished))
			continue;
		if (named->id != NIL && named->id != l->id)
			return outcome_refuse_field(out, "name",
				"The label '%.*s' already exists in this project.",
				(int)named->name.n, named->name.p);
		l->name = named->name;
	}
	return RC_OK;
}

enum rc label_create(struct outcome *out, const struct wish *wish)
{
	struct label *l = outcome_new(out, &res_label);
	l->project_id = out->scene->project->id;
	l->created_at = l->updated_at = out->scene->now;
	out->subject = outcome_create(out, &res_label, l);
	return take_name(out, l, ((const struct label *)wish->object)->name);
}

enum rc label_update(struct outcome *out, const struct wish *wish)
{
	const struct label *old = out->scene->object;
	struct label *l = outcome_edit(out, &res_label, old);
	out->subject = l;
	enum rc rc = RC_OK;
	if (wish_asks(wish, label, name))
		rc = take_name(out, l, ((const struct label *)wish->object)->name);
	if (!rc && outcome_differs(&res_label, old, l))
		l->updated_at = out->scene->now;
	return rc;
}

/* Its stories lose it, too, unreported: there may be thousands. An epic needs its label, which
   can only be deleted after the epic. */
enum rc label_delete(struct outcome *out, const struct wish *none)
{
	(void)none;
	if (out->scene->epics.n)
		return outcome_refuse(out,
			"The label of an epic cannot be deleted: give the epic another label, or "
			"delete the epic first.");
	outcome_delete(out, &res_label, out->scene->object);
	return RC_OK;
}
