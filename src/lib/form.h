/*
 * Form decoder: a body of type application/x-www-form-urlencoded as the object that a JSON
 * body would give: "ids[]=1&ids[]=2" is {"ids":["1","2"]}. A form has no types: its
 * values are texts. A name without brackets may stand once.
 */
#ifndef FORM_H
#define FORM_H

#include "lib/body.h"

/* Null on failure, and *problem is one short phrase; as body_parse. */
struct body *form_parse(struct arena *a, struct str text, const char **problem);

#endif
