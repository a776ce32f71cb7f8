/*
 * Credentials of a request, checked before anything else: basic authentication, which only GET
 * /me accepts (contract 1.1), and whether a body is worth parsing.
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
 * Whether the body comes from a known person: parsing a body takes many times its memory. Without
 * credentials, every write is refused with the gate's answer. If the body is large, the token is
 * looked up first, in a separate round trip; for a small body, the gate is soon enough.
 * RC_INVALID_AUTHENTICATION: unknown token; RC_INSUFFICIENT_SCOPE: it is not one for this.
 */
enum rc auth_before_body(struct req *r) MUST_CHECK;

/*
 * How the request is refused: RC_UNAUTHENTICATED in place of `rc` if it brought no valid token, and its
 * row's clients ask for one when they are told so by status (R_RPC). The error then says where tokens
 * are made.
 */
enum rc auth_ask(struct req *r, enum rc rc) MUST_CHECK;

#endif
