/*
 * Basic authentication, which only GET /me takes (service-api.md,
 * Authentication 3): finds the person, checks the password, makes a token if
 * there is none.
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

#endif
