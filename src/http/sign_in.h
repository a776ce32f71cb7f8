/*
 * Password login: the only place where passwords are checked, and where wrong ones are counted by
 * person and network (domain/throttle.h), so that nobody is locked out by others' guesses.
 */
#ifndef SIGN_IN_H
#define SIGN_IN_H

#include "http/req.h"

struct sign_in {
	int64_t person;
	bool has_token;
};

/*
 * Checks the password of an address or user name or, if login is absent, of a person.
 * RC_INVALID_AUTHENTICATION, just as slowly if the name is unknown; RC_TOO_MANY_REQUESTS; both
 * write a log line, for tools that count attempts, without what was typed. Ends the open
 * transaction.
 */
enum rc sign_in(struct req *r, struct str login, int64_t person, struct str password,
	struct sign_in *found) MUST_CHECK;

/*
 * Remembers this network as known, for people who came by a link. Also ends the open transaction.
 */
enum rc sign_in_note(struct req *r, int64_t person) MUST_CHECK;

/* Notes that the caller was here, for the first time: from then on mail is for this person. */
void sign_in_meet(struct req *r);

/* One statement, as a transaction or ending the open one. */
enum rc sign_in_ask(struct req *r, enum stmt stmt, int n, const struct db_param *params,
	struct rows **rows) MUST_CHECK;

/* The network that a request comes from. */
struct str sign_in_network(const struct req *r);

/* The keyed digest of a login or address, ignoring case. */
struct str sign_in_digest(const struct req *r, struct str login);

/* Why the name and password of a request are invalid. */
enum rc sign_in_refuse(struct req *r);

#endif
