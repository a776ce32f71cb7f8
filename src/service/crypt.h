/*
 * Password hashing and token encryption: passwords by scrypt (RFC 7914), tokens findable by
 * HMAC-SHA-256 and shown from a copy sealed with AES-256-GCM. The keys are derived from the
 * setting `secret` by HKDF (RFC 5869). All by OpenSSL.
 */
#ifndef CRYPT_H
#define CRYPT_H

#include <stdbool.h>

#include "lib/arena.h"
#include "lib/str.h"

enum { CRYPT_MAC_SIZE = 32, CRYPT_TOKEN_CHARS = 32 };

struct crypt {
	unsigned char mac_key[32];
	unsigned char seal_key[32];
	unsigned char tag_key[32]; /* its first 16 bytes are used */
	unsigned char ticket_key[32];
	unsigned nth; /* how many secrets it was made of: a digest is of one of them */
};

/* Derives the keys; false when OpenSSL refuses. */
bool crypt_init(struct crypt *c, struct str secret);

/* A new token: 32 lower-case hexadecimal digits (contract 1.10). */
struct str crypt_token(struct arena *a);

/*
 * A new named token: of the same form, but its last digits are a checksum of the others, so that
 * statements for other tokens need not look for it. One in 65,536 others looks like it, too.
 */
struct str crypt_named_token(struct arena *a);
bool crypt_may_be_named(struct str token);

/* Digest under which a token is looked up: CRYPT_MAC_SIZE bytes. */
struct str crypt_mac(const struct crypt *c, struct arena *a, struct str token);

/* The same under a key of its own (HMAC-SHA-256): CRYPT_MAC_SIZE bytes. */
struct str crypt_mac_with(struct arena *a, struct str key, struct str text);

/* Random bytes. */
struct str crypt_random(struct arena *a, int n);

/*
 * A digest that tells whether two answers are the same: 128-bit SipHash-2-4 under a key of the
 * service, the same in all workers. It takes half the time of SHA-256 and, unlike a one-time
 * authenticator, is safe for any number of texts under one key.
 */
enum { CRYPT_TAG_SIZE = 16 };
void crypt_tag(const struct crypt *c, struct str s, unsigned char tag[CRYPT_TAG_SIZE]);

/* Digest of a code that is good for itself and belongs to no secret: SHA-256. */
struct str crypt_digest(struct arena *a, struct str code);

/* Nonce, ciphertext and tag in one string; bound to the person's id. */
struct str crypt_seal(const struct crypt *c, struct arena *a, int64_t person_id, struct str token);

/* What is stored of a person's token: both. */
struct crypt_stored {
	struct str mac, sealed;
};
struct crypt_stored crypt_store(
	const struct crypt *c, struct arena *a, int64_t person_id, struct str token);

/* The sealed text, or absent when it was not sealed with this secret for this person. */
struct str crypt_open(const struct crypt *c, struct arena *a, int64_t person_id, struct str sealed);

/* "scrypt$N$r$p$salt$hash", salt and hash in base64; parameters are today's. */
struct str crypt_hash_password(struct arena *a, struct str password);

/*
 * Whether the password fits the hash. An absent hash costs the same work and is
 * false, so that an unknown login answers no faster than a wrong password.
 */
bool crypt_check_password(struct str hash, struct str password);

/* A random password of 20 characters for people to type. */
struct str crypt_password(struct arena *a);

#endif
