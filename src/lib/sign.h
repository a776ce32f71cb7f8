/*
 * Webhook signatures, as the Standard Webhooks specification 1.0
 * has them: HMAC-SHA-256 over "<id>.<timestamp>.<body>".
 */
#ifndef SIGN_H
#define SIGN_H

#include <stdint.h>

#include "lib/arena.h"
#include "lib/str.h"

/*
 * The value of the header webhook-signature: "v1," and the signature in base64.
 * A secret "whsec_" and base64 is the key in base64, any other is the key as it
 * stands. The timestamp is in seconds since 1970.
 */
struct str sign_webhook(
	struct arena *a, struct str secret, struct str id, int64_t timestamp, struct str body);

#endif
