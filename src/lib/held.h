/*
 * Memory limit of a request, counted as data arrives: rows, what is made from them, and the text
 * of the answer share one limit.
 */
#ifndef HELD_H
#define HELD_H

#include <stdbool.h>
#include <stddef.h>

enum { HELD_PARTS = 3 };

struct held {
	size_t most;
	const size_t *parts[HELD_PARTS];
};

/* Whether it is more than it may be. */
static inline bool held_is_too_much(const struct held *h)
{
	size_t sum = 0;
	for (int i = 0; i < HELD_PARTS; i++)
		sum += h->parts[i] ? *h->parts[i] : 0;
	return sum > h->most;
}

#endif
