/*
 * Bodies of the retired versions as those of version 5: elements by the tables of old_kind.h.
 * Values stay texts where version 5 takes the texts of a form.
 */
#ifndef OLD_WISH_H
#define OLD_WISH_H

#include "lib/arena.h"
#include "lib/body.h"
#include "old/old_kind.h"

enum { OLD_NAMES_MAX = 2 };

struct old_wish {
	struct arena *arena;
	enum old_version version;
	struct body *body; /* version 5's */
	/* People by name, whose ids are to be put into the body. */
	struct old_wish_name {
		const char *name, *writes; /* the element, and version 5's member */
		struct str person;
	} names[OLD_NAMES_MAX];
	int n_names;
	const char *problem; /* a sentence; null: all is well */
	struct str unknown;  /* no such element; absent: all are known */
};

/*
 * Adds what `given`, the content of a kind's element, says to w->body. What stands there already
 * stays.
 */
void old_wish_read(struct old_wish *w, const struct old_kind *kind, const struct body *given);

#endif
