/* Field sets: a set of fields of one resource, by the index of their rows in its table. */
#ifndef FIELDSET_H
#define FIELDSET_H

#include <stdbool.h>
#include <stdint.h>

#include "model/resource.h"

struct fieldset {
	uint64_t words[FIELDS_MAX / 64];
};

static inline void fieldset_add(struct fieldset *s, int field)
{
	s->words[field / 64] |= UINT64_C(1) << field % 64;
}

static inline void fieldset_drop(struct fieldset *s, int field)
{
	s->words[field / 64] &= ~(UINT64_C(1) << field % 64);
}

static inline bool fieldset_has(const struct fieldset *s, int field)
{
	return s->words[field / 64] >> field % 64 & 1;
}

/* The next member after a field (-1: the first one); returns -1 if there is none. */
static inline int fieldset_next(const struct fieldset *s, int field)
{
	for (int i = field + 1; i < FIELDS_MAX; i = (i / 64 + 1) * 64) {
		uint64_t rest = s->words[i / 64] >> i % 64;
		if (rest)
			return i + __builtin_ctzll(rest);
	}
	return -1;
}

#endif
