/* Codes of time steps, and codes as people type them. */
#include <criterion/criterion.h>

#include "domain/second_factor.h"
#include "lib/totp.h"

static struct arena arena;

static const struct str key = { "12345678901234567890", 20 };

/* RFC 6238, appendix B, the rows of SHA-1. */
Test(totp, vectors_of_the_rfc)
{
	static const struct {
		int64_t time;
		const char *code;
	} rows[] = { { 59, "94287082" }, { 1111111109, "07081804" }, { 1111111111, "14050471" },
		{ 1234567890, "89005924" }, { 2000000000, "69279037" },
		{ INT64_C(20000000000), "65353130" } };
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
		cr_expect_str_eq(totp_code(&arena, key, rows[i].time / TOTP_STEP_SECONDS, 8).p,
			rows[i].code);
}

/* RFC 4226, appendix D. */
Test(totp, vectors_of_the_counter)
{
	static const char *const codes[] = { "755224", "287082", "359152", "969429", "338314",
		"254676", "287922", "162583", "399871", "520489" };
	for (int i = 0; i < 10; i++)
		cr_expect_str_eq(totp_code(&arena, key, i, 6).p, codes[i]);
}

static int64_t find(const char *code, int64_t time, int64_t last)
{
	return totp_find(&arena, key, str_of(code), time, last);
}

Test(totp, one_step_to_each_side)
{
	enum { NOW = 5 * TOTP_STEP_SECONDS };
	cr_expect_eq(find("254676", NOW, 0), 5);
	cr_expect_eq(find("254676", NOW + TOTP_STEP_SECONDS - 1, 0), 5);
	cr_expect_eq(find("338314", NOW, 0), 4);
	cr_expect_eq(find("287922", NOW, 0), 6);
	cr_expect_eq(find("969429", NOW, 0), TOTP_NONE);
	cr_expect_eq(find("162583", NOW, 0), TOTP_NONE);
}

Test(totp, none_that_was_accepted_nor_one_before_it)
{
	enum { NOW = 5 * TOTP_STEP_SECONDS };
	cr_expect_eq(find("254676", NOW, 5), TOTP_NONE);
	cr_expect_eq(find("338314", NOW, 5), TOTP_NONE);
	cr_expect_eq(find("287922", NOW, 5), 6);
}

Test(totp, what_is_no_code)
{
	cr_expect_eq(find("", 150, 0), TOTP_NONE);
	cr_expect_eq(find("25467", 150, 0), TOTP_NONE);
	cr_expect_eq(find("2546760", 150, 0), TOTP_NONE);
	cr_expect_eq(find("25467a", 150, 0), TOTP_NONE);
}

static void base32(const char *text, const char *letters)
{
	struct str s = totp_base32(&arena, str_of(text));
	cr_expect(str_equal_z(s, letters), "%s: %.*s", text, (int)s.n, s.p);
}

/* RFC 4648, 10, without the padding. */
Test(totp, base32_of_the_rfc)
{
	base32("", "");
	base32("f", "MY");
	base32("fo", "MZXQ");
	base32("foo", "MZXW6");
	base32("foob", "MZXW6YQ");
	base32("fooba", "MZXW6YTB");
	base32("foobar", "MZXW6YTBOI");
}

Test(totp, address)
{
	struct str uri =
		totp_uri(&arena, STR("plan wright"), STR("ada+x@example.com"), STR("MZXW6YTB"));
	cr_expect(str_equal_z(uri,
			  "otpauth://totp/plan%20wright:ada%2Bx%40example.com?secret=MZXW6YTB"
			  "&issuer=plan%20wright"),
		"%.*s", (int)uri.n, uri.p);
}

Test(totp, codes_as_typed)
{
	cr_expect(str_equal_z(second_factor_tidy(&arena, STR(" 123 456\t")), "123456"));
	cr_expect(str_equal_z(second_factor_tidy(&arena, STR("ABcde-FGHjk")), "abcdefghjk"));
	cr_expect(second_factor_is_step(STR("123456")));
	cr_expect_not(second_factor_is_step(STR("12345")));
	cr_expect_not(second_factor_is_step(STR("12345a")));
	cr_expect_str_eq(second_factor_show(&arena, STR("abcdefghjkmnp")).p, "abcde-fghjk");
}
