/*
 * JSON parser for request bodies: text into values of the arena. json-c parses; this module
 * refuses what json-c lets through: single quotes, a comma behind the last value, NaN and
 * Infinity, numbers beyond double, negative integers beyond 64 bits, duplicate keys, raw control
 * characters, malformed UTF-8, \u0000, lone surrogates, text behind the value, nesting above 32,
 * more than 50,000 values (counted before anything is made of them). Empty text is a failure too:
 * what an empty body means is the caller's business.
 */
#ifndef BODY_H
#define BODY_H

#include "lib/arena.h"
#include "lib/str.h"

enum body_type { BODY_NULL, BODY_BOOL, BODY_INT, BODY_FLOAT, BODY_TEXT, BODY_ARRAY, BODY_OBJECT };

struct body {
	enum body_type type;
	union {
		bool boolean;
		int64_t integer; /* BODY_INT: no fraction, no exponent in the text */
		double number; /* BODY_FLOAT; also of a positive integer beyond 64 bits, 2^63 or more */
		struct str text; /* NUL ended, the NUL not counted; holds no U+0000 */
		struct {         /* BODY_ARRAY, BODY_OBJECT: children in order */
			struct body *first;
			size_t count;
		};
	};
	struct str key;    /* this value's key, when its parent is an object */
	struct body *next; /* next child of the same parent */
};

/*
 * Parses text. Null on failure, and *problem is one short phrase that says what
 * is wrong and at which byte, counted from 1 ("a control character in a string
 * at byte 17"); else *problem is null.
 */
struct body *body_parse(struct arena *a, struct str text, const char **problem);

/* The same for text that this program wrote: any number of values; null if it is no JSON. */
struct body *body_parse_own(struct arena *a, struct str text);

/* Member of an object by name; null if absent or if it is no object. */
struct body *body_get(const struct body *object, const char *name);

/* The same if it is a text; absent if it is anything else. */
struct str body_string(const struct body *object, const char *name);

/* Writes the value as compact JSON (for jsonb parameters); NUL ended, the NUL not counted. */
struct str body_text(struct arena *a, const struct body *value);

/* Builds values, for query parameters that replace a body. */
struct body *body_new_object(struct arena *a);
struct body *body_new_array(struct arena *a);
struct body *body_new_text(struct arena *a, struct str s);
struct body *body_new_int(struct arena *a, int64_t v);
struct body *body_new_bool(struct arena *a, bool v);
/* Appends to an object (key) or array (key absent); the key's bytes are not copied. */
void body_append(struct body *parent, struct str key, struct body *child);
/* Takes a member out of an object. */
void body_remove(struct body *object, const struct body *member);

#endif
