/*
 * Cookies of this server: scripts cannot read them, browsers send them to this host only, and over
 * TLS their name has the prefix __Host- (RFC 6265bis), so no other host can set them.
 */
#ifndef COOKIE_H
#define COOKIE_H

#include "http/req.h"

/* Whether browsers connect over TLS. */
bool cookie_is_secure(const struct conf *conf);

/* The value in the request; absent: none. If there are several, the first. */
struct str cookie_find(const struct req *r, enum req_cookie which);

/* The answer sets it, for this many seconds; 0 deletes it. */
void cookie_set(struct req *r, enum req_cookie which, struct str value, int64_t seconds);

#endif
