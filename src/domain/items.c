#include "domain/items.h"

struct items items_of(
	struct arena *a, const char *list, const char *noun, const struct objects *known)
{
	return (struct items){ list, noun, objects_sorted(a, *known),
		arena_array(a, known->n, sizeof(bool)) };
}

enum rc items_find(struct outcome *out, struct items *items, int64_t id, size_t *at)
{
	*at = objects_place(&items->known, id);
	if (*at == items->known.n)
		return outcome_refuse_field(out, items->list,
			"%s with id=%lld does not exist within this story", items->noun,
			(long long)id);
	if (items->named[*at])
		return outcome_refuse_field(out, items->list, "%s with id=%lld is given twice",
			items->noun, (long long)id);
	items->named[*at] = true;
	return RC_OK;
}
