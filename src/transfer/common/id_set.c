#include "transfer/common/id_set.h"

#include <stdlib.h>
#include <sys/random.h>

/*
 * The slot of the id, or the free one where it belongs. Only the upper bits of the product depend on
 * all bits of the id.
 */
static int64_t *slot_of(const struct id_set *s, int64_t id)
{
	size_t i = (size_t)((uint64_t)id * s->key >> (64 - __builtin_ctzll(s->size)));
	while (s->slots[i] && s->slots[i] != id)
		i = (i + 1) & (s->size - 1);
	return &s->slots[i];
}

static void grow(struct id_set *s)
{
	struct id_set wide = { .size = s->size ? s->size * 2 : 1024, .n = s->n };
	if (getrandom(&wide.key, sizeof wide.key, 0) < 0)
		wide.key = 0x9e3779b97f4a7c15u;
	wide.key |= 1;
	wide.slots = calloc(wide.size, sizeof *wide.slots);
	if (!wide.slots)
		abort();
	for (size_t i = 0; i < s->size; i++)
		if (s->slots[i])
			*slot_of(&wide, s->slots[i]) = s->slots[i];
	free(s->slots);
	*s = wide;
}

bool id_set_add(struct id_set *s, int64_t id)
{
	if (s->n * 2 >= s->size && s->n < ID_SET_MAX)
		grow(s);
	int64_t *slot = slot_of(s, id);
	if (*slot)
		return false;
	if (s->n < ID_SET_MAX) {
		*slot = id;
		s->n++;
	}
	return true;
}

void id_set_free(struct id_set *s)
{
	free(s->slots);
	*s = (struct id_set){ 0 };
}
