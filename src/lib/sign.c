#include "lib/sign.h"

#include <openssl/crypto.h>
#include <openssl/evp.h>
#include <openssl/hmac.h>
#include <string.h>

#include "lib/log.h"

enum { MAC_SIZE = 32 };

/* Base64 with or without its padding; absent: it is not Base64. */
static struct str decode(struct arena *a, struct str s)
{
	while (s.n > 0 && s.p[s.n - 1] == '=')
		s.n--;
	for (size_t i = 0; i < s.n; i++) {
		char c = s.p[i];
		if (!((c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') ||
			    c == '+' || c == '/'))
			return (struct str){ 0 };
	}
	if (s.n == 0 || s.n % 4 == 1)
		return (struct str){ 0 };
	size_t groups = (s.n + 3) / 4;
	char *padded = arena_alloc(a, 4 * groups + 1);
	unsigned char *bytes = arena_alloc(a, 3 * groups + 1);
	memset(padded, '=', 4 * groups);
	memcpy(padded, s.p, s.n);
	if (EVP_DecodeBlock(bytes, (const unsigned char *)padded, (int)(4 * groups)) < 0)
		return (struct str){ 0 };
	return (struct str){ (const char *)bytes, s.n * 3 / 4 };
}

static struct str key_of(struct arena *a, struct str secret)
{
	static const struct str prefix = { "whsec_", 6 };
	struct str key = { 0 };

	if (secret.n > prefix.n && memcmp(secret.p, prefix.p, prefix.n) == 0)
		key = decode(a, (struct str){ secret.p + prefix.n, secret.n - prefix.n });
	return key.p ? key : secret;
}

struct str sign_webhook(
	struct arena *a, struct str secret, struct str id, int64_t timestamp, struct str body)
{
	struct str head = arena_printf(a, "%.*s.%lld.", (int)id.n, id.p, (long long)timestamp);
	struct str key = key_of(a, secret);
	unsigned char mac[MAC_SIZE], *text = arena_alloc(a, head.n + body.n + 1);
	char base64[4 * (MAC_SIZE + 2) / 3 + 1];
	unsigned int n = 0;

	memcpy(text, head.p, head.n);
	if (body.n > 0)
		memcpy(text + head.n, body.p, body.n);
	if (!HMAC(EVP_sha256(), key.p, (int)key.n, text, head.n + body.n, mac, &n) || n != MAC_SIZE)
		log_die("OpenSSL cannot compute HMAC-SHA-256");
	EVP_EncodeBlock((unsigned char *)base64, mac, MAC_SIZE);
	return arena_printf(a, "v1,%s", base64);
}
