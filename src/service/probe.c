#include "service/probe.h"

#include <openssl/crypto.h>
#include <string.h>

#include "service/files.h"

/* The key is otherwise used for tickets, none of which begins like a place. */
static struct str signed_name(const struct crypt *crypt, struct arena *a, struct str place)
{
	const struct str key = { (const char *)crypt->ticket_key, sizeof crypt->ticket_key };
	struct str mac = crypt_mac_with(a, key, place);
	char hex[2 * CRYPT_MAC_SIZE + 1];
	for (size_t i = 0; i < CRYPT_MAC_SIZE; i++)
		str_print(hex + 2 * i, 3, "%02x", (unsigned char)mac.p[i]);
	return arena_printf(a, "%s-%s", place.p + sizeof FILES_TESTS - 1, hex);
}

struct probe probe_new(const struct crypt *crypt, struct arena *a)
{
	struct str token = crypt_token(a);
	struct str place = arena_printf(a, FILES_TESTS "%.*s", (int)token.n, token.p);
	return (struct probe){ place, signed_name(crypt, a, place), crypt_token(a) };
}

struct str probe_place(const struct crypt *crypt, struct arena *a, struct str name)
{
	struct str rest = name, token = str_cut(&rest, '-');
	struct str place = arena_printf(a, FILES_TESTS "%.*s", (int)token.n, token.p);
	struct str right = signed_name(crypt, a, place);
	bool is_right = files_is_test(place.p) && name.n == right.n &&
		!CRYPTO_memcmp(name.p, right.p, name.n);
	return is_right ? place : (struct str){ 0 };
}
