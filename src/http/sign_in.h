/*
 * Password login: here alone one is compared, and here it counts how often it was wrong,
 * by person and network (domain/throttle.h): nobody is shut out by others' guesses.
 */
#ifndef SIGN_IN_H
#define SIGN_IN_H

#include "http/req.h"

struct sign_in {
	int64_t person;
	bool has_token;
};

/*
 * Compares a password with that of an address or user name, or, when login is absent, with that
 * of a person. RC_INVALID_AUTHENTICATION, as slowly when nobody is called so;
 * RC_TOO_MANY_REQUESTS; both leave a line in the log, for those who count attempts; what was typed is not in it. Ends the transaction that is open.
 */
enum rc sign_in(struct req *r, struct str login, int64_t person, struct str password,
	struct sign_in *found) MUST_CHECK;

/* The same place next time is a known one: for who came by a link. Likewise. */
enum rc sign_in_note(struct req *r, int64_t person) MUST_CHECK;

/* Notes that the caller was here, for the first time: from then on mail is for this person. */
void sign_in_meet(struct req *r);

/* One statement, which is a transaction, or ends the one that is open. */
enum rc sign_in_ask(struct req *r, enum stmt stmt, int n, const struct db_param *params,
	struct rows **rows) MUST_CHECK;

/* The network that a request comes from. */
struct str sign_in_network(const struct req *r);

/* The digest of a login or address under the secret, whatever its capitals. */
struct str sign_in_digest(const struct req *r, struct str login);

/* Why the name and password of a request are none. */
enum rc sign_in_refuse(struct req *r);

#endif
