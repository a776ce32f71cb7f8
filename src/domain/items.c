#include "domain/items.h"

#include <ctype.h>

struct items items_of(
	struct arena *a, const char *list, const char *noun, const struct objects *known)
{
	return (struct items){ list, noun, objects_sorted(a, *known),
		arena_array(a, known->n, sizeof(bool)) };
}

static enum rc refuse(struct outcome *out, const struct items *items, int64_t id, const char *why)
{
	return outcome_refuse_field(out, items->list, "%c%s with id=%lld %s",
		toupper((unsigned char)items->noun[0]), items->noun + 1, (long long)id, why);
}

enum rc items_find(struct outcome *out, struct items *items, int64_t id, size_t *at)
{
	*at = objects_place(&items->known, id);
	if (*at == items->known.n)
		return refuse(out, items, id, "does not exist within this story");
	if (items->named[*at])
		return refuse(out, items, id, "is given twice");
	items->named[*at] = true;
	return RC_OK;
}
