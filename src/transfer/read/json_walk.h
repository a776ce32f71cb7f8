/*
 * Walks through JSON of any size with bounded memory: texts of records are handed over one at
 * a time. The text is one value or several behind each other (JSON lines). Elements of arrays
 * are records, whatever the depth of arrays; an object is one, too. An object that is too large
 * to be one is gone into: the elements of its large arrays are records of their own, and what
 * is left of it comes after them.
 */
#ifndef JSON_WALK_H
#define JSON_WALK_H

#include "lib/arena.h"
#include "lib/body.h"
#include "transfer/common/intake.h"

enum {
	JSON_WALK_BYTES = 8 << 20, /* of one record */
	JSON_WALK_VALUES = 40000,  /* in one record, counted roughly */
};

/* Where a record stands: inside of large objects, the innermost first. */
struct json_place {
	const struct json_place *up; /* null: none */
	struct str member;           /* its key in … */
	const struct body *head;     /* … this object: what keeps() of it before that key … */
	const void *known;           /* … and what enter() made of it */
};

struct json_walk {
	struct intake *in;
	int file;
	const char *where; /* the file's name, for remarks */
	struct intake_bytes *bytes;

	/*
	 * A record: an object, parsed in the arena, which is emptied behind it. What it returns
	 * ends the walk unless it is RC_OK. `nuls`: how many U+0000 were taken out of it;
	 * `halves`: how many halves of surrogate pairs became U+FFFD.
	 */
	enum rc (*record)(struct json_walk *w, const struct json_place *place, int64_t line,
		const struct body *value);
	/*
	 * Of places: whether place.head has that member (null: it has none), which is asked of any
	 * number of them; and what holds for all records in a large member, in an arena that lives
	 * as long as the place.
	 */
	bool (*keeps)(struct str member);
	const void *(*enter)(
		struct json_walk *w, const struct json_place *place, struct arena *arena);
	void *arg;
	struct arena *arena;
	int64_t nuls, halves;
	bool refused; /* an INTAKE_ERROR was remarked */

	struct json_input *input; /* for json_walk.c alone */
};

/*
 * From the start of the bytes to their end, or until it is refused; RC_UNAVAILABLE if the intake
 * says that it must end.
 */
enum rc json_walk(struct json_walk *w) MUST_CHECK;

#endif
