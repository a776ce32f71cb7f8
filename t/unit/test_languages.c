#include <criterion/criterion.h>

#include "http/languages.h"

static bool german(const char *list)
{
	return languages_prefer(str_of(list), "de", "en");
}

Test(languages, the_first_that_is_known)
{
	cr_expect(german("de"));
	cr_expect(german("DE-at"));
	cr_expect(german("fr, de;q=0.3"));
	cr_expect(german("de-AT,de;q=0.9,en;q=0.7"));
	cr_expect_not(german("en,de"));
	cr_expect_not(german("en-GB;q=0.9, de"));
	cr_expect_not(german("fr"));
	cr_expect_not(german("*"));
	cr_expect_not(german(""));
}

Test(languages, none_by_half_a_name)
{
	cr_expect_not(german("den"));
	cr_expect_not(german("d"));
}

Test(languages, zero_is_not_at_all)
{
	cr_expect_not(german("de;q=0, en"));
	cr_expect_not(german("de;q=0.000"));
	cr_expect(german("de;q=0.001"));
	cr_expect(german("de;"));
	cr_expect(german("de;x=y"));
}

Test(languages, whatever_comes)
{
	cr_expect_not(german(",,, ,"));
	cr_expect_not(german(";q=0"));
	cr_expect(german(" \tde"));
}
