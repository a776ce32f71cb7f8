/* Sites of passkeys, and challenges; what authenticators sign is tested in t/http/test_passkeys.py. */
#include <criterion/criterion.h>

#include "lib/webauthn.h"
#include "service/challenge.h"

static struct arena arena;

Test(webauthn, sites)
{
	static const struct {
		const char *origin, *host;
		bool may;
	} rows[] = { { "https://plan.example.com", "plan.example.com", true },
		{ "https://plan.example.com:8443", "plan.example.com", true },
		{ "http://plan.example.com", "plan.example.com", false },
		{ "http://localhost:8080", "localhost", true },
		{ "http://localhost.example", "localhost.example", false },
		{ "https://192.0.2.7", "192.0.2.7", false },
		{ "https://[2001:db8::7]:8443", "[2001:db8::7]", false },
		{ "http://127.0.0.1:8080", "127.0.0.1", false } };
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct webauthn_site site = webauthn_site(str_of(rows[i].origin));
		cr_expect(str_equal_z(site.host, rows[i].host), "%s", rows[i].origin);
		cr_expect_eq(webauthn_may(site), rows[i].may, "%s", rows[i].origin);
	}
}

enum { PERSON = 7, SECOND = 1000000 };

Test(challenge, whose_and_when)
{
	const int64_t now = INT64_C(1800000000) * SECOND;
	struct crypt ours, others;
	cr_assert(crypt_init(&ours, STR("0123456789012345678901234567890123456789")));
	cr_assert(crypt_init(&others, STR("another secret of forty characters.......")));
	struct str made = challenge_make(&ours, &arena, PERSON, now);
	cr_expect_eq(challenge_read(&ours, &arena, PERSON, now, made), now);
	cr_expect_eq(
		challenge_read(&ours, &arena, PERSON, now + CHALLENGE_SECONDS * SECOND, made), now);
	cr_expect_eq(
		challenge_read(&ours, &arena, PERSON, now + CHALLENGE_SECONDS * SECOND + 1, made),
		0);
	cr_expect_eq(challenge_read(&ours, &arena, PERSON, now - 61 * SECOND, made), 0);
	cr_expect_eq(challenge_read(&ours, &arena, PERSON + 1, now, made), 0);
	cr_expect_eq(challenge_read(&ours, &arena, 0, now, made), 0);
	cr_expect_eq(challenge_read(&others, &arena, PERSON, now, made), 0);
	for (size_t i = 0; i < made.n; i++) {
		struct str changed = arena_str(&arena, made);
		((char *)(uintptr_t)changed.p)[i] ^= 1;
		cr_expect_eq(challenge_read(&ours, &arena, PERSON, now, changed), 0, "byte %zu", i);
	}
	for (size_t n = 0; n < made.n; n++)
		cr_expect_eq(
			challenge_read(&ours, &arena, PERSON, now, (struct str){ made.p, n }), 0);
}
