/*
 * Limits of a request: what a single one may take of time (request_timeout_ms), memory
 * (max_rows_mib), and a share of the workers, which is its person's, whatever credential came with
 * it (ledger.h). All but the beginning is looked at while the database is waited for (struct
 * db_guard).
 */
#ifndef GUARD_H
#define GUARD_H

#include "http/req.h"
#include "service/ledger.h"

/* Takes part in the ledger of this installation: one secret, one database, one user of the host. */
void guard_join(struct ledger *ledger, const struct crypt *crypt, const struct conf *conf,
	struct arena *arena, enum ledger_part part);

/* A number for who asks, as far as that is known: a person, a credential, or an address; never 0. */
uint64_t guard_who(const struct req *r);

/*
 * Begins when the route is known; `credential` is what session_credential says, `peer` the
 * connection to the web server. RC_TOO_MANY_REQUESTS: it would take others' workers.
 */
enum rc guard_begin(
	struct req *r, struct ledger *ledger, struct str credential, int peer) MUST_CHECK;

/* Who asks has become known, or that the credential is nobody's: by r->person_id and login_id. */
void guard_know(struct req *r);

/* Ends it, behind db_end; also what never began. */
void guard_end(struct req *r, struct ledger *ledger);

/* Whether all that is left of the request is void, and not only what was asked for last. */
bool guard_is_over(const struct req *r);

#endif
