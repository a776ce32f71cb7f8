/*
 * Existence checks for reads: an object of the path that the gate does not check, and a cursor in
 * the query, must exist. A separate statement in front of the read looks each one up, and this
 * file decides: inside a condition, it would depend on the query plan whether a refusal is
 * raised.
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
