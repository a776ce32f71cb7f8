/*
 * AWS Signature Version 4 of a GET that somebody else sends: in headers, which web servers do not
 * log. It is valid for some minutes, as long as the store tolerates clock skew.
 */
#ifndef SIGV4_H
#define SIGV4_H

#include <stdint.h>

#include "lib/arena.h"
#include "lib/str.h"

struct sigv4_key {
	struct str access, secret, region;
};

/*
 * The headers Authorization and X-Amz-Date. The sender of the request adds X-Amz-Content-SHA256, which
 * is SIGV4_NOTHING, and Host as it was given here. Nothing else is signed.
 */
struct sigv4 {
	struct str authorization, date;
};

/* The digest of no content. */
#define SIGV4_NOTHING "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"

/*
 * The target is as the request line has it: a path, which begins with a slash and is encoded already,
 * and perhaps a query, sorted and encoded. The time is in seconds since 1970.
 */
struct sigv4 sigv4_get(struct arena *a, const struct sigv4_key *key, struct str host,
	struct str target, int64_t time_s);

#endif
