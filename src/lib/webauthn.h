/*
 * Verification of passkeys (Web Authentication, W3C): that an authenticator has created one, and
 * that it holds one. Keys are ES256 on P-256, RS256 of 2048 to 8192 bits, and EdDSA with Ed25519;
 * signatures are checked by OpenSSL. The authenticator must have verified its user, by fingerprint
 * or PIN, so that a passkey is two factors at once. Attestation is not checked.
 *
 * All texts are bytes, not base64. Functions return null, or a message for people.
 */
#ifndef WEBAUTHN_H
#define WEBAUTHN_H

#include "lib/arena.h"
#include "lib/str.h"

enum { WEBAUTHN_CREDENTIAL_MAX = 1023 };

/* Numbers of COSE (RFC 9053, RFC 8812). */
enum webauthn_alg { WEBAUTHN_ES256 = -7, WEBAUTHN_EDDSA = -8, WEBAUTHN_RS256 = -257 };

/* The site: "https://plan.example.com:8443", whose host is what a passkey belongs to. */
struct webauthn_site {
	struct str origin, host;
};
struct webauthn_site webauthn_site(struct str origin);
/* Whether browsers have passkeys there: by https, or on this machine; and its host is a name. */
bool webauthn_may(struct webauthn_site site);

/* What the browser collected, and what the authenticator added. */
struct webauthn_said {
	struct str client;        /* clientDataJSON */
	struct str authenticator; /* authenticatorData */
};

struct webauthn_key {
	struct str credential; /* what the authenticator calls it */
	struct str public_key; /* SubjectPublicKeyInfo, DER */
	int64_t alg;
	int64_t count; /* of its signatures, as the authenticator counts; 0: it does not */
};

/* The challenge that was signed. `type`: "webauthn.create" or "webauthn.get". */
const char *webauthn_challenge(struct arena *a, const struct webauthn_site *site, const char *type,
	struct str client, struct str *challenge);

/* A new one: checks what key->public_key and key->alg say, and sets the others. */
const char *webauthn_made(struct arena *a, const struct webauthn_site *site,
	const struct webauthn_said *said, struct webauthn_key *key);

/* Checks the signature by one that is known, and sets key->count. */
const char *webauthn_has(struct arena *a, const struct webauthn_site *site,
	const struct webauthn_said *said, struct str signature, struct webauthn_key *key);

#endif
