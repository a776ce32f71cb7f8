#include <criterion/criterion.h>
#include <string.h>

#include "lib/seal.h"

static struct arena arena;

Test(seal, opens_with_its_passphrase_alone)
{
	struct str sealed = seal_close(&arena, STR("correct horse"), STR("the secret"));
	struct str again = seal_close(&arena, STR("correct horse"), STR("the secret"));

	cr_expect(str_equal_z(seal_open(&arena, STR("correct horse"), sealed), "the secret"));
	cr_expect_null(seal_open(&arena, STR("Correct horse"), sealed).p);
	cr_expect_not(str_equal(sealed, again), "salt and nonce are new each time");
	cr_expect_null(memmem(sealed.p, sealed.n, "the secret", 10));
}

Test(seal, what_was_changed_is_refused)
{
	struct str sealed = seal_close(&arena, STR("correct horse"), STR("s"));
	static const size_t places[] = { 0, 8, 24, 36, 37, 52 };

	for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
		char *bytes = arena_chars(&arena, sealed);
		struct str copy = { bytes, sealed.n };
		bytes[places[i]] ^= 1;
		cr_expect_null(seal_open(&arena, STR("correct horse"), copy).p, "%zu", places[i]);
	}
	for (size_t n = 0; n < sealed.n; n += 13)
		cr_expect_null(
			seal_open(&arena, STR("correct horse"), (struct str){ sealed.p, n }).p);
}
