#include "service/crypt.h"

#include <malloc.h>
#include <openssl/crypto.h>
#include <openssl/evp.h>
#include <openssl/kdf.h>
#include <openssl/params.h>
#include <openssl/rand.h>
#include <stdio.h>
#include <string.h>

#include "lib/log.h"

/* Today's cost of a password: 16 MiB and about a tenth of a second (OWASP, scrypt). */
enum { SCRYPT_N = 1 << 14, SCRYPT_R = 8, SCRYPT_P = 5, SALT_SIZE = 16, HASH_SIZE = 32 };

/* Limits on the cost of a stored hash, so that nobody who can write a row can stall a worker. */
enum {
	N_MIN = 1 << 10,
	N_MAX = 1 << 17,
	R_MAX = 32,
	P_MAX = 16,
	MEMORY_MAX = 64 << 20,
	SALT_MIN = 4,
	SALT_MAX = 64,
	HASH_MIN = 16,
	HASH_MAX = 64
};

enum { NONCE_SIZE = 12, TAG_SIZE = 16, PASSWORD_CHARS = 20, CHECKSUM_DIGITS = 4 };

struct hash {
	int64_t n, r, p;
	unsigned char salt[SALT_MAX + 2]; /* the decoder writes whole groups of three */
	size_t salt_size;
	unsigned char sum[HASH_MAX + 2];
	size_t sum_size;
};

static void random_bytes(unsigned char *to, int n)
{
	if (RAND_bytes(to, n) != 1)
		log_die("cannot read the system's random numbers");
}

struct str crypt_random(struct arena *a, int n)
{
	unsigned char *bytes = arena_alloc(a, (size_t)n);

	random_bytes(bytes, n);
	return (struct str){ (const char *)bytes, (size_t)n };
}

/* Keys ------------------------------------------------------------------- */

static bool derive_key(unsigned char key[32], struct str secret, struct str purpose)
{
	static const unsigned char salt[] = "planwright";
	EVP_PKEY_CTX *x = EVP_PKEY_CTX_new_id(EVP_PKEY_HKDF, NULL);
	size_t n = 32;
	bool ok = x && EVP_PKEY_derive_init(x) == 1 &&
		EVP_PKEY_CTX_set_hkdf_md(x, EVP_sha256()) == 1 &&
		EVP_PKEY_CTX_set1_hkdf_salt(x, salt, sizeof(salt) - 1) == 1 &&
		EVP_PKEY_CTX_set1_hkdf_key(x, (const unsigned char *)secret.p, (int)secret.n) ==
			1 &&
		EVP_PKEY_CTX_add1_hkdf_info(x, (const unsigned char *)purpose.p, (int)purpose.n) ==
			1 &&
		EVP_PKEY_derive(x, key, &n) == 1 && n == 32;

	EVP_PKEY_CTX_free(x);
	return ok;
}

bool crypt_init(struct crypt *c, struct str secret)
{
	c->nth++;
	return secret.n > 0 && secret.n <= INT32_MAX &&
		derive_key(c->mac_key, secret, STR("token mac")) &&
		derive_key(c->seal_key, secret, STR("token seal")) &&
		derive_key(c->tag_key, secret, STR("answer tag")) &&
		derive_key(c->ticket_key, secret, STR("live ticket"));
}

/* Tokens ----------------------------------------------------------------- */

struct str crypt_token(struct arena *a)
{
	static const char digits[] = "0123456789abcdef";
	unsigned char random[CRYPT_TOKEN_CHARS / 2];
	char *token = arena_alloc(a, CRYPT_TOKEN_CHARS + 1);

	random_bytes(random, sizeof(random));
	for (int i = 0; i < CRYPT_TOKEN_CHARS; i += 2) {
		token[i] = digits[random[i / 2] >> 4];
		token[i + 1] = digits[random[i / 2] & 15];
	}
	OPENSSL_cleanse(random, sizeof(random));
	return (struct str){ token, CRYPT_TOKEN_CHARS };
}

/* Looked up once: finding an algorithm by its name costs more than a short digest. */
static EVP_MAC_CTX *new_mac(const char *name, const OSSL_PARAM *params)
{
	EVP_MAC *mac = EVP_MAC_fetch(NULL, name, NULL);
	EVP_MAC_CTX *x = mac ? EVP_MAC_CTX_new(mac) : NULL;

	EVP_MAC_free(mac);
	if (!x || EVP_MAC_CTX_set_params(x, params) != 1)
		log_die("OpenSSL has no %s", name);
	return x;
}

static void compute_mac(
	EVP_MAC_CTX *x, struct str key, struct str s, unsigned char *to, size_t size)
{
	size_t n = 0;

	if (EVP_MAC_init(x, (const unsigned char *)key.p, key.n, NULL) != 1 ||
		EVP_MAC_update(x, (const unsigned char *)s.p, s.n) != 1 ||
		EVP_MAC_final(x, to, &n, size) != 1 || n != size)
		log_die("OpenSSL cannot compute a message authentication code");
}

/* A checksum of what precedes the last four digits: FNV-1a, folded. */
static void put_checksum(struct str token, char digits[CHECKSUM_DIGITS + 1])
{
	uint32_t h = 2166136261;
	for (size_t i = 0; i < token.n - CHECKSUM_DIGITS; i++)
		h = (h ^ (unsigned char)token.p[i]) * 16777619;
	snprintf(digits, CHECKSUM_DIGITS + 1, "%04x", (h >> 16 ^ h) & 0xffff);
}

struct str crypt_named_token(struct arena *a)
{
	struct str token = crypt_token(a);
	char digits[CHECKSUM_DIGITS + 1];
	put_checksum(token, digits);
	return arena_printf(a, "%.*s%s", CRYPT_TOKEN_CHARS - CHECKSUM_DIGITS, token.p, digits);
}

bool crypt_may_be_named(struct str token)
{
	char digits[CHECKSUM_DIGITS + 1];
	if (token.n != CRYPT_TOKEN_CHARS)
		return false;
	put_checksum(token, digits);
	return !memcmp(token.p + token.n - CHECKSUM_DIGITS, digits, CHECKSUM_DIGITS);
}

struct str crypt_mac_with(struct arena *a, struct str key, struct str text)
{
	static const OSSL_PARAM sha256[] = { OSSL_PARAM_utf8_string("digest", "SHA256", 6),
		OSSL_PARAM_END };
	static EVP_MAC_CTX *hmac;
	unsigned char *to = arena_alloc(a, CRYPT_MAC_SIZE);

	if (!hmac)
		hmac = new_mac("HMAC", sha256);
	compute_mac(hmac, key, text, to, CRYPT_MAC_SIZE);
	return (struct str){ (const char *)to, CRYPT_MAC_SIZE };
}

struct str crypt_mac(const struct crypt *c, struct arena *a, struct str token)
{
	return crypt_mac_with(a, (struct str){ (const char *)c->mac_key, 32 }, token);
}

struct str crypt_digest(struct arena *a, struct str code)
{
	unsigned char *to = arena_alloc(a, CRYPT_MAC_SIZE);

	if (EVP_Digest(code.p, code.n, to, NULL, EVP_sha256(), NULL) != 1)
		log_die("OpenSSL cannot compute SHA-256");
	return (struct str){ (const char *)to, CRYPT_MAC_SIZE };
}

void crypt_tag(const struct crypt *c, struct str s, unsigned char tag[CRYPT_TAG_SIZE])
{
	static size_t size = CRYPT_TAG_SIZE;
	static const OSSL_PARAM bits128[] = { OSSL_PARAM_size_t("size", &size), OSSL_PARAM_END };
	static EVP_MAC_CTX *siphash;

	if (!siphash)
		siphash = new_mac("SIPHASH", bits128);
	compute_mac(siphash, (struct str){ (const char *)c->tag_key, 16 }, s, tag, size);
}

static void put_id(unsigned char to[8], int64_t id)
{
	for (int i = 0; i < 8; i++)
		to[i] = (unsigned char)((uint64_t)id >> (56 - 8 * i));
}

static bool seal(const struct crypt *c, int64_t person_id, struct str token, unsigned char *to)
{
	EVP_CIPHER_CTX *x = EVP_CIPHER_CTX_new();
	unsigned char id[8];
	int n;

	put_id(id, person_id);
	random_bytes(to, NONCE_SIZE);
	bool ok = x && EVP_EncryptInit_ex(x, EVP_aes_256_gcm(), NULL, c->seal_key, to) == 1 &&
		EVP_EncryptUpdate(x, NULL, &n, id, sizeof(id)) == 1 &&
		EVP_EncryptUpdate(x, to + NONCE_SIZE, &n, (const unsigned char *)token.p,
			(int)token.n) == 1 &&
		EVP_EncryptFinal_ex(x, to + NONCE_SIZE + token.n, &n) == 1 &&
		EVP_CIPHER_CTX_ctrl(x, EVP_CTRL_GCM_GET_TAG, TAG_SIZE, to + NONCE_SIZE + token.n) ==
			1;
	EVP_CIPHER_CTX_free(x);
	return ok;
}

struct str crypt_seal(const struct crypt *c, struct arena *a, int64_t person_id, struct str token)
{
	unsigned char *sealed = arena_alloc(a, NONCE_SIZE + token.n + TAG_SIZE);

	if (token.n > INT32_MAX || !seal(c, person_id, token, sealed))
		log_die("OpenSSL cannot encrypt with AES-256-GCM");
	return (struct str){ (const char *)sealed, NONCE_SIZE + token.n + TAG_SIZE };
}

struct crypt_stored crypt_store(
	const struct crypt *c, struct arena *a, int64_t person_id, struct str token)
{
	return (struct crypt_stored){ crypt_mac(c, a, token), crypt_seal(c, a, person_id, token) };
}

static bool unseal(const struct crypt *c, int64_t person_id, struct str sealed, unsigned char *to)
{
	EVP_CIPHER_CTX *x = EVP_CIPHER_CTX_new();
	const unsigned char *from = (const unsigned char *)sealed.p;
	size_t length = sealed.n - NONCE_SIZE - TAG_SIZE;
	unsigned char id[8], tag[TAG_SIZE];
	int n;

	put_id(id, person_id);
	memcpy(tag, from + NONCE_SIZE + length, TAG_SIZE);
	/* A wrong key shows only at the end; what fails earlier lacks memory. */
	if (!x || EVP_DecryptInit_ex(x, EVP_aes_256_gcm(), NULL, c->seal_key, from) != 1 ||
		EVP_DecryptUpdate(x, NULL, &n, id, sizeof(id)) != 1 ||
		EVP_DecryptUpdate(x, to, &n, from + NONCE_SIZE, (int)length) != 1 ||
		EVP_CIPHER_CTX_ctrl(x, EVP_CTRL_GCM_SET_TAG, TAG_SIZE, tag) != 1)
		log_die("OpenSSL cannot decrypt with AES-256-GCM");
	bool ok = EVP_DecryptFinal_ex(x, to + length, &n) == 1;
	EVP_CIPHER_CTX_free(x);
	return ok;
}

struct str crypt_open(const struct crypt *c, struct arena *a, int64_t person_id, struct str sealed)
{
	if (sealed.n < NONCE_SIZE + TAG_SIZE || sealed.n > INT32_MAX)
		return (struct str){ 0 };
	size_t length = sealed.n - NONCE_SIZE - TAG_SIZE;
	unsigned char *token = arena_alloc(a, length + 1);
	if (!unseal(c, person_id, sealed, token)) {
		OPENSSL_cleanse(token, length);
		return (struct str){ 0 };
	}
	return (struct str){ (const char *)token, length };
}

/* Passwords -------------------------------------------------------------- */

/*
 * parse_hash has checked the parameters, so this fails only for lack of memory. The program then
 * exits: nobody should hear that a right password is wrong.
 */
static void scrypt(const struct hash *h, struct str password, unsigned char *sum)
{
	bool ok = EVP_PBE_scrypt(password.n ? password.p : "", password.n, h->salt, h->salt_size,
			  (uint64_t)h->n, (uint64_t)h->r, (uint64_t)h->p, (uint64_t)MEMORY_MAX * 2,
			  sum, h->sum_size) == 1;
	if (!ok)
		log_die("OpenSSL cannot compute scrypt");
#ifdef __GLIBC__
	/* Freeing 16 MiB raises malloc's mmap threshold, and the next 16 MiB would stay. */
	malloc_trim(0);
#endif
}

/* Base64 with its padding, of a whole number of groups; the size in bytes or 0. */
static size_t decode(struct str s, unsigned char *to, size_t min, size_t max)
{
	size_t padding = 0;

	if (s.n % 4 != 0 || s.n == 0 || s.n / 4 * 3 > max + 2)
		return 0;
	while (padding < 2 && s.p[s.n - 1 - padding] == '=')
		padding++;
	for (size_t i = 0; i < s.n - padding; i++) {
		char c = s.p[i];
		if (!((c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') ||
			    c == '+' || c == '/'))
			return 0;
	}
	int n = EVP_DecodeBlock(to, (const unsigned char *)s.p, (int)s.n);
	if (n < 0 || (size_t)n < padding)
		return 0;
	size_t size = (size_t)n - padding;
	return size < min || size > max ? 0 : size;
}

static bool parse_hash(struct str s, struct hash *h)
{
	if (!str_equal_z(str_cut(&s, '$'), "scrypt") || !str_to_int(str_cut(&s, '$'), &h->n) ||
		!str_to_int(str_cut(&s, '$'), &h->r) || !str_to_int(str_cut(&s, '$'), &h->p))
		return false;
	if (h->n < N_MIN || h->n > N_MAX || (h->n & (h->n - 1)) != 0 || h->r < 1 || h->r > R_MAX ||
		h->p < 1 || h->p > P_MAX || 128 * h->r * (h->n + h->p) > MEMORY_MAX ||
		(h->r == 1 && h->n >= 65536)) /* RFC 7914: below 2^(128 * r / 8) */
		return false;
	h->salt_size = decode(str_cut(&s, '$'), h->salt, SALT_MIN, SALT_MAX);
	h->sum_size = s.p ? decode(s, h->sum, HASH_MIN, HASH_MAX) : 0;
	return h->salt_size > 0 && h->sum_size > 0;
}

struct str crypt_hash_password(struct arena *a, struct str password)
{
	struct hash h = { SCRYPT_N, SCRYPT_R, SCRYPT_P, .salt_size = SALT_SIZE,
		.sum_size = HASH_SIZE };
	char salt[4 * (SALT_SIZE + 2) / 3 + 1], sum[4 * (HASH_SIZE + 2) / 3 + 1];

	random_bytes(h.salt, SALT_SIZE);
	scrypt(&h, password, h.sum);
	EVP_EncodeBlock((unsigned char *)salt, h.salt, SALT_SIZE);
	EVP_EncodeBlock((unsigned char *)sum, h.sum, HASH_SIZE);
	return arena_printf(a, "scrypt$%d$%d$%d$%s$%s", SCRYPT_N, SCRYPT_R, SCRYPT_P, salt, sum);
}

bool crypt_check_password(struct str hash, struct str password)
{
	struct hash h = { 0 };
	unsigned char sum[HASH_MAX];
	bool known = hash.p && parse_hash(hash, &h);

	if (!known)
		h = (struct hash){ SCRYPT_N, SCRYPT_R, SCRYPT_P, .salt_size = SALT_SIZE,
			.sum_size = HASH_SIZE };
	scrypt(&h, password, sum);
	bool equal = CRYPTO_memcmp(sum, h.sum, h.sum_size) == 0;
	OPENSSL_cleanse(sum, sizeof(sum));
	return known && equal;
}

struct str crypt_password(struct arena *a)
{
	/* 32 letters and digits that cannot be mistaken for each other: 5 bits each. */
	static const char letters[] = "abcdefghijkmnpqrstuvwxyz23456789";
	unsigned char random[PASSWORD_CHARS];
	char *password = arena_alloc(a, PASSWORD_CHARS + 1);

	random_bytes(random, sizeof(random));
	for (int i = 0; i < PASSWORD_CHARS; i++)
		password[i] = letters[random[i] & 31];
	OPENSSL_cleanse(random, sizeof(random));
	return (struct str){ password, PASSWORD_CHARS };
}
