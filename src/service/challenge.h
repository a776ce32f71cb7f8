/*
 * Challenges for passkeys, which sign them to prove that they are present: random bytes issued for
 * that person a few minutes ago. None of them is stored: each contains its time and is signed with
 * the secret. Accepting one records its time, and none that is not later is accepted
 * (sql/queries/passkey.sql), so that each is valid once.
 */
#ifndef CHALLENGE_H
#define CHALLENGE_H

#include "service/crypt.h"

enum { CHALLENGE_SECONDS = 300 };

/* Bytes, for a person, or 0 if the person is not known yet. Microseconds since 1970. */
struct str challenge_make(const struct crypt *c, struct arena *a, int64_t person, int64_t now_us);

/* When it was made; 0: it is none, another person's, or too old. */
int64_t challenge_read(const struct crypt *c, struct arena *a, int64_t person, int64_t now_us,
	struct str challenge);

#endif
