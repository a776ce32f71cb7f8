/*
 * Keys of a provider (RFC 7517), and the signatures that they check: RS256 with keys of 2048 to 8192
 * bits, ES256, and EdDSA with Ed25519 (RFC 7518, 8037), by OpenSSL. There is no other algorithm: not
 * `none`, and none with a shared secret.
 */
#ifndef JWK_H
#define JWK_H

#include "lib/arena.h"
#include "lib/body.h"
#include "lib/str.h"

enum jwk_alg { JWK_NO_ALG, JWK_RS256, JWK_ES256, JWK_EDDSA };

/* The algorithm of that name; JWK_NO_ALG: it is none of these. */
enum jwk_alg jwk_alg(struct str name);

enum jwk_result {
	JWK_GOOD,
	JWK_WRONG,   /* a key of that name is there, and the signature is not its own */
	JWK_UNKNOWN, /* there is no such key that may check signatures of this algorithm */
};

/*
 * Whether one of the keys made the signature of `text`. `keys` is a JSON web key set; of more than
 * 100 keys, the others are not looked at. `kid` absent: the set has only one key that fits.
 */
enum jwk_result jwk_verify(struct arena *a, const struct body *keys, enum jwk_alg alg,
	struct str kid, struct str text, struct str signature);

#endif
