#include "lib/totp.h"

#include <openssl/crypto.h>
#include <openssl/evp.h>
#include <openssl/hmac.h>
#include <string.h>

#include "lib/log.h"

enum { MAC_SIZE = 20, DIGITS_MAX = 8 };

/* RFC 4226, 5.3: four bytes of the digest, at the offset in its last four bits. */
static uint32_t truncate_mac(const unsigned char mac[MAC_SIZE])
{
	const unsigned char *p = mac + (mac[MAC_SIZE - 1] & 15);
	return ((uint32_t)p[0] & 0x7f) << 24 | (uint32_t)p[1] << 16 | (uint32_t)p[2] << 8 | p[3];
}

struct str totp_code(struct arena *a, struct str secret, int64_t step, int digits)
{
	unsigned char counter[8], mac[MAC_SIZE];
	unsigned int n = 0;
	uint32_t modulus = 1;

	for (int i = 0; i < 8; i++)
		counter[i] = (unsigned char)((uint64_t)step >> (56 - 8 * i));
	if (!HMAC(EVP_sha1(), secret.p, (int)secret.n, counter, sizeof counter, mac, &n) ||
		n != MAC_SIZE)
		log_die("OpenSSL cannot compute HMAC-SHA-1");
	if (digits > DIGITS_MAX)
		digits = DIGITS_MAX;
	for (int i = 0; i < digits; i++)
		modulus *= 10;
	return arena_printf(a, "%0*u", digits, truncate_mac(mac) % modulus);
}

int64_t totp_find(struct arena *a, struct str secret, struct str code, int64_t time, int64_t last)
{
	int64_t now = time / TOTP_STEP_SECONDS, found = TOTP_NONE;

	if (code.n != TOTP_DIGITS)
		return TOTP_NONE;
	for (int64_t step = now - 1; step <= now + 1; step++) {
		struct str right = totp_code(a, secret, step, TOTP_DIGITS);
		bool fits = !CRYPTO_memcmp(right.p, code.p, TOTP_DIGITS);
		if (fits && step > last && found == TOTP_NONE)
			found = step;
	}
	return found;
}

struct str totp_base32(struct arena *a, struct str bytes)
{
	static const char letters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";
	size_t n = (bytes.n * 8 + 4) / 5;
	char *to = arena_alloc(a, n + 1);

	for (size_t i = 0; i < n; i++) {
		unsigned value = 0;
		for (size_t bit = 5 * i; bit < 5 * i + 5; bit++) {
			unsigned byte = bit / 8 < bytes.n ? (unsigned char)bytes.p[bit / 8] : 0;
			value = value << 1 | (byte >> (7 - bit % 8) & 1);
		}
		to[i] = letters[value];
	}
	return (struct str){ to, n };
}

static bool is_plain(char c)
{
	return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') ||
		(c && strchr("-._~", c));
}

/* Percent encoding (RFC 3986) of all that is not unreserved. */
static struct str encode(struct arena *a, struct str s)
{
	static const char digits[] = "0123456789ABCDEF";
	char *to = arena_alloc(a, 3 * s.n + 1);
	size_t n = 0;

	for (size_t i = 0; i < s.n; i++) {
		unsigned char c = (unsigned char)s.p[i];
		if (is_plain(s.p[i])) {
			to[n++] = s.p[i];
			continue;
		}
		to[n++] = '%';
		to[n++] = digits[c >> 4];
		to[n++] = digits[c & 15];
	}
	return (struct str){ to, n };
}

struct str totp_uri(struct arena *a, struct str issuer, struct str name, struct str base32)
{
	struct str by = encode(a, issuer), of = encode(a, name);
	return arena_printf(a, "otpauth://totp/%.*s:%.*s?secret=%.*s&issuer=%.*s", (int)by.n, by.p,
		(int)of.n, of.p, (int)base32.n, base32.p, (int)by.n, by.p);
}
