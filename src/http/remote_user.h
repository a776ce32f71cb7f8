/*
 * Sign-in by the web server (contract 1.19): the FastCGI parameter REMOTE_USER, which no client
 * can set with a header, where the setting trust_remote_user is on. It starts a session, as a
 * password does.
 */
#ifndef REMOTE_USER_H
#define REMOTE_USER_H

#include "http/req.h"

enum remote_user {
	REMOTE_USER_FOUND,
	REMOTE_USER_UNKNOWN,  /* nobody here has that address or user name */
	REMOTE_USER_DISABLED, /* the person who has it may not sign in */
	REMOTE_USER_CLAIMED,  /* nobody has confirmed that it is that of the person who has it */
};

/*
 * Begins a session of the person with the address or else the user name of r->remote_user, in any case; a question of
 * the web server (r->is_question) just learns who it is. *found: a refusal is in the logs by then.
 */
enum rc remote_user_sign_in(struct req *r, enum remote_user *found) MUST_CHECK;

/* The same for a request of another row: a refusal is the request's. */
enum rc remote_user_pass(struct req *r) MUST_CHECK;

#endif
