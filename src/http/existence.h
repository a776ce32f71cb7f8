/*
 * Existence checks for reads: an object of the path that the gate does not check, and a cursor in
 * the query, must be there. Each is looked up by a statement of its own in front of the read, and
 * decided here: inside of a condition a refusal would come or not as the plan pleases.
 */
#ifndef EXISTENCE_H
#define EXISTENCE_H

#include "http/route.h"

/* Queues what route->exists and the `exists` of the parameters given have to look up. */
void existence_send(struct req *r);

/*
 * Takes the answers. Route: no row is a 404, `allowed` false a 403. Parameter: no row is a
 * 400 that names it.
 */
enum rc existence_take(struct req *r) MUST_CHECK;

#endif
