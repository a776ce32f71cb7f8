/* Signatures of ID tokens, and base64 for URLs. */
#include <criterion/criterion.h>

#include "lib/base64url.h"
#include "oidc/jwk.h"

static struct arena arena;

/* RFC 7515, A.2 and A.3; RFC 8037, A.4. */
#define RSA_N                                                                                         \
	"ofgWCuLjybRlzo0tZWJjNiuSfb4p4fAkd_wWJcyQoTbji9k0l8W26mPddxHmfHQp-Vaw-4qPCJrcS2mJPMEzP1Pt0"   \
	"Bm4d4QlL-yRT-SFd2lZS-pCgNMsD1W_YpRPEwOWvG6b32690r2jZ47soMZo9wGzjb_7OMg0LOL-bSf63kpaSHSXndS5" \
	"z5rexMdbBYUsLA9e-KXBdQOS-UTo7WTBEMa2R2CapHg665xsmtdVMTBQY4uDZlxvb3qCo5ZwKh9kG4LT6_I5IhlJH7a" \
	"GhyxXFvUK-DWNmoudF8NAco9_h9iaGNj8q2ethFkMLs91kzk2PAcDTW9gb54h4FRWyuXpoQ"
#define RSA "{\"kty\":\"RSA\",\"kid\":\"one\",\"n\":\"" RSA_N "\",\"e\":\"AQAB\"}"
#define EC                                                                                         \
	"{\"kty\":\"EC\",\"crv\":\"P-256\",\"x\":\"f83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEU\"," \
	"\"y\":\"x_FEzRu9m36HLN_tue659LNpXW6pCyStikYjKIWI5a0\"}"
#define OKP                                                                                        \
	"{\"kty\":\"OKP\",\"crv\":\"Ed25519\",\"x\":\"11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo\"}"
#define CLAIMS                                                                                     \
	"eyJpc3MiOiJqb2UiLA0KICJleHAiOjEzMDA4MTkzODAsDQogImh0dHA6Ly9leGFtcGxlLmNvbS9pc19yb290Ijp0cnVlfQ"

static const struct vector {
	enum jwk_alg alg;
	const char *key, *text, *signature;
} vectors[] = {
	{ JWK_RS256, RSA, "eyJhbGciOiJSUzI1NiJ9." CLAIMS,
		"cC4hiUPoj9Eetdgtv3hF80EGrhuB__dzERat0XF9g2VtQgr9PJbu3XOiZj5RZmh7AAuHIm4Bh-0Qc_lF5YKt_O8W"
		"2Fp5jujGbds9uJdbF9CUAr7t1dnZcAcQjbKBYNX4BAynRFdiuB--f_nZLgrnbyTyWzO75vRK5h6xBArLIARNPvkS"
		"jtQBMHlb1L07Qe7K0GarZRmB_eSN9383LcOLn6_dO--xi12jzDwusC-eOkHWEsqtFZESc6BfI7noOPqvhJ1phCnv"
		"Wh6IeYI2w9QOYEUipUTI8np6LbgGY9Fs98rqVt5AXLIhWkWywlVmtVrBp0igcN_IoypGlUPQGe77Rw" },
	{ JWK_ES256, EC, "eyJhbGciOiJFUzI1NiJ9." CLAIMS,
		"DtEhU3ljbEg8L38VWAfUAqOyKAM6-Xx-F4GawxaepmXFCgfTjDxw5djxLa8ISlSApmWQxfKTUJqPP3-Kg6NU1Q" },
	{ JWK_EDDSA, OKP, "eyJhbGciOiJFZERTQSJ9.RXhhbXBsZSBvZiBFZDI1NTE5IHNpZ25pbmc",
		"hgyY0il_MGCjP0JzlnLWG1PPOt7-09PGcvMg3AIbQR6dWbhijcNR4ki4iylGjg5BhVsPt9g7sVvpAr_MuM0KAg" },
};
enum { VECTORS = sizeof vectors / sizeof *vectors };

static const struct body *keys_of(const char *list)
{
	const char *problem;
	const struct body *keys =
		body_parse(&arena, arena_printf(&arena, "{\"keys\":[%s]}", list), &problem);
	cr_assert(keys, "%s", problem);
	return keys;
}

static enum jwk_result check(const char *keys, const struct vector *v, const char *kid)
{
	return jwk_verify(&arena, keys_of(keys), v->alg, str_of(kid), str_of(v->text),
		base64url_decode(&arena, str_of(v->signature)));
}

Test(jwk, vectors_of_the_rfcs)
{
	for (int i = 0; i < VECTORS; i++) {
		cr_expect_eq(check(vectors[i].key, &vectors[i], NULL), JWK_GOOD, "%d", i);
		cr_expect_eq(
			check(RSA "," EC "," OKP, &vectors[i], NULL), JWK_GOOD, "%d of all", i);
	}
}

Test(jwk, another_text_or_signature)
{
	for (int i = 0; i < VECTORS; i++) {
		struct vector other = vectors[i];
		other.text = "eyJhbGciOiJub25lIn0.e30";
		cr_expect_eq(check(vectors[i].key, &other, NULL), JWK_WRONG, "%d", i);
		other = vectors[i];
		other.signature = vectors[(i + 1) % VECTORS].signature;
		cr_expect_eq(check(vectors[i].key, &other, NULL), JWK_WRONG, "%d", i);
		other.signature = "AAAA";
		cr_expect_eq(check(vectors[i].key, &other, NULL), JWK_WRONG, "%d", i);
	}
}

Test(jwk, the_key_is_chosen_by_its_name)
{
	static const char two[] =
		"{\"kty\":\"OKP\",\"crv\":\"Ed25519\",\"kid\":\"a\",\"x\":\"11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo\"},"
		"{\"kty\":\"OKP\",\"crv\":\"Ed25519\",\"kid\":\"b\",\"x\":\"__________________________________________8\"}";
	const struct vector *v = &vectors[2];
	cr_expect_eq(check(two, v, "a"), JWK_GOOD);
	cr_expect_eq(check(two, v, "b"), JWK_WRONG);
	cr_expect_eq(check(two, v, "c"), JWK_UNKNOWN);
	cr_expect_eq(check(two, v, NULL), JWK_UNKNOWN);
	cr_expect_eq(check("", v, NULL), JWK_UNKNOWN);
	cr_expect_eq(check("1,null,[],\"x\"," OKP, v, NULL), JWK_GOOD);
}

Test(jwk, keys_for_something_else)
{
	static const char *const keys[] = {
		"{\"kty\":\"oct\",\"k\":\"AAAA\"}",
		"{\"kty\":\"RSA\",\"use\":\"enc\",\"n\":\"" RSA_N "\",\"e\":\"AQAB\"}",
		"{\"kty\":\"RSA\",\"alg\":\"RS512\",\"n\":\"" RSA_N "\",\"e\":\"AQAB\"}",
		"{\"kty\":\"RSA\",\"n\":\"" RSA_N "\",\"e\":\"AQ\"}",
		"{\"kty\":\"RSA\",\"n\":\"" RSA_N "\"}",
		"{\"kty\":\"RSA\",\"n\":\"AQAB\",\"e\":\"AQAB\"}",
		"{\"kty\":\"RSA\",\"n\":17,\"e\":\"AQAB\"}",
	};
	for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
		cr_expect_eq(check(keys[i], &vectors[0], NULL), JWK_UNKNOWN, "%s", keys[i]);
	/* A point that is not on the curve. */
	cr_expect_eq(
		check("{\"kty\":\"EC\",\"crv\":\"P-256\",\"x\":\"f83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEU\","
		      "\"y\":\"f83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEU\"}",
			&vectors[1], NULL),
		JWK_UNKNOWN);
}

Test(jwk, no_other_algorithm)
{
	static const char *const names[] = { "none", "None", "HS256", "RS384", "PS256", "ES384",
		"rs256", "" };
	for (size_t i = 0; i < sizeof names / sizeof *names; i++)
		cr_expect_eq(jwk_alg(str_of(names[i])), JWK_NO_ALG, "%s", names[i]);
	cr_expect_eq(jwk_alg((struct str){ 0 }), JWK_NO_ALG);
	cr_expect_eq(
		check(RSA, &(struct vector){ JWK_NO_ALG, RSA, "a", "AAAA" }, NULL), JWK_UNKNOWN);
}

Test(base64url, with_other_letters_and_padding)
{
	static const char *const rows[][2] = { { "", "" }, { "+/8=", "\xfb\xff" }, { "YQ==", "a" },
		{ "YWI=", "ab" }, { "YWJj", "abc" } };
	static const char *const wrong[] = { "-_8=", "+/8", "+/8==", "YR==", "YQ=", "YQ", "=",
		"====", "Y===", "Y=Q=", "YWI=YWI=", "YW I", "YWJj\n" };
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct str s = base64url_decode_other(&arena, str_of(rows[i][0]));
		cr_expect(s.p && str_equal_z(s, rows[i][1]), "%s", rows[i][0]);
	}
	for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
		cr_expect_null(base64url_decode_other(&arena, str_of(wrong[i])).p, "%s", wrong[i]);
}

/* RFC 4648, section 10, without padding; and the two other letters of section 5. */
Test(base64url, there_and_back)
{
	static const char *const rows[][2] = { { "", "" }, { "f", "Zg" }, { "fo", "Zm8" },
		{ "foo", "Zm9v" }, { "foob", "Zm9vYg" }, { "fooba", "Zm9vYmE" },
		{ "foobar", "Zm9vYmFy" }, { "\xfb\xff", "-_8" } };
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		cr_expect_str_eq(base64url_encode(&arena, str_of(rows[i][0])).p, rows[i][1]);
		cr_expect(str_equal(
			base64url_decode(&arena, str_of(rows[i][1])), str_of(rows[i][0])));
	}
}

Test(base64url, what_is_none)
{
	static const char *const texts[] = { "Z", "Zh", "Zm9", "Zg==", "Z g", "Zm9v\n", "+/8",
		"Zm9vY" };
	for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
		cr_expect(!base64url_decode(&arena, str_of(texts[i])).p, "%s", texts[i]);
}
