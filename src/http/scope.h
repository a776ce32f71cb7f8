/*
 * What a token may be used for. A session, a name with its password and the token of GET /me may do
 * everything that their person may. A named token reads, or reads and writes; it may be one of some
 * projects; and it never manages credentials (contract 1.17).
 */
#ifndef SCOPE_H
#define SCOPE_H

#include "http/req.h"
#include "http/route.h"

/* What a route asks of a token: its row says so, or it follows from the method. */
enum scope scope_of(const struct route *route);

/* Its word, for the descriptions of routes. */
const char *scope_word(enum scope scope);

/* Sets r->named from the row of a statement that reads api.caller; by others it is none. */
void scope_take_token(struct req *r, const struct rows *rows);

/* RC_INSUFFICIENT_SCOPE, with the reason, if r->named is not for r->route. */
enum rc scope_check(struct req *r) MUST_CHECK;

/* Notes that the token was used, at most once an hour: after the answer, so that nobody waits. */
void scope_note_use(struct req *r);

#endif
