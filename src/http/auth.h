/*
 * Credentials of a request, before anything else of it is looked at: basic authentication,
 * which only GET /me takes (contract 1.1), and whether a body is
 * worth its parsing.
 */
#ifndef AUTH_H
#define AUTH_H

#include "http/req.h"

/*
 * Sets r->login_id when the route takes basic authentication and the request
 * brings it without a token. RC_INVALID_AUTHENTICATION: wrong login or password,
 * another route, or a cross-origin request.
 */
enum rc auth_login(struct req *r) MUST_CHECK;

/*
 * Whether somebody is known who could have sent the body: what is made of a body takes
 * many times its memory. Without credentials every write is refused, with what the
 * gate says. A token is looked up ahead, in a round trip of its own, when the body is large;
 * with a small one the gate is soon enough. RC_INVALID_AUTHENTICATION: nobody's token.
 */
enum rc auth_before_body(struct req *r) MUST_CHECK;

#endif
