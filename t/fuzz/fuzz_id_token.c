/* Tokens and documents of providers: only signed tokens are accepted, and none here is signed. */
#include <stdint.h>
#include <stdlib.h>

#include "oidc/discovery.h"
#include "oidc/id_token.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const char set[] = "{\"keys\":[{\"kty\":\"OKP\",\"crv\":\"Ed25519\",\"kid\":\"k\","
			  "\"x\":\"11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo\"}]}";

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct arena a = { 0 };
	struct str text = { (const char *)data, size };
	const struct id_token_wanted wanted = { .issuer = STR("https://id.example"),
		.client_id = STR("planwright"),
		.nonce = STR("n"),
		.now = 1800000000 };
	struct id_token token;
	struct discovery found;
	bool is_unknown;
	const char *problem;

	const struct body *keys = body_parse(&a, str_of(set), &problem);
	if (!id_token_read(&a, text, keys, &wanted, &token, &is_unknown))
		abort();
	/* The text as keys, as a document and as an address: */
	const struct body *given = size ? body_parse(&a, text, &problem) : NULL;
	if (given && jwk_verify(&a, given, JWK_RS256, STR("k"), STR("a.b"), STR("c")) == JWK_GOOD)
		abort();
	if (!discovery_read(&a, text, STR("https://id.example"), &found) &&
		(!found.authorization.p || !found.token.p || !found.keys.p))
		abort();
	struct str origin = discovery_origin(text);
	if (origin.p && (origin.p != text.p || origin.n > text.n))
		abort();
	arena_free(&a);
	return 0;
}
