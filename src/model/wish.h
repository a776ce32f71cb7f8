/*
 * Wishes: what a parsed body asks for, as a struct of the resource (object.h) and the set of
 * fields that it names; null and absent differ. The body has already been checked.
 */
#ifndef WISH_H
#define WISH_H

#include "lib/body.h"
#include "model/object.h"

struct wish {
	const struct resource *of;
	void *object;               /* values of the requested fields; all others are null */
	const struct field **asked; /* in the order of the body */
	size_t n;
	size_t members; /* of the body, including those that were only checked */
	int64_t unit; /* of the times in the body, in microseconds: wish_apply(); 0: there are none */
};

/* What an object of a body asks of a resource; flag: F_CREATE or F_UPDATE. */
struct wish *wish_read(
	struct arena *a, const struct resource *of, const struct body *object, unsigned flag);

/* The wish to delete one, which asks of no field. */
struct wish *wish_none(struct arena *a, const struct resource *of);

/* A wish for all that is not null in an object of the resource. */
struct wish *wish_for(struct arena *a, const struct resource *of, void *object);

/* A wish for all that the first row of a statement has: what is null there is not asked for. */
struct wish *wish_of_row(
	struct arena *a, struct db *db, const struct resource *of, const struct rows *rows);

/* Whether the wish names the field whose value lies at that place of the struct. */
bool wish_asks_at(const struct wish *w, size_t at);
#define wish_asks(w, type, member) wish_asks_at((w), offsetof(struct type, member))

/* Whether it names no others than fields at these places. */
bool wish_asks_only(const struct wish *w, const size_t *places, size_t n);

/*
 * Copies the requested stored fields into an object of the resource. A time that differs only by what the answer to a
 * read leaves out, the fraction of its second or millisecond, stays as it is: a client that sends back what it read
 * changes nothing.
 */
void wish_apply(const struct wish *w, void *object);

#endif
