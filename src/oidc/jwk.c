#include "oidc/jwk.h"

#include <openssl/bn.h>
#include <openssl/core_names.h>
#include <openssl/ecdsa.h>
#include <openssl/evp.h>
#include <openssl/param_build.h>
#include <string.h>

#include "lib/log.h"
#include "lib/base64url.h"

enum {
	KEYS_MAX = 100,
	RSA_MIN = 256,
	RSA_MAX = 1024,
	EXPONENT_MAX = 8,
	POINT = 32,
	ES256_SIZE = 64
};

static const struct {
	const char *name, *type, *curve;
} algs[] = {
	[JWK_RS256] = { "RS256", "RSA", NULL },
	[JWK_ES256] = { "ES256", "EC", "P-256" },
	[JWK_EDDSA] = { "EdDSA", "OKP", "Ed25519" },
};

enum jwk_alg jwk_alg(struct str name)
{
	for (enum jwk_alg i = JWK_RS256; i <= JWK_EDDSA; i++)
		if (str_equal_z(name, algs[i].name))
			return i;
	return JWK_NO_ALG;
}

/* Making keys -------------------------------------------------------------------- */

static EVP_PKEY *make(const char *type, OSSL_PARAM *params)
{
	EVP_PKEY *key = NULL;
	EVP_PKEY_CTX *ctx = EVP_PKEY_CTX_new_from_name(NULL, type, NULL);
	if (!ctx || EVP_PKEY_fromdata_init(ctx) != 1 ||
		EVP_PKEY_fromdata(ctx, &key, EVP_PKEY_PUBLIC_KEY, params) != 1)
		key = NULL;
	EVP_PKEY_CTX_free(ctx);
	return key;
}

static struct str skip_zeros(struct str number)
{
	while (number.n && !*number.p) {
		number.p++;
		number.n--;
	}
	return number;
}

static EVP_PKEY *make_rsa(struct arena *a, const struct body *jwk)
{
	struct str n = skip_zeros(base64url_decode(a, body_string(jwk, "n")));
	struct str e = skip_zeros(base64url_decode(a, body_string(jwk, "e")));
	if (n.n < RSA_MIN || n.n > RSA_MAX || !e.n || e.n > EXPONENT_MAX || !(e.p[e.n - 1] & 1) ||
		(e.n == 1 && *e.p == 1))
		return NULL;
	BIGNUM *modulus = BN_bin2bn((const unsigned char *)n.p, (int)n.n, NULL);
	BIGNUM *exponent = BN_bin2bn((const unsigned char *)e.p, (int)e.n, NULL);
	OSSL_PARAM_BLD *build = OSSL_PARAM_BLD_new();
	if (!modulus || !exponent || !build ||
		!OSSL_PARAM_BLD_push_BN(build, OSSL_PKEY_PARAM_RSA_N, modulus) ||
		!OSSL_PARAM_BLD_push_BN(build, OSSL_PKEY_PARAM_RSA_E, exponent))
		log_die("out of memory");
	OSSL_PARAM *params = OSSL_PARAM_BLD_to_param(build);
	EVP_PKEY *key = params ? make("RSA", params) : NULL;
	OSSL_PARAM_free(params);
	OSSL_PARAM_BLD_free(build);
	BN_free(modulus);
	BN_free(exponent);
	return key;
}

/* OpenSSL refuses a point that is not on the curve. */
static EVP_PKEY *make_ec(struct arena *a, const struct body *jwk)
{
	char group[] = "P-256";
	unsigned char point[1 + 2 * POINT] = { POINT_CONVERSION_UNCOMPRESSED };
	struct str x = base64url_decode(a, body_string(jwk, "x"));
	struct str y = base64url_decode(a, body_string(jwk, "y"));
	if (x.n != POINT || y.n != POINT)
		return NULL;
	memcpy(point + 1, x.p, POINT);
	memcpy(point + 1 + POINT, y.p, POINT);
	return make("EC",
		(OSSL_PARAM[]){
			OSSL_PARAM_construct_utf8_string(OSSL_PKEY_PARAM_GROUP_NAME, group, 0),
			OSSL_PARAM_construct_octet_string(
				OSSL_PKEY_PARAM_PUB_KEY, point, sizeof point),
			OSSL_PARAM_construct_end() });
}

static EVP_PKEY *make_ed25519(struct arena *a, const struct body *jwk)
{
	struct str x = base64url_decode(a, body_string(jwk, "x"));
	if (x.n != POINT)
		return NULL;
	return EVP_PKEY_new_raw_public_key(EVP_PKEY_ED25519, NULL, (const unsigned char *)x.p, x.n);
}

static EVP_PKEY *make_key(struct arena *a, const struct body *jwk, enum jwk_alg alg)
{
	return alg == JWK_RS256    ? make_rsa(a, jwk)
		: alg == JWK_ES256 ? make_ec(a, jwk)
				   : make_ed25519(a, jwk);
}

/* Checking ------------------------------------------------------------------------- */

/* The signature is two concatenated numbers (RFC 7518, 3.4); OpenSSL wants them in DER. */
static struct str der_of(struct arena *a, struct str signature)
{
	ECDSA_SIG *sig = ECDSA_SIG_new();
	if (signature.n != ES256_SIZE)
		signature = STR("");
	BIGNUM *r = BN_bin2bn((const unsigned char *)signature.p, (int)signature.n / 2, NULL);
	BIGNUM *s = BN_bin2bn(
		(const unsigned char *)signature.p + signature.n / 2, (int)signature.n / 2, NULL);
	if (!sig || !r || !s || !ECDSA_SIG_set0(sig, r, s))
		log_die("out of memory");
	unsigned char *to = arena_alloc(a, 2 * ES256_SIZE), *end = to;
	int n = i2d_ECDSA_SIG(sig, &end);
	ECDSA_SIG_free(sig);
	return (struct str){ (const char *)to, n > 0 ? (size_t)n : 0 };
}

static bool verify(
	struct arena *a, EVP_PKEY *key, enum jwk_alg alg, struct str text, struct str signature)
{
	const EVP_MD *digest = alg == JWK_EDDSA ? NULL : EVP_sha256();
	EVP_MD_CTX *ctx = EVP_MD_CTX_new();
	if (!ctx)
		log_die("out of memory");
	if (alg == JWK_ES256)
		signature = der_of(a, signature);
	bool good = EVP_DigestVerifyInit(ctx, NULL, digest, NULL, key) == 1 &&
		EVP_DigestVerify(ctx, (const unsigned char *)signature.p, signature.n,
			(const unsigned char *)text.p, text.n) == 1;
	EVP_MD_CTX_free(ctx);
	return good;
}

/* An absent member counts as a match. */
static bool says(const struct body *jwk, const char *member, const char *value)
{
	return !body_get(jwk, member) || str_equal_z(body_string(jwk, member), value);
}

static bool fits(const struct body *jwk, enum jwk_alg alg, struct str kid)
{
	const char *curve = algs[alg].curve;
	return jwk->type == BODY_OBJECT && str_equal_z(body_string(jwk, "kty"), algs[alg].type) &&
		(!curve || str_equal_z(body_string(jwk, "crv"), curve)) &&
		says(jwk, "use", "sig") && says(jwk, "alg", algs[alg].name) &&
		(!kid.p || (body_string(jwk, "kid").p && str_equal(body_string(jwk, "kid"), kid)));
}

enum jwk_result jwk_verify(struct arena *a, const struct body *keys, enum jwk_alg alg,
	struct str kid, struct str text, struct str signature)
{
	const struct body *list = body_get(keys, "keys"), *found = NULL;
	int n = 0, n_fit = 0;
	if (alg == JWK_NO_ALG || !list || list->type != BODY_ARRAY)
		return JWK_UNKNOWN;
	for (const struct body *jwk = list->first; jwk && n < KEYS_MAX; jwk = jwk->next, n++)
		if (fits(jwk, alg, kid)) {
			found = jwk;
			n_fit++;
		}
	if (n_fit != 1)
		return JWK_UNKNOWN;
	EVP_PKEY *key = make_key(a, found, alg);
	if (!key)
		return JWK_UNKNOWN;
	bool good = verify(a, key, alg, text, signature);
	EVP_PKEY_free(key);
	return good ? JWK_GOOD : JWK_WRONG;
}
