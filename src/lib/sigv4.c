#include "lib/sigv4.h"

#include <openssl/evp.h>
#include <openssl/hmac.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "lib/log.h"

enum { DIGEST = 32 };

#define ALGORITHM "AWS4-HMAC-SHA256"

/* An HMAC-SHA-256; it may replace its own key. */
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

/* A key for one day, region and kind of service. */
static void derive(
	unsigned char to[DIGEST], struct arena *a, const struct sigv4_key *key, struct str day)
{
	struct str first = arena_printf(a, "AWS4%.*s", (int)key->secret.n, key->secret.p);
	mac(to, first.p, first.n, day);
	mac(to, to, DIGEST, key->region);
	mac(to, to, DIGEST, STR("s3"));
	mac(to, to, DIGEST, STR("aws4_request"));
}

struct sigv4 sigv4_get(struct arena *a, const struct sigv4_key *key, struct str host,
	struct str target, int64_t time_s)
{
	static const char names[] = "host;x-amz-content-sha256;x-amz-date";
	unsigned char signing[DIGEST], signature[DIGEST];
	char stamp[17] = "";
	time_t t = (time_t)time_s;
	struct tm utc;
	strftime(stamp, sizeof stamp, "%Y%m%dT%H%M%SZ", gmtime_r(&t, &utc));
	struct str scope = arena_printf(
		a, "%.8s/%.*s/s3/aws4_request", stamp, (int)key->region.n, key->region.p);
	struct str query = target, path = str_cut(&query, '?');
	struct str request = arena_printf(a,
		"GET\n%.*s\n%.*s\nhost:%.*s\nx-amz-content-sha256:" SIGV4_NOTHING
		"\nx-amz-date:%s\n\n%s\n" SIGV4_NOTHING,
		(int)path.n, path.p, (int)query.n, query.p ? query.p : "", (int)host.n, host.p,
		stamp, names);
	struct str text =
		arena_printf(a, ALGORITHM "\n%s\n%s\n%s", stamp, scope.p, digest(a, request).p);
	derive(signing, a, key, (struct str){ stamp, 8 });
	mac(signature, signing, DIGEST, text);
	return (struct sigv4){
		arena_printf(a, ALGORITHM " Credential=%.*s/%s, SignedHeaders=%s, Signature=%s",
			(int)key->access.n, key->access.p, scope.p, names, hex(a, signature).p),
		arena_str(a, str_of(stamp))
	};
}
