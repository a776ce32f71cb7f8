#include <criterion/criterion.h>
#include <string.h>

#include "lib/quote.h"

static void check(struct str given, const char *quoted)
{
	struct arena a = { 0 };
	struct str s = quote_text(&a, given);
	cr_assert(str_equal_z(s, quoted), "%s is not %s", s.p, quoted);
	cr_assert(str_is_text(s) && s.p[s.n] == '\0');
	arena_free(&a);
}

Test(quote, keeps_what_is_plain)
{
	check(STR("tools/list"), "tools/list");
	check(STR("\xc3\xa4 '\"\\"), "\xc3\xa4 '\"\\");
	check(STR(""), "");
	check(str_of(NULL), "");
}

Test(quote, replaces_what_is_no_text)
{
	check(STR("a\0b\n\x7f"),
		"a\xef\xbf\xbd"
		"b\xef\xbf\xbd\xef\xbf\xbd");
	check(STR("\xc2\x85\xc2\xa0"), "\xef\xbf\xbd\xc2\xa0");
	check(STR("\xff\xe2\x82"), "\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd");
}

Test(quote, a_line_has_no_controls)
{
	struct arena a = { 0 };
	cr_assert_str_eq(quote_line(&a, STR("a\tb\nc\x7f\xc2\x9b\xc3\xa9")).p, "a b c  \xc3\xa9");
	cr_assert_str_eq(quote_line(&a, STR("")).p, "");
	arena_free(&a);
}

static void check_json(struct str given, const char *quoted)
{
	struct arena a = { 0 };
	struct str s = quote_json(&a, given);
	cr_assert(str_equal_z(s, quoted), "%s is not %s", s.p, quoted);
	arena_free(&a);
}

Test(quote, json_stays_on_one_line)
{
	check_json(STR("{\"a\":\"\xc3\xa9\\n\xf0\x9f\x98\x80\xc2\xa0\xe2\x80\xa6\"}"),
		"{\"a\":\"\xc3\xa9\\n\xf0\x9f\x98\x80\xc2\xa0\xe2\x80\xa6\"}");
	check_json(STR("\"\x7f\xc2\x80\xc2\x9f\xe2\x80\xa8\xe2\x80\xa9\""),
		"\"\\u007f\\u0080\\u009f\\u2028\\u2029\"");
	check_json(STR("\xff\xe2\x80"), "\xff\xe2\x80");
	check_json(STR(""), "");
}

Test(quote, cuts_between_characters)
{
	enum { ONES = 59, MANY = 99 };
	char sixty[MANY] = "", more[MANY] = "", given[MANY] = "";
	memset(sixty, 'x', ONES);
	strcat(sixty, "\xc3\xa4");
	strcat(strcpy(more, sixty), "\xe2\x80\xa6");
	check(str_of(sixty), sixty);
	check(str_of(strcat(strcpy(given, sixty), "\xc3")), more);
	check(str_of(strcat(strcpy(given, sixty), "yz")), more);
}
