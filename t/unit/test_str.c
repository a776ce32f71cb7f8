#include <criterion/criterion.h>

#include "lib/str.h"

Test(str, compares)
{
	cr_assert(str_equal(STR("ab"), STR("ab")));
	cr_assert_not(str_equal(STR("ab"), STR("ac")));
	cr_assert_not(str_equal(STR("ab"), STR("abc")));
	cr_assert(str_equal(str_of(NULL), STR("")));
	cr_assert(str_equal_z(STR("x"), "x"));
	cr_assert_not(str_equal_z(STR("x\0y"), "x"));
	cr_assert(str_equal_nocase(STR("X-Token"), STR("x-tOKEN")));
	/* '@' and '`' differ only in the bit that makes letters lower-case. */
	cr_assert_not(str_equal_nocase(STR("@"), STR("`")));
	cr_assert_not(str_equal_nocase(STR("\xc3\x84"), STR("\xc3\xa4")));
	cr_assert_null(str_of(NULL).p);
}

Test(str, prints_what_fits)
{
	char text[6];
	struct str s = str_print(text, sizeof(text), "%s-%d", "ab", 1);

	cr_assert(str_equal_z(s, "ab-1") && text[4] == '\0');
	s = str_print(text, sizeof(text), "%s", "abcdefgh");
	cr_assert(str_equal_z(s, "abcde") && text[5] == '\0');
	s = str_print(text, 1, "%d", 7);
	cr_assert(s.n == 0 && text[0] == '\0');
}

Test(str, trims)
{
	cr_assert(str_equal_z(str_trim(STR(" \t a b\r\n")), "a b"));
	cr_assert(str_equal_z(str_trim(STR(" \n ")), ""));
	cr_assert_null(str_trim(str_of(NULL)).p);
}

Test(str, cuts_up_to_the_last_piece)
{
	struct str rest = STR("a,,bc");

	cr_assert(str_equal_z(str_cut(&rest, ','), "a"));
	cr_assert(str_equal_z(str_cut(&rest, ','), ""));
	cr_assert_not_null(rest.p);
	cr_assert(str_equal_z(str_cut(&rest, ','), "bc"));
	cr_assert_null(rest.p);
	cr_assert_null(str_cut(&rest, ',').p);

	rest = STR("a,");
	str_cut(&rest, ',');
	cr_assert_not_null(rest.p, "what follows the last separator is empty, not absent");
	cr_assert_eq(rest.n, 0);
}

Test(str, reads_integers)
{
	static const struct {
		const char *text;
		int64_t value;
	} good[] = {
		{ "0", 0 },
		{ "-0", 0 },
		{ "007", 7 },
		{ "-12", -12 },
		{ "9223372036854775807", INT64_MAX },
		{ "-9223372036854775808", INT64_MIN },
	};
	static const char *const bad[] = { "", "-", "+1", " 1", "1 ", "12abc", "1.0", "0x1", "--1",
		"9223372036854775808", "-9223372036854775809", "18446744073709551616",
		"99999999999999999999999999" };
	int64_t v = 77;

	for (size_t i = 0; i < sizeof(good) / sizeof(good[0]); i++) {
		cr_expect(str_to_int(str_of(good[i].text), &v), "%s", good[i].text);
		cr_expect_eq(v, good[i].value, "%s", good[i].text);
	}
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
		cr_expect_not(str_to_int(str_of(bad[i]), &v), "%s", bad[i]);
	cr_assert_not(str_to_int(str_of(NULL), &v));
}

Test(str, knows_text)
{
	static const struct str good[] = {
		{ "", 0 },
		{ NULL, 0 },
		{ "plain ASCII, longer than one word\x7f\x01", 35 },
		{ "12345678\xc2\x80", 10 },
		{ "\xdf\xbf", 2 },
		{ "\xe0\xa0\x80", 3 },
		{ "\xed\x9f\xbf", 3 },
		{ "\xef\xbf\xbf", 3 },
		{ "\xf0\x90\x80\x80", 4 },
		{ "\xf4\x8f\xbf\xbf", 4 },
	};
	static const struct str bad[] = {
		{ "a\0b", 3 },
		{ "12345678901234\0x", 16 },
		{ "\x80", 1 },
		{ "\xc0\xaf", 2 }, /* overlong '/' */
		{ "\xc1\xbf", 2 },
		{ "\xe0\x9f\xbf", 3 },     /* overlong */
		{ "\xed\xa0\x80", 3 },     /* surrogate */
		{ "\xf0\x8f\xbf\xbf", 4 }, /* overlong */
		{ "\xf4\x90\x80\x80", 4 }, /* above U+10FFFF */
		{ "\xf5\x80\x80\x80", 4 },
		{ "\xff", 1 },
		{ "1234567\xc3", 8 }, /* cut off */
		{ "\xe2\x82", 2 },
		{ "\xf0\x9f\x98", 3 },
		{ "\xe2\x82x", 3 },
	};

	for (size_t i = 0; i < sizeof(good) / sizeof(good[0]); i++)
		cr_expect(str_is_text(good[i]), "good %zu", i);
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
		cr_expect_not(str_is_text(bad[i]), "bad %zu", i);
}

/* Scanning by words of eight bytes must find a NUL or a stray byte at any offset. */
Test(str, knows_text_at_every_offset)
{
	char text[40];

	for (size_t at = 0; at < sizeof(text); at++) {
		for (size_t i = 0; i < sizeof(text); i++)
			text[i] = (char)(i % 2 ? 0x7f : 0x01);
		cr_expect(str_is_text((struct str){ text, sizeof(text) }));
		text[at] = '\0';
		cr_expect_not(str_is_text((struct str){ text, sizeof(text) }), "NUL at %zu", at);
		text[at] = (char)0x80;
		cr_expect_not(str_is_text((struct str){ text, sizeof(text) }), "0x80 at %zu", at);
	}
}

Test(str, knows_what_leaves_no_ink)
{
	const struct str blank[] = { STR(""), STR(" \t\r\n\v\f"), STR("\xc2\xa0"),
		STR("\xe2\x80\x8b"), STR("\xc2\x85\xe3\x80\x80"), STR("\xef\xbb\xbf"),
		STR("\xc2\xad\xcd\x8f"), STR("\xe1\x85\x9f\xef\xbe\xa0\xe3\x85\xa4"),
		STR("\xe2\x81\xa0\xe2\x80\xae"), STR("\xf3\xa0\x80\x81"), STR("\xe2\xa0\x80"),
		STR("\x7f\x01") };
	const struct str inked[] = { STR("."), STR(" a"), STR("\xc2\xa0x"),
		STR("\xe2\x80\x8b\xe2\x82\xac"), STR("\xc2\xa1"), STR("\xc2\xac"),
		STR("\xe1\x9a\x81"), STR("\xe2\x80\x90"), STR("\xe2\xa0\x81"),
		STR("\xf0\x9f\x98\x80"), STR("\xe3\x80\x81"), STR("\xef\xbf\xbd") };

	for (size_t i = 0; i < sizeof(blank) / sizeof(blank[0]); i++)
		cr_expect(str_is_blank(blank[i]), "blank %zu", i);
	for (size_t i = 0; i < sizeof(inked) / sizeof(inked[0]); i++)
		cr_expect_not(str_is_blank(inked[i]), "inked %zu", i);
	cr_expect(str_is_blank((struct str){ 0 }));
	cr_expect_not(str_is_blank((struct str){ "\xf3\xa0\x80\x81", 3 }), "cut off");
}

Test(str, counts_characters)
{
	cr_assert_eq(str_count_chars(STR("")), 0);
	cr_assert_eq(str_count_chars(STR("aé€😀")), 4);
}

Test(str, takes_the_first_characters)
{
	cr_assert(str_equal_z(str_head(STR("a\xc3\xa4\xe2\x82\xac!"), 2), "a\xc3\xa4"));
	cr_assert(str_equal_z(str_head(STR("a\xc3\xa4"), 2), "a\xc3\xa4"));
	cr_assert(str_equal_z(str_head(STR("a\xc3\xa4"), 9), "a\xc3\xa4"));
	cr_assert_eq(str_head(STR("\xc3\xa4"), 0).n, 0);
	cr_assert_eq(str_head(str_of(NULL), 3).n, 0);
}

Test(str, knows_how_long_a_character_is)
{
	cr_assert_eq(str_char_size(STR("a\xc3")), 1);
	cr_assert_eq(str_char_size(STR("\xc3\xa4!")), 2);
	cr_assert_eq(str_char_size(STR("\xf0\x9f\x8c\xb1")), 4);
	cr_assert_eq(str_char_size(STR("\xc3")), 0);
	cr_assert_eq(str_char_size(STR("\xa4")), 0);
	cr_assert_eq(str_char_size(STR("\0")), 0);
	cr_assert_eq(str_char_size(str_of(NULL)), 0);
}
