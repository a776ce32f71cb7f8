/*
 * Request validation: checks a body by the table of the resource (unknown and missing
 * keys, types, words, lengths in characters; texts of contract 1.4) and makes
 * statement parameters from it.
 */
#ifndef BIND_H
#define BIND_H

#include "http/req.h"
#include "model/resource.h"

/*
 * Checks r->body as the body of a POST (flag F_CREATE) or PUT (F_UPDATE) and notes errors with
 * req_refuse. Values of F_QUERY fields in the query are first copied into the body. one_of: names
 * of which at least one must be given, "a, b"; null: none.
 */
void bind_check(struct req *r, const struct resource *resource, unsigned flag, const char *one_of);

/*
 * Removes the keys of an object that say nothing new: ids of the path, which must be equal to them; and in an update
 * with the id of what it changes, or in a body that takes an id, keys that answers have by default and writes do not. A
 * client may so send back what it read. flag: F_CREATE, F_UPDATE, or F_UPDATE | F_KEY for an item of a list.
 */
enum rc bind_leave_out(struct req *r, const struct resource *resource, struct body *object,
	unsigned flag) MUST_CHECK;

/* The field that a key writes; null: none. */
const struct field *bind_writable(const struct resource *resource, struct str key, unsigned flag);

/* One value as a parameter; null or absent: SQL NULL. */
struct db_param bind_param(struct arena *a, const struct field *f, const struct body *value);

/* Parameters for all fields with the flag, in table order; their number. */
int bind_params(struct req *r, const struct resource *resource, unsigned flag,
	struct db_param *params, int max);

/* Parses a query value as a type: returns what would be in a body. Null: it is invalid. */
struct body *bind_query_value(struct arena *a, enum field_type type, struct str text);

/* A number beyond 64 bits: as an id it is one that nothing has. */
bool bind_is_beyond(const struct body *v);

/* "a number value" …: the end of the sentence on a wrong type. */
const char *bind_type_name(enum field_type type);

#endif
