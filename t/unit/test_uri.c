#include <criterion/criterion.h>

#include <string.h>

#include "lib/buf.h"
#include "lib/uri.h"

static struct arena arena;

/* "name=value;" of each parameter, or "bad: piece". */
static const char *parse(struct str query)
{
	static struct buf out;
	struct uri_param *first;
	struct str bad;

	buf_reset(&out);
	if (uri_parse_query(&arena, query, &first, &bad)) {
		cr_expect_null(bad.p);
		for (; first; first = first->next) {
			buf_put_str(&out, first->name);
			buf_put_char(&out, '=');
			buf_put_str(&out, first->value);
			buf_put_char(&out, ';');
			cr_expect_eq(first->name.p[first->name.n], '\0');
			cr_expect_eq(first->value.p[first->value.n], '\0');
		}
	} else {
		buf_put_z(&out, "bad: ");
		buf_put_str(&out, bad);
	}
	buf_put_char(&out, '\0');
	return out.p;
}

Test(uri, parses_queries)
{
	cr_expect_str_eq(parse(STR("")), "");
	cr_expect_str_eq(parse(str_of(NULL)), "");
	cr_expect_str_eq(parse(STR("a=1&b=2")), "a=1;b=2;");
	cr_expect_str_eq(parse(STR("&&a=1&")), "a=1;");
	cr_expect_str_eq(parse(STR("a&b=&=c")), "a=;b=;=c;");
	cr_expect_str_eq(parse(STR("a=1&a=2")), "a=1;a=2;");
	cr_expect_str_eq(parse(STR("a=b=c")), "a=b=c;");
	cr_expect_str_eq(parse(STR("a+b=c%2Bd%20e%3d%26")), "a b=c+d e=&;");
	cr_expect_str_eq(parse(STR("q=%C3%a9")), "q=é;");
	cr_expect_str_eq(parse(STR("fields=id,name(%3Adefault)")), "fields=id,name(:default);");
}

Test(uri, names_what_is_wrong)
{
	cr_expect_str_eq(parse(STR("a=1&b=%&c=2")), "bad: b=%");
	cr_expect_str_eq(parse(STR("b=%4")), "bad: b=%4");
	cr_expect_str_eq(parse(STR("b=%4g")), "bad: b=%4g");
	cr_expect_str_eq(parse(STR("%zz=1")), "bad: %zz=1");
	cr_expect_str_eq(parse(STR("b=%00")), "bad: b=%00");
	cr_expect_str_eq(parse(STR("b=%c0%af")), "bad: b=%c0%af");
	cr_expect_str_eq(parse(STR("b=\xff")), "bad: b=\xff");
	cr_expect_str_eq(parse(STR("b=%ED%A0%80")), "bad: b=%ED%A0%80");
}

Test(uri, takes_200_parameters)
{
	char query[600] = "";
	struct uri_param *first;
	struct str bad;

	for (int i = 0; i < 200; i++)
		strcat(query, "x&");
	cr_assert(uri_parse_query(&arena, str_of(query), &first, &bad));
	strcat(query, "last");
	cr_assert_not(uri_parse_query(&arena, str_of(query), &first, &bad));
	cr_assert(str_equal_z(bad, "last"));
}

Test(uri, finds_the_first)
{
	struct uri_param *first;
	struct str bad;

	cr_assert(uri_parse_query(&arena, STR("a=1&b=2&a=3"), &first, &bad));
	cr_assert(str_equal_z(uri_find(first, "a")->value, "1"));
	cr_assert(str_equal_z(uri_find(first, "b")->value, "2"));
	cr_assert_null(uri_find(first, "c"));
	cr_assert_null(uri_find(first, "A"));
	cr_assert_null(uri_find(NULL, "a"));
}

Test(uri, splits_paths)
{
	struct str s[3];

	cr_assert_eq(uri_split_path(STR("/projects/1/stories"), s, 3), 3);
	cr_assert(str_equal_z(s[0], "projects"));
	cr_assert(str_equal_z(s[1], "1"));
	cr_assert(str_equal_z(s[2], "stories"));
	cr_assert_eq(uri_split_path(STR("//a///b/"), s, 3), 2);
	cr_assert(str_equal_z(s[1], "b"));
	cr_assert_eq(uri_split_path(STR("/"), s, 3), 0);
	cr_assert_eq(uri_split_path(STR(""), s, 3), 0);
	cr_assert_eq(uri_split_path(str_of(NULL), s, 3), 0);
	cr_assert_eq(uri_split_path(STR("/a/b/c/"), s, 3), 3);
	cr_assert_eq(uri_split_path(STR("/a/b/c/d"), s, 3), -1);
}
