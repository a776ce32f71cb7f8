/*
 * Machine-readable description of the program's tables: tests and reference pages are generated
 * from it.
 */
#ifndef DESCRIBE_H
#define DESCRIBE_H

#include "lib/buf.h"

/*
 * Writes one JSON object:
 *   routes      array, in table order: method, path, need, resource and body
 *               (indexes into resources), params, flags and the rest of the row
 *   resources   array: kind, and fields as rows of name, type, flags, limits,
 *               child (index)
 *   statements  object: name to SQL text
 * Words for types and flags are those of resource.h and route.h in lower case,
 * without their prefix. What a row does not have is left out.
 */
void describe_tables(struct buf *out);

/* Endpoints and resources as sections of a manual page, in mdoc(7). */
void describe_man(struct buf *out);

/* The same as a page of HTML, without scripts. */
void describe_html(struct buf *out);

#endif
