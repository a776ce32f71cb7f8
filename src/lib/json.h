/*
 * Streaming JSON writer (RFC 8259) into a buffer. Commas are put by the writer;
 * nesting is the caller's duty and is checked by assert. Text must be
 * well-formed UTF-8; `/` is not escaped, control characters are \u00XX or the
 * short forms.
 */
#ifndef JSON_H
#define JSON_H

#include <stdbool.h>
#include <stdint.h>

#include "lib/buf.h"
#include "lib/held.h"

struct json {
	struct buf *out;
	bool comma; /* an element stands before the next one */
	int depth;
	size_t limit;            /* 0: none */
	const struct held *held; /* with what else the text shares a limit; null: with nothing */
};

/* Whether more was written than the limits allow: the text is then useless. */
bool json_is_full(const struct json *j);

void json_init(struct json *j, struct buf *out);

void json_object(struct json *j);
void json_object_end(struct json *j);
void json_array(struct json *j);
void json_array_end(struct json *j);

/* The key of the next value; a name that needs no escaping. */
void json_key(struct json *j, const char *name);
/* The same for any text. */
void json_key_str(struct json *j, struct str name);

/* The absent string is written as null. */
void json_str(struct json *j, struct str s);
void json_z(struct json *j, const char *z);
void json_int(struct json *j, int64_t v);
void json_bool(struct json *j, bool v);
void json_null(struct json *j);

/*
 * Integral values below 1e15 without a fraction ("1"); others in the shortest
 * form that reads back alike. NaN and infinities, which JSON lacks, become null.
 */
void json_float(struct json *j, double v);
/* The same, but integral values with one decimal ("9.0"). */
void json_float_dot(struct json *j, double v);

/* A key and its value. */
void json_put_z(struct json *j, const char *name, const char *z);
void json_put_int(struct json *j, const char *name, int64_t v);
void json_put_bool(struct json *j, const char *name, bool v);
void json_put_object(struct json *j, const char *name); /* to be ended */
void json_put_array(struct json *j, const char *name);  /* to be ended */

/* Text that is a JSON value already. */
void json_raw(struct json *j, struct str value);

/*
 * The next object of a list of objects that this writer wrote, from *at on, which is then behind it. False:
 * there is none.
 */
bool json_next(struct str list, size_t *at, struct str *object);

#endif
