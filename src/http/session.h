/*
 * Browser sessions: a cookie identifies a person as a token does, but only for pages of this
 * server (contract 1.1). It is valid for 30 days after its last use, and for session_max_hours in
 * total, 90 days if that is not set.
 */
#ifndef SESSION_H
#define SESSION_H

#include "http/req.h"

/*
 * Sets r->login_id and r->session_id if the request has a cookie, or else a REMOTE_USER that counts
 * (remote_user.h), no name with a password, and needs a person. RC_INVALID_PARAMETER: there is also a token, or `_method`;
 * RC_UNAUTHORIZED_OPERATION: another site's page may have sent it; RC_INVALID_AUTHENTICATION: the
 * session has ended; RC_ENROLMENT_REQUIRED: it began with a password, its person has no second factor
 * where one is required, and the row is not one that leads to it (R_ENROLS).
 */
enum rc session_find(struct req *r) MUST_CHECK;

/*
 * What identifies the person: the token, or the secret of the cookie; absent: neither was sent.
 */
struct str session_credential(const struct req *r);

/*
 * Refuses to sign anybody in for a page of another site, which could sign its visitors in as somebody
 * else. What the request is refused for already comes first.
 */
enum rc session_may_begin(struct req *r) MUST_CHECK;

/* The answer takes the cookie back, if the request brought one. */
void session_forget(struct req *r);

#endif
