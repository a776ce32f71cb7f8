/* What a provider says about itself, and where browsers are sent. */
#include <criterion/criterion.h>

#include "oidc/discovery.h"

static struct arena arena;

static const char *read_as(const char *issuer, const char *more, struct discovery *d)
{
	struct str document = arena_printf(&arena,
		"{\"issuer\":\"https://id.example/x\",\"authorization_endpoint\":\"https://id.example/auth\","
		"\"token_endpoint\":\"https://api.example/token\",\"jwks_uri\":\"https://id.example/keys\"%s}",
		more);
	return discovery_read(&arena, document, str_of(issuer), d);
}

static const char *read_with(const char *more, struct discovery *d)
{
	return read_as("https://id.example/x", more, d);
}

Test(discovery, what_is_needed)
{
	struct discovery d;
	cr_assert_null(read_with("", &d));
	cr_expect(str_equal_z(d.authorization, "https://id.example/auth"));
	cr_expect(str_equal_z(d.token, "https://api.example/token"));
	cr_expect(str_equal_z(d.keys, "https://id.example/keys"));
	cr_expect(!d.end_session.p && !d.names_issuer && !d.takes_post);
	cr_assert_null(
		read_with(",\"end_session_endpoint\":\"https://id.example/out?a=b\","
			  "\"authorization_response_iss_parameter_supported\":true,"
			  "\"token_endpoint_auth_methods_supported\":[\"client_secret_post\"]",
			&d));
	cr_expect(d.names_issuer && d.takes_post);
	cr_expect_str_eq(
		discovery_end_session(&arena, &d, STR("me & you"), STR("https://p.example/signin"))
			.p,
		"https://id.example/out?a=b&client_id=me%20%26%20you&post_logout_redirect_uri=https%3A%2F%2Fp.example%2Fsignin");
}

Test(discovery, the_issuer_is_the_same_to_the_last_slash)
{
	struct discovery d;
	static const char *const others[] = { "https://id.example/x/", "https://id.example",
		"https://ID.example/x" };
	for (size_t i = 0; i < sizeof others / sizeof *others; i++)
		cr_expect(strstr(read_as(others[i], "", &d), "another issuer"));
}

Test(discovery, what_it_must_offer)
{
	struct discovery d;
	cr_expect(
		strstr(read_with(",\"response_types_supported\":[\"id_token\"]", &d), "code flow"));
	cr_expect(
		strstr(read_with(",\"code_challenge_methods_supported\":[\"plain\"]", &d), "PKCE"));
	cr_expect(strstr(read_with(",\"code_challenge_methods_supported\":\"S256\"", &d), "PKCE"));
	cr_expect_null(read_with(",\"code_challenge_methods_supported\":[\"plain\",\"S256\"]", &d));
}

Test(discovery, no_document)
{
	struct discovery d;
	static const char *const texts[] = { "", "[]", "null", "<html>", "{\"issuer\":1}", "{}" };
	for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
		cr_expect(discovery_read(&arena, str_of(texts[i]), STR("https://id.example"), &d),
			"%s", texts[i]);
}

static const char *with_token(const char *issuer, const char *token)
{
	struct discovery d;
	return discovery_read(&arena,
		arena_printf(&arena,
			"{\"issuer\":\"%s\",\"authorization_endpoint\":\"%s/a\",\"jwks_uri\":\"%s/k\","
			"\"token_endpoint\":\"%s\"}",
			issuer, issuer, issuer, token),
		str_of(issuer), &d);
}

Test(discovery, addresses_of_another_origin_have_tls)
{
	static const char local[] = "http://127.0.0.1:9000";
	cr_expect_null(with_token(local, "http://127.0.0.1:9000/token"));
	cr_expect_null(with_token(local, "https://api.example/token"));
	static const char *const bad[] = { "http://127.0.0.1:9001/token", "http://127.0.0.1/token",
		"http://localhost:9000/token", "http://api.example/token", "file:///etc/passwd",
		"//api.example/token", "https://", "https:///token",
		"https://user@api.example/token", "https://api.example/\\\"",
		"ftp://api.example/" };
	for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
		cr_expect(with_token(local, bad[i]), "%s", bad[i]);
	cr_expect(with_token("https://id.example", "http://id.example/token"));
}

Test(discovery, origins)
{
	static const char *const rows[][2] = { { "https://a.example", "https://a.example" },
		{ "https://a.example:8443/x?y", "https://a.example:8443" },
		{ "https://a.example?y", "https://a.example" },
		{ "http://[::1]:80/", "http://[::1]:80" } };
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
		cr_expect(str_equal_z(discovery_origin(str_of(rows[i][0])), rows[i][1]), "%s",
			rows[i][0]);
	cr_expect(!discovery_origin((struct str){ 0 }).p);
}

Test(discovery, its_document)
{
	cr_expect_str_eq(discovery_address(&arena, STR("https://a.example/realm")).p,
		"https://a.example/realm/.well-known/openid-configuration");
	cr_expect_str_eq(discovery_address(&arena, STR("https://a.example/")).p,
		"https://a.example/.well-known/openid-configuration");
}

/* The challenge is from RFC 7636, appendix B. */
Test(discovery, where_a_browser_goes)
{
	const struct discovery_request q = { .client_id = STR("planwright"),
		.redirect = STR("https://p.example/session/oidc/x/callback"),
		.state = STR("s"),
		.nonce = STR("n"),
		.verifier = STR("dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk") };
	cr_expect_str_eq(discovery_authorization(&arena, STR("https://a.example/auth"), &q).p,
		"https://a.example/auth?response_type=code&scope=openid%20email%20profile&client_id=planwright"
		"&redirect_uri=https%3A%2F%2Fp.example%2Fsession%2Foidc%2Fx%2Fcallback&state=s&nonce=n"
		"&code_challenge=E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM&code_challenge_method=S256");
	cr_expect(strstr(discovery_authorization(&arena, STR("https://a.example/auth?p=b2c"), &q).p,
		"?p=b2c&response_type=code"));
}
