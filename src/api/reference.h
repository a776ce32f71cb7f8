/*
 * API reference: what its pages and the OpenAPI document say about a route beyond its row: who
 * may call it, what it takes and returns, and an example.
 */
#ifndef REFERENCE_H
#define REFERENCE_H

#include "http/route.h"

enum reference_answer {
	REFERENCE_NOTHING, /* 204 */
	REFERENCE_ONE,     /* an object of the row's resource */
	REFERENCE_LIST,    /* an array of them */
	REFERENCE_MEDIA,   /* the row's media */
	REFERENCE_ANY,     /* JSON of no resource */
};
enum reference_answer reference_answer(const struct route *x);

/* Whether answers may have the field; bodies have their flags. */
bool reference_is_answered(const struct field *f);

/* What a body may contain: fields with the flag, or all of them for 0. Null: there is no body. */
const struct resource *reference_body(const struct route *x, unsigned *flag);

/* "owners of the project": completes a sentence that begins with "For". */
const char *reference_who(enum need need);

/* Which named tokens it takes: a sentence, or nothing. */
const char *reference_scope(const struct route *x);

enum { REFERENCE_RESOURCES_MAX = 200 };

/* The resources that answers hold, each with a name of its own: its kind, or, where another
   has that, behind the kind of the resource that holds it. */
struct reference {
	struct arena arena;
	struct reference_resource {
		const struct resource *of;
		const char *name;
	} list[REFERENCE_RESOURCES_MAX];
	int n;
};
/* Ends the program if a route, a parameter or a field has no description, and names it. */
void reference_collect(struct reference *f);
void reference_free(struct reference *f);
const char *reference_name(const struct reference *f, const struct resource *r);

/* The word of a field's or parameter's type, for people. */
const char *reference_type(enum field_type type);

/* The part of paths that is a name and no number, and the one that examples have for it. */
#define REFERENCE_WORD "provider"
#define REFERENCE_NAME "acme"

/*
 * An example id for the part of a path that begins after the colon: made up, the same everywhere.
 */
int64_t reference_id(const char *path, const char *part);

/*
 * A curl command line for the shell, in which $API is the address of the API, $HOST that of the
 * server, and $TOKEN somebody's token. The row's .example is the query, from a question mark to a
 * space, followed by the body as JSON, or by arguments of curl's -F.
 */
void reference_put_example(struct buf *out, const struct route *x);

#endif
