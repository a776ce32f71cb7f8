/*
 * Rows of fields that cannot mean what they say. They are found when a program starts (route_check),
 * and so by the build, which starts one.
 */
#ifndef FIELD_FAULT_H
#define FIELD_FAULT_H

#include "model/resource.h"

/* What is wrong with a field of a resource that a request writes, after "the field … of …"; null: nothing. */
const char *field_fault(const struct resource *of, const struct field *f);

#endif
