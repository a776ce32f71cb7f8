/*
 * Password login: the only place where passwords and codes of second factors are checked, and
 * where wrong ones are counted together, by person and network (domain/throttle.h), so that nobody
 * is locked out by others' guesses.
 */
#ifndef SIGN_IN_H
#define SIGN_IN_H

#include "http/req.h"

/* What somebody says to be let in. */
struct sign_in_proof {
	struct str login; /* address or user name; absent: `person` says who it is */
	int64_t person;
	struct str password;
	bool lets_in; /* it begins a session, or shows the token: refused where passwords are off */
	bool asks_code;  /* who has a second factor must also send … */
	struct str code; /* … one of its codes, or a recovery code; absent: none was sent */
};

struct sign_in {
	int64_t person;
	bool has_token;
	bool must_enrol;            /* a second factor is required of the person, who has none */
	struct req_session session; /* what one that begins with it reaches */
};

/*
 * Checks the password and, if asked to, the code, which is used up by that.
 * RC_INVALID_AUTHENTICATION, just as slowly if the name is unknown; RC_TOO_MANY_REQUESTS; both
 * write a log line, for tools that count attempts, without what was typed.
 * RC_SECOND_FACTOR_REQUIRED: the password is right, and the code is absent. Ends the open
 * transaction.
 */
enum rc sign_in(struct req *r, const struct sign_in_proof *proof, struct sign_in *found) MUST_CHECK;

/*
 * The same for the caller, who gives `password` once more in the body and, with a second factor, `code`. `lets_in`: it is
 * for another way to sign in.
 */
enum rc sign_in_again(struct req *r, bool lets_in) MUST_CHECK;

/* Why no other one is set up. */
#define SIGN_IN_FACTOR_IS_ON                                                                       \
	"Your second factor is already on: turn it off before you set up another one."

/* An enrolment that waits for its first code. */
struct sign_in_enrolment {
	struct str secret, sealed; /* of the second factor, and as it is stored */
	int64_t step;              /* that of the code */
};

/*
 * Checks the first code of the caller's enrolment, as sign_in checks others: it remains to be
 * stored. RC_INVALID_PARAMETER: there is none that waits.
 */
enum rc sign_in_enrol(struct req *r, struct str code, struct sign_in_enrolment *found) MUST_CHECK;

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
