/*
 * Limits of a request: how much time (request_timeout_ms), memory (max_rows_mib) and share of the
 * workers a request may take; the share belongs to its person, whatever credential was used
 * (ledger.h). Everything but the start is checked while waiting for the database (struct
 * db_guard).
 */
#ifndef GUARD_H
#define GUARD_H

#include "http/req.h"
#include "service/ledger.h"

/* Takes part in the ledger of this installation: one secret, one database, one user of the host. */
void guard_join(struct ledger *ledger, const struct crypt *crypt, const struct conf *conf,
	struct arena *arena, enum ledger_part part);

/* A number for the caller, as far as known: a person, a credential, or an address; never 0. */
uint64_t guard_who(const struct req *r);

/*
 * Begins once the route is known; `credential` comes from session_credential, `peer` is the
 * connection to the web server. RC_TOO_MANY_REQUESTS: it would take workers away from others.
 */
enum rc guard_begin(
	struct req *r, struct ledger *ledger, struct str credential, int peer) MUST_CHECK;

/* The same limits for another r->db of the request. */
void guard_database(struct req *r);

/* The caller has become known, or the credential as nobody's: by r->person_id and login_id. */
void guard_know(struct req *r);

/* Ends it, after db_end; does no harm if it never began. */
void guard_end(struct req *r, struct ledger *ledger);

/* Whether the whole rest of the request is void, not only the last query. */
bool guard_is_over(const struct req *r);

#endif
