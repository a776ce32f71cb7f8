#include "domain/throttle.h"

#include <stddef.h>

int64_t throttle_tries(const struct throttle *t)
{
	/* From this many other networks on, a new one has this many attempts. */
	static const struct {
		int64_t others, tries;
	} steps[] = { { 30, 1 }, { 10, 2 }, { 3, 5 } };

	if (t->is_known)
		return THROTTLE_KNOWN;
	for (size_t i = 0; i < sizeof steps / sizeof *steps; i++)
		if (t->others >= steps[i].others)
			return steps[i].tries;
	return THROTTLE_NEW;
}

bool throttle_lets(const struct throttle *t)
{
	return t->here + t->pending < throttle_tries(t);
}

bool throttle_waits(const struct throttle *t)
{
	return !throttle_lets(t) && t->here < throttle_tries(t);
}

bool throttle_lets_code(const struct throttle *t)
{
	return t->is_known || t->codes < THROTTLE_CODES;
}

bool throttle_tells(const struct throttle *t)
{
	return t->others + 1 >= THROTTLE_MANY;
}
