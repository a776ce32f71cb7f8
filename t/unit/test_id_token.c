/* ID tokens: every claim is checked. The key of these tokens is generated here. */
#include <criterion/criterion.h>
#include <openssl/evp.h>

#include "lib/base64url.h"
#include "oidc/id_token.h"

enum { NOW = 1800000000, SIZE = 64 };

static struct arena arena;
static EVP_PKEY *key;
static const struct body *keys;
static bool is_unknown;

static const struct id_token_wanted wanted = { .issuer = { "https://id.example", 18 },
	.client_id = { "planwright", 10 },
	.nonce = { "n-1", 3 },
	.now = NOW };

static void setup(void)
{
	unsigned char raw[32];
	size_t n = sizeof raw;
	const char *problem;
	key = EVP_PKEY_Q_keygen(NULL, NULL, "ED25519");
	cr_assert(key && EVP_PKEY_get_raw_public_key(key, raw, &n) == 1);
	struct str x = base64url_encode(&arena, (struct str){ (const char *)raw, n });
	keys = body_parse(&arena,
		arena_printf(&arena,
			"{\"keys\":[{\"kty\":\"OKP\",\"crv\":\"Ed25519\",\"kid\":\"k\",\"x\":\"%s\"}]}",
			x.p),
		&problem);
}

static void end(void)
{
	EVP_PKEY_free(key);
}

static struct str make(const char *head, const char *claims)
{
	unsigned char signature[SIZE];
	size_t n = sizeof signature;
	struct str text = arena_printf(&arena, "%s.%s", base64url_encode(&arena, str_of(head)).p,
		base64url_encode(&arena, str_of(claims)).p);
	EVP_MD_CTX *ctx = EVP_MD_CTX_new();
	cr_assert(EVP_DigestSignInit(ctx, NULL, NULL, NULL, key) == 1 &&
		EVP_DigestSign(ctx, signature, &n, (const unsigned char *)text.p, text.n) == 1);
	EVP_MD_CTX_free(ctx);
	return arena_printf(&arena, "%s.%s", text.p,
		base64url_encode(&arena, (struct str){ (const char *)signature, n }).p);
}

#define HEAD "{\"alg\":\"EdDSA\",\"kid\":\"k\"}"
#define ISS "\"iss\":\"https://id.example\""
#define AUD "\"aud\":\"planwright\""
#define TIMES "\"exp\":1800000300,\"iat\":1800000000"
#define NONCE "\"nonce\":\"n-1\""
#define SUB "\"sub\":\"ada\""

static const char *read_token(struct str token, struct id_token *found)
{
	return id_token_read(&arena, token, keys, &wanted, found, &is_unknown);
}

static const char *problem_of(const char *claims)
{
	struct id_token found;
	return read_token(make(HEAD, claims), &found);
}

Test(id_token, a_good_one, .init = setup, .fini = end)
{
	struct id_token t;
	cr_assert_null(read_token(
		make(HEAD,
			"{" ISS "," AUD "," TIMES "," NONCE "," SUB
			",\"email\":\"ada@example.com\",\"email_verified\":true,\"name\":\" Ada L \","
			"\"preferred_username\":\"ada\"}"),
		&t));
	cr_expect(str_equal_z(t.subject, "ada") && str_equal_z(t.email, "ada@example.com"));
	cr_expect(
		t.email_verified && str_equal_z(t.name, "Ada L") && str_equal_z(t.username, "ada"));
	cr_assert_null(read_token(make(HEAD, "{" ISS "," AUD "," TIMES "," NONCE "," SUB "}"), &t));
	cr_expect(!t.email.p && !t.email_verified && !t.name.p && !t.username.p);
}

Test(id_token, what_counts_as_an_address, .init = setup, .fini = end)
{
	static const char *const none[] = { "\"@\"", "\"a@\"", "\"@b\"", "\"ab\"", "\"a b@c\"", "7",
		"\"a\\n@b\"", "null" };
	struct id_token t;
	for (size_t i = 0; i < sizeof none / sizeof *none; i++) {
		struct str claims = arena_printf(&arena,
			"{" ISS "," AUD "," TIMES "," NONCE "," SUB
			",\"email\":%s,\"email_verified\":\"true\"}",
			none[i]);
		cr_assert_null(read_token(make(HEAD, claims.p), &t));
		cr_expect(!t.email.p && !t.email_verified, "%s", none[i]);
	}
	cr_assert_null(read_token(
		make(HEAD, "{" ISS "," AUD "," TIMES "," NONCE "," SUB ",\"email_verified\":1}"),
		&t));
	cr_expect_not(t.email_verified);
}

Test(id_token, wrong_claims, .init = setup, .fini = end)
{
	static const char *const rows[][2] = {
		{ "{" AUD "," TIMES "," NONCE "," SUB "}", "another issuer" },
		{ "{\"iss\":\"https://id.example/\"," AUD "," TIMES "," NONCE "," SUB "}",
			"another issuer" },
		{ "{\"iss\":[\"https://id.example\"]," AUD "," TIMES "," NONCE "," SUB "}",
			"another issuer" },
		{ "{" ISS "," TIMES "," NONCE "," SUB "}", "whom it is for" },
		{ "{" ISS ",\"aud\":{}," TIMES "," NONCE "," SUB "}", "whom it is for" },
		{ "{" ISS ",\"aud\":\"other\"," TIMES "," NONCE "," SUB "}", "for another client" },
		{ "{" ISS ",\"aud\":[]," TIMES "," NONCE "," SUB "}", "for another client" },
		{ "{" ISS ",\"aud\":[\"other\"]," TIMES "," NONCE "," SUB "}",
			"for another client" },
		{ "{" ISS ",\"aud\":[\"planwright\",\"other\"]," TIMES "," NONCE "," SUB "}",
			"several clients" },
		{ "{" ISS "," AUD ",\"azp\":\"other\"," TIMES "," NONCE "," SUB "}",
			"issued to another" },
		{ "{" ISS "," AUD ",\"azp\":1," TIMES "," NONCE "," SUB "}", "issued to another" },
		{ "{" ISS "," AUD "," NONCE "," SUB ",\"iat\":1800000000}", "when it expires" },
		{ "{" ISS "," AUD "," NONCE "," SUB ",\"exp\":1800000300}", "when it was issued" },
		{ "{" ISS "," AUD "," NONCE "," SUB ",\"iat\":1800000000,\"exp\":\"1800000300\"}",
			"when it expires" },
		{ "{" ISS "," AUD "," NONCE "," SUB ",\"iat\":1799999900,\"exp\":1799999940}",
			"expired" },
		{ "{" ISS "," AUD "," NONCE "," SUB ",\"iat\":1800000061,\"exp\":1800000300}",
			"in the future" },
		{ "{" ISS "," AUD "," NONCE "," SUB ",\"iat\":1799999339,\"exp\":1800000300}",
			"older than ten" },
		{ "{" ISS "," AUD "," NONCE "," SUB "," TIMES ",\"nbf\":1800000061}",
			"not valid yet" },
		{ "{" ISS "," AUD "," NONCE "," SUB "," TIMES ",\"nbf\":\"x\"}", "not valid yet" },
		{ "{" ISS "," AUD "," TIMES "," SUB "}", "nonce" },
		{ "{" ISS "," AUD "," TIMES ",\"nonce\":\"n-2\"," SUB "}", "nonce" },
		{ "{" ISS "," AUD "," TIMES ",\"nonce\":1," SUB "}", "nonce" },
		{ "{" ISS "," AUD "," TIMES "," NONCE "}", "who signs in" },
		{ "{" ISS "," AUD "," TIMES "," NONCE ",\"sub\":\"\"}", "who signs in" },
		{ "{" ISS "," AUD "," TIMES "," NONCE ",\"sub\":7}", "who signs in" },
		{ "{" ISS "," ISS "," AUD "," TIMES "," NONCE "," SUB "}", "not a signed" },
		{ "[]", "not a signed" },
		{ "{", "not a signed" },
	};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		const char *problem = problem_of(rows[i][0]);
		cr_expect(problem && strstr(problem, rows[i][1]), "%s: %s", rows[i][0],
			problem ? problem : "taken");
	}
}

Test(id_token, borders_of_times_and_audiences, .init = setup, .fini = end)
{
	cr_expect_null(problem_of(
		"{" ISS "," AUD "," NONCE "," SUB ",\"iat\":1800000060,\"exp\":1799999941}"));
	cr_expect_null(problem_of(
		"{" ISS "," AUD "," NONCE "," SUB ",\"iat\":1799999340,\"exp\":1800000300.5}"));
	cr_expect_null(
		problem_of("{" ISS ",\"aud\":[\"planwright\"]," TIMES "," NONCE "," SUB "}"));
	cr_expect_null(
		problem_of("{" ISS ",\"aud\":[\"x\",\"planwright\"],\"azp\":\"planwright\"," TIMES
			   "," NONCE "," SUB "}"));
}

Test(id_token, wrong_heads, .init = setup, .fini = end)
{
	static const char claims[] = "{" ISS "," AUD "," TIMES "," NONCE "," SUB "}";
	static const char *const rows[][2] = {
		{ "{\"alg\":\"none\"}", "another algorithm" },
		{ "{\"alg\":\"HS256\",\"kid\":\"k\"}", "another algorithm" },
		{ "{\"alg\":[\"EdDSA\"]}", "another algorithm" },
		{ "{\"kid\":\"k\"}", "another algorithm" },
		{ "{\"alg\":\"RS256\",\"kid\":\"k\"}", "does not name" },
		{ "{\"alg\":\"EdDSA\",\"kid\":\"other\"}", "does not name" },
		{ "{\"alg\":\"EdDSA\",\"kid\":7}", "other than text" },
		{ "{\"alg\":\"EdDSA\",\"kid\":\"k\",\"crit\":[\"b64\"],\"b64\":false}",
			"extension" },
		{ "7", "not a signed" },
	};
	struct id_token t;
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		const char *problem = read_token(make(rows[i][0], claims), &t);
		cr_expect(problem && strstr(problem, rows[i][1]), "%s: %s", rows[i][0],
			problem ? problem : "taken");
		cr_expect_eq(is_unknown, !strcmp(rows[i][1], "does not name"), "%s", rows[i][0]);
	}
	cr_expect_null(
		read_token(make("{\"alg\":\"EdDSA\"}", claims), &t), "the only key needs no name");
}

Test(id_token, broken_ones, .init = setup, .fini = end)
{
	static const char claims[] = "{" ISS "," AUD "," TIMES "," NONCE "," SUB "}";
	struct id_token t;
	struct str good = make(HEAD, claims);
	for (size_t n = 0; n < good.n; n++)
		cr_expect(read_token((struct str){ good.p, n }, &t), "%zu bytes", n);
	for (size_t i = 0; i < good.n; i++) {
		char *other = arena_chars(&arena, good);
		other[i] = other[i] == 'A' ? 'B' : 'A';
		cr_expect(read_token((struct str){ other, good.n }, &t), "byte %zu", i);
	}
	cr_expect(read_token(arena_printf(&arena, "%s.x.y", good.p), &t),
		"encrypted tokens have five parts");
	struct str large = { arena_alloc(&arena, ID_TOKEN_MAX + 1), ID_TOKEN_MAX + 1 };
	cr_expect(read_token(large, &t));
}

static bool has(const char *list)
{
	const char *problem;
	const struct id_token t = {
		.claims = body_parse(&arena,
			STR("{\"groups\":[\"a\",\"b:c\",7],\"role\":\"boss\",\"staff\":true,\"n\":3,\"x\":null}"),
			&problem)
	};
	return id_token_has(&t, str_of(list));
}

Test(id_token, groups)
{
	static const char *const yes[] = { "groups:a", "groups:b:c", "groups:7", "role:boss",
		"staff:true", "n:3", "groups:z role:boss", "  groups:z   groups:a " };
	static const char *const no[] = { "", " ", "groups:c", "groups",
		"groups:", "role:", "x:null", "staff:false", "n:4", "Groups:a", "role:bosses" };
	for (size_t i = 0; i < sizeof yes / sizeof *yes; i++)
		cr_expect(has(yes[i]), "%s", yes[i]);
	for (size_t i = 0; i < sizeof no / sizeof *no; i++)
		cr_expect_not(has(no[i]), "%s", no[i]);
}
