#include <criterion/criterion.h>

#include <stdio.h>
#include <string.h>

#include "lib/buf.h"

Test(buf, collects)
{
	struct buf b = { 0 };

	cr_assert_not_null(buf_str(&b).p, "empty, but not absent");
	buf_put(&b, NULL, 0);
	buf_put_str(&b, str_of(NULL));
	cr_assert_eq(buf_str(&b).n, 0);
	buf_put_z(&b, "a");
	buf_put_char(&b, '\0');
	buf_put_str(&b, STR("bc"));
	buf_printf(&b, "-%d-%s", 12, "x");
	cr_assert(str_equal(buf_str(&b), STR("a\0bc-12-x")));
	buf_reset(&b);
	cr_assert_eq(b.n, 0);
	buf_free(&b);
	cr_assert_null(b.p);
}

Test(buf, writes_integers)
{
	static const int64_t values[] = { 0, 7, -7, 10, 99, 100, INT64_MAX, INT64_MIN };
	struct buf b = { 0 };

	for (size_t i = 0; i < sizeof(values) / sizeof(values[0]); i++) {
		char expected[32];
		buf_reset(&b);
		buf_put_int(&b, values[i]);
		snprintf(expected, sizeof(expected), "%lld", (long long)values[i]);
		cr_expect(str_equal_z(buf_str(&b), expected), "%s", expected);
	}
	buf_free(&b);
}

Test(buf, grows_and_shrinks)
{
	struct buf b = { 0 };
	char *to = buf_reserve(&b, 3000000);

	memset(to, 'x', 3000000);
	b.n += 3000000;
	cr_assert_geq(b.cap, 3000000);
	buf_put_char(&b, 'y');
	cr_assert_eq(b.p[2999999], 'x');
	cr_assert_eq(b.p[3000000], 'y');
	buf_reset(&b);
	cr_assert_leq(b.cap, 1024 * 1024);
	buf_put_z(&b, "after");
	cr_assert(str_equal_z(buf_str(&b), "after"));
	buf_free(&b);
}

Test(buf, reserves_even_nothing)
{
	struct buf b = { 0 };

	cr_assert_not_null(buf_reserve(&b, 0));
	buf_free(&b);
}

Test(buf, formats_long_text)
{
	struct buf b = { 0 };
	char text[1000];

	for (size_t n = 120; n < 140; n++) {
		memset(text, 'a', n);
		text[n] = '\0';
		buf_reset(&b);
		buf_put_char(&b, '<');
		buf_printf(&b, "%s>", text);
		cr_expect_eq(b.n, n + 2);
		cr_expect_eq(b.p[n + 1], '>');
	}
	buf_free(&b);
}

Test(buf, ends_the_process_when_too_large, .exit_code = 1)
{
	struct buf b = { 0 };

	buf_put_char(&b, 'x');
	buf_reserve(&b, SIZE_MAX);
}
