#include <stdlib.h>

#include "domain/order.h"

/* Gaps ------------------------------------------------------------------------------- */

static int section_of(const struct order_moved *x)
{
	return (int)scene_section(x->now->current_state);
}

/* A gap is identified by the stories on both sides. */
static bool same_gap(const struct order_moved *a, const struct order_moved *b)
{
	return a->now->after_id == b->now->after_id && a->now->before_id == b->now->before_id;
}

/* Sections in order; accepted stories by time and id, all others as named. */
static int compare(const void *a, const void *b)
{
	const struct order_moved *x = *(const struct order_moved *const *)a;
	const struct order_moved *y = *(const struct order_moved *const *)b;
	int s = section_of(x), t = section_of(y);
	if (s != t)
		return s < t ? -1 : 1;
	if (s == SECTION_DONE && x->now->rank != y->now->rank)
		return x->now->rank < y->now->rank ? -1 : 1;
	if (s == SECTION_DONE)
		return x->now->id < y->now->id ? -1 : 1;
	return x < y ? -1 : 1;
}

static const struct place *find_place(const struct scene *s, int64_t id)
{
	const struct order *o = &s->order;
	if (id == NIL)
		return NULL;
	for (int i = 0; i < SECTIONS; i++) {
		if (o->first[i].id == id)
			return &o->first[i];
		if (o->last[i].id == id)
			return &o->last[i];
	}
	for (size_t i = 0; i < s->neighbours.n; i++) {
		const struct neighbour *n = s->neighbours.v[i];
		const struct place *const around[] = { &n->self, &n->prev, &n->next };
		for (int k = 0; k < 3; k++)
			if (around[k]->id == id)
				return around[k];
	}
	return NULL;
}

/* Ranks ------------------------------------------------------------------------------- */

/* The stories of a section in one gap: spaced evenly between their neighbours. */
static void rank(struct outcome *out, struct order_moved *const *v, size_t n,
	const struct place *above, const struct place *below)
{
	int section = section_of(v[0]);
	bool has_above = above && above->section == section;
	bool has_below = below && below->section == section;
	int64_t from = has_above ? above->rank : 0, step = ORDER_GAP;
	if (has_above && has_below) {
		step = (below->rank - above->rank) / (int64_t)(n + 1);
		if (step < 1)
			out->spread = (struct spread){ true, section, above->rank, above->id };
	} else if (has_below) {
		from = below->rank - (int64_t)(n + 1) * ORDER_GAP;
	}
	for (size_t i = 0; i < n; i++)
		v[i]->now->rank = from + (int64_t)(i + 1) * step;
}

static bool stands_there(const struct order_moved *x)
{
	return section_of(x) == (int)scene_section(x->old->current_state) &&
		x->now->before_id == x->old->before_id && x->now->after_id == x->old->after_id;
}

/* If all of them stay in place, they keep their ranks. */
static void rank_section(struct outcome *out, struct order_moved *const *v, size_t n,
	const struct place *above, const struct place *below)
{
	size_t there = 0;
	if (section_of(v[0]) == SECTION_DONE)
		return;
	while (there < n && stands_there(v[there]))
		there++;
	if (there < n) {
		rank(out, v, n, above, below);
		return;
	}
	for (size_t i = 0; i < n; i++)
		v[i]->now->rank = v[i]->old->rank;
}

/* All stories that go to one gap. */
static void fill_gap(struct outcome *out, struct order_moved **v, size_t n)
{
	int64_t above = v[0]->now->after_id, below = v[0]->now->before_id;
	qsort(v, n, sizeof *v, compare);
	for (size_t i = 0; i < n; i++) {
		v[i]->now->after_id = i ? v[i - 1]->now->id : above;
		v[i]->now->before_id = i + 1 < n ? v[i + 1]->now->id : below;
	}
	for (size_t i = 0, run; i < n; i += run) {
		run = 1;
		while (i + run < n && section_of(v[i + run]) == section_of(v[i]))
			run++;
		rank_section(out, v + i, run, find_place(out->scene, above),
			find_place(out->scene, below));
	}
}

void order_line_up(struct outcome *out, struct order_moved *all, size_t n)
{
	struct order_moved **gap = arena_array(out->scene->arena, n, sizeof *gap);
	out->spread.wanted = false;
	for (size_t i = 0; i < n; i++) {
		size_t k = 0;
		if (!all[i].moves)
			continue;
		gap[k++] = &all[i];
		for (size_t j = i + 1; j < n; j++)
			if (all[j].moves && same_gap(&all[i], &all[j])) {
				gap[k++] = &all[j];
				all[j].moves = false;
			}
		fill_gap(out, gap, k);
	}
}
