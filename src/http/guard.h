/*
 * What a single request may take: time (request_timeout_ms), memory for rows (max_rows_mib),
 * and, when it is slow, a share of the workers (slots.h). Each is looked at while the
 * database is waited for (struct db_guard).
 */
#ifndef GUARD_H
#define GUARD_H

#include "http/req.h"
#include "lib/slots.h"

/* A number for who asks: a token, a login, or an address; never 0. */
uint64_t guard_who(const struct req *r);

/* Begins when the route is known; `peer` is the connection to the web server. */
void guard_begin(struct req *r, struct slots *slots, int peer);

/* Ends it, behind db_end; also what never began. */
void guard_end(struct req *r, struct slots *slots);

/* Whether all that is left of the request is void, and not only what was asked for last. */
bool guard_is_over(const struct req *r);

#endif
