/*
 * Passkeys of people (contract 1.21): what a browser says of one is the same when it is added
 * (passkey.c) and when it signs in (passkey_sign_in.c).
 */
#ifndef PASSKEY_H
#define PASSKEY_H

#include "http/route.h"
#include "lib/webauthn.h"

enum { PASSKEY_TEXT_MAX = 4096 };

/* The bytes of a text in base64url; RC_INVALID_PARAMETER. */
enum rc passkey_bytes(struct req *r, const char *name, struct str *to) MUST_CHECK;

/*
 * When the challenge that was signed was made, for this person or, if that is 0, for whoever it turns
 * out to be. *problem is null, or says what is wrong with it.
 */
void passkey_challenge(struct req *r, int64_t person, const char *type,
	const struct webauthn_said *said, int64_t *made_us, const char **problem);

#endif
