/*
 * Token scopes. A session, a name with its password and the token of GET /me may do everything
 * that their person may. A named token reads, or reads and writes; it may be one of some projects;
 * and it never manages credentials (contract 1.17).
 */
#ifndef SCOPE_H
#define SCOPE_H

#include "http/req.h"
#include "http/route.h"

/* What a route asks of a token: its row says so, or it follows from the method. */
enum scope scope_of(const struct route *route);

/* Its word, for the descriptions of routes. */
const char *scope_word(enum scope scope);

/* The places that the caller's token or session reaches (db/db.h); null: all of its person's. */
struct db_param scope_reach(const struct req *r);

/*
 * From the row of a session, or of who signs in: `reach` of all `places`, null for all. What is not reached is withheld
 * until its person has a second factor (contract 1.1).
 */
struct req_session scope_of_session(struct arena *a, const struct rows *rows);

/* Whether a place is withheld from the session. */
bool scope_withholds(const struct req *r, int64_t place);

/* Sets r->named from the row of a statement that reads api.caller; by others it is none. */
void scope_take_token(struct req *r, const struct rows *rows);

/* RC_INSUFFICIENT_SCOPE, with the reason, if r->named is not for r->route. */
enum rc scope_check(struct req *r) MUST_CHECK;

/* Notes that the token was used, at most once an hour: after the answer, so that nobody waits. */
void scope_note_use(struct req *r);

#endif
