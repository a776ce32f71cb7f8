/*
 * Cookies of this server: for scripts invisible, for its own host alone, and over TLS with a name
 * that browsers accept from nobody else (RFC 6265bis, the prefix __Host-).
 */
#ifndef COOKIE_H
#define COOKIE_H

#include "http/req.h"

/* Whether browsers come by TLS. */
bool cookie_is_secure(const struct conf *conf);

/* The value that the request brings; absent: none. Of several it is the first. */
struct str cookie_find(const struct req *r, enum req_cookie which);

/* The answer sets it, for so many seconds; 0 takes it back. */
void cookie_set(struct req *r, enum req_cookie which, struct str value, int64_t seconds);

#endif
