/* A set of people's names in a file, to recognise them in texts. */
#ifndef NAME_SET_H
#define NAME_SET_H

#include "lib/arena.h"
#include "lib/str.h"

/* More are forgotten, so that memory is bounded: names of so many bytes, and so many of them. */
enum { NAME_SET_BYTES = 400, NAME_SET_MAX = 100000 };

struct name_set {
	struct arena *arena;
	void *root;
	int n;
};

void name_set_init(struct name_set *s, struct arena *a);
void name_set_free(struct name_set *s);

/* Without blanks at its ends; nothing happens when nothing is left. */
void name_set_add(struct name_set *s, struct str name);
bool name_set_has(const struct name_set *s, struct str name);

#endif
