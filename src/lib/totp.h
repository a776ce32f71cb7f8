/*
 * One-time codes of a shared secret and the time (TOTP, RFC 6238), with the values that every
 * authenticator takes: HMAC-SHA-1, steps of 30 seconds, 6 digits. Also the address by which an
 * authenticator takes the secret from a QR code.
 */
#ifndef TOTP_H
#define TOTP_H

#include <stdint.h>

#include "lib/arena.h"
#include "lib/str.h"

enum { TOTP_STEP_SECONDS = 30, TOTP_DIGITS = 6, TOTP_SECRET_SIZE = 20 };

/* The code of a step, as many digits as asked for (at most 8). */
struct str totp_code(struct arena *a, struct str secret, int64_t step, int digits);

/* No step has this code. */
enum { TOTP_NONE = -1 };

/*
 * The step whose code this is: the one of the time (seconds since 1970), or the one before or after
 * it, if it is later than the last one accepted. All comparisons take the same time.
 */
int64_t totp_find(struct arena *a, struct str secret, struct str code, int64_t time, int64_t last);

/* Base32 (RFC 4648) without padding, as programs show and take secrets. */
struct str totp_base32(struct arena *a, struct str bytes);

/* "otpauth://totp/ISSUER:NAME?secret=…&issuer=ISSUER" of the secret in base32. */
struct str totp_uri(struct arena *a, struct str issuer, struct str name, struct str base32);

#endif
