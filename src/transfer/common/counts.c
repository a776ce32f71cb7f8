#include "transfer/common/counts.h"

#include <stdlib.h>
#include <sys/random.h>

#include "lib/log.h"

struct count {
	uint64_t key; /* 0: free */
	int64_t n;
};

/* Mixes 64 bits so that each of them depends on all (David Stafford's 13th variant). */
static uint64_t mix(uint64_t v)
{
	v = (v ^ v >> 30) * 0xbf58476d1ce4e5b9u;
	v = (v ^ v >> 27) * 0x94d049bb133111ebu;
	return v ^ v >> 31;
}

static uint64_t key_of(uint64_t seed, int64_t a, int64_t b, struct str s)
{
	uint64_t key = mix((uint64_t)a ^ seed);

	key = mix(key ^ (uint64_t)b);
	for (size_t i = 0; i < s.n; i++)
		key = mix(key ^ (unsigned char)s.p[i]);
	return key ? key : 1;
}

static struct count *find(struct count *slots, size_t room, uint64_t key)
{
	size_t i = key & (room - 1);

	while (slots[i].key && slots[i].key != key)
		i = (i + 1) & (room - 1);
	return &slots[i];
}

static void make_room(struct counts *c)
{
	const size_t room = c->room ? 2 * c->room : 256;
	struct count *slots = calloc(room, sizeof(*slots));

	if (!slots)
		log_die("out of memory: %zu counts", room);
	for (size_t i = 0; i < c->room; i++)
		if (c->slots[i].key)
			*find(slots, room, c->slots[i].key) = c->slots[i];
	free(c->slots);
	c->slots = slots;
	c->room = room;
}

int64_t counts_next(struct counts *c, int64_t a, int64_t b, struct str s)
{
	if (c->used == COUNTS_MAX)
		counts_free(c);
	if (!c->room && getrandom(&c->seed, sizeof(c->seed), 0) < 0)
		c->seed = 0x9e3779b97f4a7c15u;
	if (2 * c->used >= c->room)
		make_room(c);
	const uint64_t key = key_of(c->seed, a, b, s);
	struct count *count = find(c->slots, c->room, key);
	if (!count->key) {
		count->key = key;
		c->used++;
	}
	return ++count->n;
}

void counts_free(struct counts *c)
{
	free(c->slots);
	*c = (struct counts){ 0 };
}
