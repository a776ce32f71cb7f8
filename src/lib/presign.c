#include "lib/presign.h"

#include <openssl/evp.h>
#include <openssl/hmac.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "lib/log.h"

enum { DIGEST = 32 };

#define ALGORITHM "AWS4-HMAC-SHA256"

/* An HMAC-SHA-256; the key may be the one before it. */
static void mac(unsigned char to[DIGEST], const void *key, size_t n, struct str text)
{
	unsigned char made[DIGEST];
	unsigned size = 0;
	if (!HMAC(EVP_sha256(), key, (int)n, (const unsigned char *)text.p, text.n, made, &size) ||
		size != DIGEST)
		log_die("OpenSSL cannot compute HMAC-SHA-256");
	memcpy(to, made, DIGEST);
}

static struct str hex(struct arena *a, const unsigned char bytes[DIGEST])
{
	char text[2 * DIGEST + 1];
	for (int i = 0; i < DIGEST; i++)
		snprintf(text + 2 * i, 3, "%02x", bytes[i]);
	return arena_str(a, str_of(text));
}

static struct str digest(struct arena *a, struct str text)
{
	unsigned char bytes[EVP_MAX_MD_SIZE];
	if (!EVP_Digest(text.p, text.n, bytes, NULL, EVP_sha256(), NULL))
		log_die("OpenSSL cannot compute SHA-256");
	return hex(a, bytes);
}

/* Everything but the unreserved characters of RFC 3986, as the signature wants it. */
static struct str encode(struct arena *a, struct str s)
{
	static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
				    "-._~";
	char *p = arena_alloc(a, 3 * s.n + 1);
	size_t n = 0;
	for (size_t i = 0; i < s.n; i++)
		if (memchr(plain, s.p[i], sizeof plain - 1))
			p[n++] = s.p[i];
		else
			n += str_print(p + n, 4, "%%%02X", (unsigned char)s.p[i]).n;
	return (struct str){ p, n };
}

/* A key for one day, region and kind of service. */
static void derive(
	unsigned char to[DIGEST], struct arena *a, const struct presign_key *key, struct str day)
{
	struct str first = arena_printf(a, "AWS4%.*s", (int)key->secret.n, key->secret.p);
	mac(to, first.p, first.n, day);
	mac(to, to, DIGEST, key->region);
	mac(to, to, DIGEST, STR("s3"));
	mac(to, to, DIGEST, STR("aws4_request"));
}

struct str presign_query(struct arena *a, const struct presign_key *key, struct str host,
	struct str path, int64_t time_s, int valid_s)
{
	unsigned char signing[DIGEST], signature[DIGEST];
	char stamp[17] = "";
	time_t t = (time_t)time_s;
	struct tm utc;
	strftime(stamp, sizeof stamp, "%Y%m%dT%H%M%SZ", gmtime_r(&t, &utc));
	struct str day = { stamp, 8 };
	struct str scope = arena_printf(
		a, "%.8s/%.*s/s3/aws4_request", stamp, (int)key->region.n, key->region.p);
	struct str who =
		encode(a, arena_printf(a, "%.*s/%s", (int)key->access.n, key->access.p, scope.p));
	struct str query = arena_printf(a,
		"X-Amz-Algorithm=" ALGORITHM "&X-Amz-Credential=%.*s&X-Amz-Date=%s"
		"&X-Amz-Expires=%d&X-Amz-SignedHeaders=host",
		(int)who.n, who.p, stamp, valid_s);
	struct str request = arena_printf(a, "GET\n%.*s\n%s\nhost:%.*s\n\nhost\nUNSIGNED-PAYLOAD",
		(int)path.n, path.p, query.p, (int)host.n, host.p);
	struct str text =
		arena_printf(a, ALGORITHM "\n%s\n%s\n%s", stamp, scope.p, digest(a, request).p);
	derive(signing, a, key, day);
	mac(signature, signing, DIGEST, text);
	return arena_printf(a, "%s&X-Amz-Signature=%s", query.p, hex(a, signature).p);
}
