/* A map from ids in a file to what they stand for: filled first, then queried. */
#ifndef ID_MAP_H
#define ID_MAP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct id_pair {
	int64_t id, value;
	size_t nth;
};

/* All zero before the first use. */
struct id_map {
	struct id_pair *pairs;
	size_t n, room;
	bool is_sorted;
};

void id_map_add(struct id_map *m, int64_t id, int64_t value);
/* The value of the id that was added last; null: none. It may be changed. */
int64_t *id_map_find(struct id_map *m, int64_t id);
void id_map_free(struct id_map *m);

#endif
