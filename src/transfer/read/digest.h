/* SHA-256 of bytes while they are read. */
#ifndef DIGEST_H
#define DIGEST_H

#include "transfer/common/intake.h"

enum { DIGEST_HEX = 64 };

struct digest {
	struct intake_bytes bytes; /* give the same as … */
	struct intake_bytes *from; /* … these */
	struct evp_md_ctx_st *context;
	int64_t size; /* so far */
};

/* From the start of the bytes. To be freed. */
void digest_init(struct digest *d, struct intake_bytes *from);
void digest_free(struct digest *d);

/*
 * Whether these were so many bytes with that sum, in hexadecimal; what was not read of them yet
 * is read.
 */
bool digest_is(struct digest *d, int64_t size, struct str hex);

#endif
