/* A set of the ids seen in a file, to detect duplicate rows. */
#ifndef ID_SET_H
#define ID_SET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* No more are kept, so that memory is bounded. */
enum { ID_SET_MAX = 2000000 };

/* All zero before the first use. */
struct id_set {
	int64_t *slots; /* 0: free */
	size_t size, n;
	uint64_t key; /* of the places, so that no file can choose ids for one place */
};

/* False: it is there already. An id is not 0. */
bool id_set_add(struct id_set *s, int64_t id);
void id_set_free(struct id_set *s);

#endif
