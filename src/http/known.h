/*
 * What a read names must be there: an object of the path that the gate does not check, and a
 * cursor in the query. Each is looked up by a statement of its own in front of the read, and
 * decided here: inside of a condition a refusal would come or not as the plan pleases.
 */
#ifndef KNOWN_H
#define KNOWN_H

#include "http/route.h"

/* Queues what route->known and the `known` of the parameters given have to look up. */
void known_send(struct req *r);

/*
 * Takes the answers. Route: no row is a 404, `allowed` false a 403. Parameter: no row is a
 * 400 that names it.
 */
enum rc known_take(struct req *r) MUST_CHECK;

#endif
