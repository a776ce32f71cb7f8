#include "transfer/common/id_map.h"

#include <stdlib.h>

#include "lib/log.h"

/* Of pairs with the same id, the last one comes first. */
static int by_id(const void *a, const void *b)
{
	const struct id_pair *x = a, *y = b;
	if (x->id != y->id)
		return x->id < y->id ? -1 : 1;
	return x->nth < y->nth ? 1 : -1;
}

void id_map_add(struct id_map *m, int64_t id, int64_t value)
{
	if (m->n == m->room) {
		m->room = m->room ? 2 * m->room : 64;
		m->pairs = realloc(m->pairs, m->room * sizeof *m->pairs);
		if (!m->pairs)
			log_die("out of memory: %zu ids", m->room);
	}
	m->pairs[m->n] = (struct id_pair){ id, value, m->n };
	m->n++;
	m->is_sorted = false;
}

int64_t *id_map_find(struct id_map *m, int64_t id)
{
	size_t from = 0, to = m->n;
	if (!m->is_sorted && m->n)
		qsort(m->pairs, m->n, sizeof *m->pairs, by_id);
	m->is_sorted = true;
	while (from < to) {
		size_t middle = from + (to - from) / 2;
		if (m->pairs[middle].id < id)
			from = middle + 1;
		else
			to = middle;
	}
	return from < m->n && m->pairs[from].id == id ? &m->pairs[from].value : NULL;
}

void id_map_free(struct id_map *m)
{
	free(m->pairs);
	*m = (struct id_map){ 0 };
}
