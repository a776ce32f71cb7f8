/* The retired versions in the OpenAPI document: their paths, and the schemas of their XML. */
#ifndef OPENAPI_OLD_H
#define OPENAPI_OLD_H

#include "lib/arena.h"
#include "lib/json.h"

/* A member of tags. */
void openapi_put_old_tag(struct json *j);

/* A member of paths for each: "/{version}/projects", below /services. */
void openapi_put_old_paths(struct arena *a, struct json *j);

/* A member of schemas for each kind. */
void openapi_put_old_schemas(struct arena *a, struct json *j);

#endif
