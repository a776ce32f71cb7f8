/*
 * Schemas of the OpenAPI document (JSON Schema, draft 2020-12), generated from the field rows:
 * what an answer may contain with any `fields` and either `date_format`, and what a body may
 * contain.
 */
#ifndef OPENAPI_SCHEMA_H
#define OPENAPI_SCHEMA_H

#include "api/reference.h"

/* An object that refers to a resource's schema. */
void openapi_put_ref(const struct reference *names, struct json *j, const struct resource *r);

/* A member for each resource. */
void openapi_put_answers(const struct reference *names, struct json *j);

/* The schema of a body of the route. */
void openapi_put_body(struct json *j, const struct route *x);

/* One field of a body, as a member of `properties`; `flag`: F_CREATE or F_UPDATE. */
void openapi_put_field(struct json *j, const struct field *f, unsigned flag);

/* The schema of a parameter in a query, or of each value of a list. */
void openapi_put_param(struct json *j, const struct param *p, bool is_list);

#endif
