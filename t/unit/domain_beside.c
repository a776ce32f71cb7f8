#include "domain_beside.h"

#include "model/model.h"

static struct place place_of(const struct story *s)
{
	return s ? (struct place){ s->id, s->rank, scene_section(s->current_state), s->name }
		 : (struct place){ 0 };
}

void domain_beside_ends(struct domain_play *p, const struct objects *order)
{
	struct order *o = &p->scene.order;
	const struct story *w = p->wish && p->wish->of == &res_story ? p->wish->object : NULL;
	int64_t own = p->scene.story ? p->scene.story->id : INT64_MAX;
	int64_t at = w && w->accepted_at != NIL ? w->accepted_at : p->scene.now;
	for (size_t i = 0; i < order->n; i++) {
		struct place x = place_of(order->v[i]);
		for (int64_t section = 0; section <= x.section; section++)
			if (!o->first[section].id)
				o->first[section] = x;
		for (int64_t section = x.section; section < SECTIONS; section++)
			o->last[section] = x;
		if (x.section == SECTION_DONE && (x.rank < at || (x.rank == at && x.id < own)))
			o->done_before = x;
		else if (x.section == SECTION_DONE && !o->done_after.id)
			o->done_after = x;
	}
}

void domain_beside_neighbours(struct domain_play *p, const struct objects *order)
{
	for (size_t i = 0; i < order->n; i++) {
		struct neighbour *n = arena_alloc(p->world->arena, sizeof *n);
		n->self = place_of(order->v[i]);
		n->prev = place_of(i > 0 ? order->v[i - 1] : NULL);
		n->next = place_of(i + 1 < order->n ? order->v[i + 1] : NULL);
		objects_add(p->world->arena, &p->scene.neighbours, n);
	}
}

const struct story *domain_beside_story(struct domain_play *p, int64_t id)
{
	const struct story *old = objects_find(domain_world_list(p->world, &res_story), id);
	if (!old)
		return NULL;
	struct story *s = object_copy(p->world->arena, &res_story, old);
	struct objects order = domain_world_order(p->world, s->project_id, NIL);
	for (size_t i = 0; i < order.n; i++) {
		if (object_id(order.v[i]) != id)
			continue;
		s->after_id = i > 0 ? object_id(order.v[i - 1]) : NIL;
		s->before_id = i + 1 < order.n ? object_id(order.v[i + 1]) : NIL;
	}
	return s;
}

const struct epic *domain_beside_epic(struct domain_play *p, int64_t id)
{
	const struct epic *old = objects_find(domain_world_list(p->world, &res_epic), id);
	if (!old)
		return NULL;
	struct epic *e = object_copy(p->world->arena, &res_epic, old);
	struct objects order = domain_world_epics(p->world, e->project_id);
	for (size_t i = 0; i < order.n; i++) {
		if (object_id(order.v[i]) != id)
			continue;
		e->after_id = i > 0 ? object_id(order.v[i - 1]) : NIL;
		e->before_id = i + 1 < order.n ? object_id(order.v[i + 1]) : NIL;
	}
	return e;
}
