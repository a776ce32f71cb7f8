/*
 * The OpenAPI document (3.1), generated from the tables of routes and resources: GET
 * /openapi.json.
 */
#ifndef OPENAPI_H
#define OPENAPI_H

#include "lib/buf.h"

void openapi_write(struct buf *out);

#endif
