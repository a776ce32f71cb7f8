/*
 * Bracketed parameters: a[b]=x of a query or a form as {"a":{"b":"x"}}. Values are
 * texts.
 */
#ifndef BRACKETS_H
#define BRACKETS_H

#include "lib/body.h"
#include "lib/uri.h"

/*
 * The parameters as an object; those without brackets are members of its own. At most 4 names in a
 * row. Null on failure, and *problem is one short phrase, as of body_parse: a name stands twice, as a
 * value and as an object, or its brackets do not fit.
 */
struct body *brackets_read(struct arena *a, const struct uri_param *params, const char **problem);

#endif
