/*
 * What a browser says about a passkey: client data, a newline, and the authenticator's bytes. A fuzzer cannot sign
 * anything, so nothing is ever accepted, and there is always an error message.
 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "lib/webauthn.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const struct webauthn_site site = webauthn_site(STR("https://plan.example.com"));
	const struct str all = { (const char *)data, size };
	const char *newline = size ? memchr(all.p, '\n', size) : NULL;
	const size_t first = newline ? (size_t)(newline - all.p) : size;
	const struct webauthn_said said = { { all.p, first },
		newline ? (struct str){ newline + 1, size - first - 1 } : STR("") };
	struct webauthn_key key = { .public_key = said.authenticator, .alg = WEBAUTHN_ES256 };
	struct arena a = { 0 };
	struct str challenge = { 0 };

	const char *wrong =
		webauthn_challenge(&a, &site, "webauthn.create", said.client, &challenge);
	if (wrong ? !*wrong : !challenge.p)
		abort();
	wrong = webauthn_made(&a, &site, &said, &key);
	if (!wrong && (key.credential.n == 0 || key.credential.n > WEBAUTHN_CREDENTIAL_MAX))
		abort();
	if (!webauthn_has(&a, &site, &said, STR("no signature"), &key))
		abort();
	arena_free(&a);
	return 0;
}
