/*
 * Browser sessions: a cookie stands for a person as a token does, but only for pages of
 * this server (contract 1.1). It is good for 30 days behind its last use, and for 90 in all.
 */
#ifndef SESSION_H
#define SESSION_H

#include "http/req.h"

/*
 * Sets r->login_id and r->session_id when the request brings a cookie, no name with a password,
 * and asks for what needs a person. RC_INVALID_PARAMETER: a token, or `_method`, is there, too;
 * RC_UNAUTHORIZED_OPERATION: another site's page may have sent it; RC_INVALID_AUTHENTICATION: it
 * is good no more.
 */
enum rc session_find(struct req *r) MUST_CHECK;

/* What stands for a person: the token, or the secret of the cookie; absent: neither came. */
struct str session_credential(const struct req *r);

/* Whether a request that browsers send without being asked by a script may be one of our pages'. */
bool session_is_from_here(const struct req *r);

/* Begins one of the person: the answer sets the cookie. Sets r->login_id and r->session_id. */
enum rc session_begin(struct req *r, int64_t person) MUST_CHECK;

/* The answer takes the cookie back, if the request brought one. */
void session_forget(struct req *r);

#endif
