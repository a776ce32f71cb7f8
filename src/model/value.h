/* Value types: how values lie in objects in memory (object.h) and in wishes (wish.h). */
#ifndef VALUE_H
#define VALUE_H

#include <stddef.h>
#include <stdint.h>

#include "lib/str.h"

#define NIL INT64_MIN

enum { TALLY_MAX = 24 };

struct ids {
	const int64_t *v;
	size_t n;
};

struct strs {
	const struct str *v;
	size_t n;
};

/* Pointers to structs of one resource. */
struct objects {
	void **v;
	size_t n;
};

struct wish;

struct wishes {
	struct wish **v;
	size_t n;
};

/* An item of `labels`: by id, or by name (contract 2.7). */
struct label_ref {
	int64_t id;      /* NIL: by name */
	struct str name; /* absent with the id NIL: the item is not a label */
};

struct label_refs {
	const struct label_ref *v;
	size_t n;
};

#endif
