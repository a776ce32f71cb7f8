#define _GNU_SOURCE
#include "lib/webauthn.h"

#include <openssl/evp.h>
#include <openssl/x509.h>
#include <string.h>

#include "lib/base64url.h"
#include "lib/body.h"
#include "lib/log.h"

/* The layout of authenticator data: digest of the host, flags, count; then the id of the model, and
   the credential. */
enum { HASH = 32, FLAGS_AT = HASH, COUNT_AT = FLAGS_AT + 1, HEAD = COUNT_AT + 4, MODEL = 16 };
enum { USER_PRESENT = 1, USER_VERIFIED = 4, HAS_CREDENTIAL = 64 };
enum { RSA_BITS_MIN = 2048, RSA_BITS_MAX = 8192 };

struct webauthn_site webauthn_site(struct str origin)
{
	struct str host = origin;
	for (size_t i = 0; i + 3 < origin.n; i++)
		if (!memcmp(origin.p + i, "://", 3)) {
			host = (struct str){ origin.p + i + 3, origin.n - i - 3 };
			break;
		}
	const char *port = memrchr(host.p, ':', host.n);
	if (port && !memchr(port, ']', host.n - (size_t)(port - host.p)))
		host.n = (size_t)(port - host.p);
	return (struct webauthn_site){ origin, host };
}

static bool is_name(struct str host)
{
	for (size_t i = 0; i < host.n; i++)
		if (host.p[i] == '[' || host.p[i] == ':')
			return false;
	char last = host.n ? host.p[host.n - 1] : '0';
	return last < '0' || last > '9';
}

bool webauthn_may(struct webauthn_site site)
{
	static const char secure[] = "https:";
	bool is_secure =
		site.origin.n > strlen(secure) && !memcmp(site.origin.p, secure, strlen(secure));
	return is_name(site.host) && (is_secure || str_equal_z(site.host, "localhost"));
}

/* The browser's part ------------------------------------------------------------------- */

static bool is_text(const struct body *v, struct str s)
{
	return v && v->type == BODY_TEXT && str_equal(v->text, s);
}

const char *webauthn_challenge(struct arena *a, const struct webauthn_site *site, const char *type,
	struct str client, struct str *challenge)
{
	const char *problem;
	const struct body *data = body_parse(a, client, &problem);
	const struct body *said = body_get(data, "challenge"),
			  *cross = body_get(data, "crossOrigin");
	*challenge = (struct str){ 0 };
	if (!is_text(body_get(data, "type"), str_of(type)))
		return "the client data is for another purpose";
	if (!is_text(body_get(data, "origin"), site->origin))
		return "the passkey was used on another site";
	if (cross && !(cross->type == BODY_BOOL && !cross->boolean))
		return "the passkey was used inside another site";
	if (said && said->type == BODY_TEXT)
		*challenge = base64url_decode(a, said->text);
	return challenge->p ? NULL : "the client data has no challenge";
}

/* The authenticator's part ------------------------------------------------------------- */

static unsigned number(struct str s, size_t at, size_t n)
{
	unsigned v = 0;
	for (size_t i = 0; i < n; i++)
		v = v << 8 | (unsigned char)s.p[at + i];
	return v;
}

static bool digest(struct str s, unsigned char to[HASH])
{
	size_t n = HASH;
	return EVP_Q_digest(NULL, "SHA256", NULL, s.p, s.n, to, &n) == 1 && n == HASH;
}

static const char *check_head(const struct webauthn_site *site, struct str data)
{
	unsigned char hash[HASH];
	if (data.n < HEAD)
		return "the authenticator's data is too short";
	if (!digest(site->host, hash))
		log_die("OpenSSL has no SHA-256");
	if (memcmp(hash, data.p, HASH) != 0)
		return "the passkey belongs to another site";
	unsigned flags = (unsigned char)data.p[FLAGS_AT];
	if (!(flags & USER_PRESENT) || !(flags & USER_VERIFIED))
		return "the authenticator did not verify its user";
	return NULL;
}

/* Keys ----------------------------------------------------------------------------------- */

static bool is_of(const EVP_PKEY *key, int64_t alg)
{
	char group[32];
	size_t n;
	switch (alg) {
	case WEBAUTHN_ES256:
		return EVP_PKEY_get_base_id(key) == EVP_PKEY_EC &&
			EVP_PKEY_get_group_name(key, group, sizeof group, &n) == 1 &&
			!strcmp(group, "prime256v1");
	case WEBAUTHN_RS256:
		return EVP_PKEY_get_base_id(key) == EVP_PKEY_RSA &&
			EVP_PKEY_get_bits(key) >= RSA_BITS_MIN &&
			EVP_PKEY_get_bits(key) <= RSA_BITS_MAX;
	case WEBAUTHN_EDDSA: return EVP_PKEY_get_base_id(key) == EVP_PKEY_ED25519;
	default: return false;
	}
}

static EVP_PKEY *try_key(struct str der, int64_t alg)
{
	const unsigned char *at = (const unsigned char *)der.p, *end = at + der.n;
	EVP_PKEY *key = d2i_PUBKEY(NULL, &at, (long)der.n);
	if (key && at == end && is_of(key, alg))
		return key;
	EVP_PKEY_free(key);
	return NULL;
}

/*
 * Null: it is not a key for this algorithm. OpenSSL does not say whether it only had no memory, so
 * what fails here or in verify() is tried again: nobody should hear that a good passkey is wrong.
 */
static EVP_PKEY *read_key(struct str der, int64_t alg)
{
	EVP_PKEY *key = try_key(der, alg);
	return key ? key : try_key(der, alg);
}

static bool try_signature(EVP_PKEY *key, int64_t alg, struct str text, struct str signature)
{
	const EVP_MD *hash = alg == WEBAUTHN_EDDSA ? NULL : EVP_sha256();
	EVP_MD_CTX *ctx = EVP_MD_CTX_new();
	if (!ctx)
		log_die("out of memory");
	bool good = EVP_DigestVerifyInit(ctx, NULL, hash, NULL, key) == 1 &&
		EVP_DigestVerify(ctx, (const unsigned char *)signature.p, signature.n,
			(const unsigned char *)text.p, text.n) == 1;
	EVP_MD_CTX_free(ctx);
	return good;
}

static bool verify(EVP_PKEY *key, int64_t alg, struct str text, struct str signature)
{
	return try_signature(key, alg, text, signature) || try_signature(key, alg, text, signature);
}

/* ------------------------------------------------------------------------------------------ */

const char *webauthn_made(struct arena *a, const struct webauthn_site *site,
	const struct webauthn_said *said, struct webauthn_key *key)
{
	struct str data = said->authenticator;
	const char *problem = check_head(site, data);
	enum { ID = HEAD + MODEL + 2 };
	if (problem)
		return problem;
	if (!((unsigned char)data.p[FLAGS_AT] & HAS_CREDENTIAL) || data.n < ID)
		return "the authenticator's data has no passkey";
	size_t n = number(data, ID - 2, 2);
	if (n == 0 || n > WEBAUTHN_CREDENTIAL_MAX || n > data.n - ID)
		return "the authenticator's data has no passkey";
	EVP_PKEY *read = read_key(key->public_key, key->alg);
	if (!read)
		return "the public key is not one of ES256, EdDSA or RS256";
	EVP_PKEY_free(read);
	key->credential = arena_str(a, (struct str){ data.p + ID, n });
	key->count = number(data, COUNT_AT, 4);
	return NULL;
}

const char *webauthn_has(struct arena *a, const struct webauthn_site *site,
	const struct webauthn_said *said, struct str signature, struct webauthn_key *key)
{
	struct str data = said->authenticator;
	const char *problem = check_head(site, data);
	unsigned char hash[HASH];
	if (problem)
		return problem;
	EVP_PKEY *read = read_key(key->public_key, key->alg);
	if (!read || !digest(said->client, hash))
		return "the passkey can no longer be read";
	char *text = arena_alloc(a, data.n + HASH);
	memcpy(text, data.p, data.n);
	memcpy(text + data.n, hash, HASH);
	bool good = verify(read, key->alg, (struct str){ text, data.n + HASH }, signature);
	EVP_PKEY_free(read);
	int64_t count = number(data, COUNT_AT, 4);
	if (!good)
		return "the signature is not the passkey's";
	if (count <= key->count && (count || key->count))
		return "the passkey was copied: its counter went back";
	key->count = count;
	return NULL;
}
