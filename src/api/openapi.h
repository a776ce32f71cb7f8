/*
 * GET /openapi.json: the interface as an OpenAPI document (3.1), made of the tables of routes
 * and resources.
 */
#ifndef OPENAPI_H
#define OPENAPI_H

#include "lib/buf.h"

void openapi_write(struct buf *out);

#endif
