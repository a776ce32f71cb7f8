/*
 * Addresses that are a right in themselves: whoever has one may read what it names until it
 * expires. The query of such a GET, as AWS Signature Version 4 has it; only the host is signed
 * along.
 */
#ifndef PRESIGN_H
#define PRESIGN_H

#include <stdint.h>

#include "lib/arena.h"
#include "lib/str.h"

struct presign_key {
	struct str access, secret, region;
};

/*
 * "X-Amz-Algorithm=…&X-Amz-Signature=…" for a path, which begins with a slash and is encoded
 * already, at a host as the header Host names it. The time is in seconds since 1970.
 */
struct str presign_query(struct arena *a, const struct presign_key *key, struct str host,
	struct str path, int64_t time_s, int valid_s);

#endif
