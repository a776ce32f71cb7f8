#include "service/challenge.h"

#include <openssl/crypto.h>
#include <string.h>

/* Time, random bytes, and the beginning of the digest of both and the person. */
enum { TIME = 8, RANDOM = 16, SIGNED = TIME + RANDOM, DIGEST = 16, SIZE = SIGNED + DIGEST };
enum { AHEAD_SECONDS = 60 }; /* another host's clock */

static struct str digest_of(
	const struct crypt *c, struct arena *a, int64_t person, const char *bytes)
{
	struct str key = { (const char *)c->ticket_key, sizeof c->ticket_key };
	struct str head = arena_printf(a, "passkey %lld ", (long long)person);
	char *text = arena_alloc(a, head.n + SIGNED);
	memcpy(text, head.p, head.n);
	memcpy(text + head.n, bytes, SIGNED);
	return crypt_mac_with(a, key, (struct str){ text, head.n + SIGNED });
}

struct str challenge_make(const struct crypt *c, struct arena *a, int64_t person, int64_t now_us)
{
	char *to = arena_alloc(a, SIZE);
	for (int i = 0; i < TIME; i++)
		to[i] = (char)((uint64_t)now_us >> 8 * (TIME - 1 - i));
	memcpy(to + TIME, crypt_random(a, RANDOM).p, RANDOM);
	memcpy(to + SIGNED, digest_of(c, a, person, to).p, DIGEST);
	return (struct str){ to, SIZE };
}

int64_t challenge_read(const struct crypt *c, struct arena *a, int64_t person, int64_t now_us,
	struct str challenge)
{
	uint64_t made = 0;
	if (challenge.n != SIZE ||
		CRYPTO_memcmp(challenge.p + SIGNED, digest_of(c, a, person, challenge.p).p, DIGEST))
		return 0;
	for (int i = 0; i < TIME; i++)
		made = made << 8 | (unsigned char)challenge.p[i];
	int64_t age = now_us - (int64_t)made;
	return age > CHALLENGE_SECONDS * INT64_C(1000000) || age < -AHEAD_SECONDS * INT64_C(1000000)
		? 0
		: (int64_t)made;
}
