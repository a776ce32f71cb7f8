#include <criterion/criterion.h>

#include <string.h>

#include "lib/buf.h"
#include "lib/form.h"

static struct arena arena;

/* The parsed object as JSON, or the problem. */
static const char *parse(struct str text)
{
	const char *problem;
	struct body *form = form_parse(&arena, text, &problem);

	cr_expect_neq(!form, !problem);
	return form ? body_text(&arena, form).p : problem;
}

Test(form, is_an_object)
{
	cr_expect_str_eq(parse(STR("")), "{}");
	cr_expect_str_eq(parse(STR("&&")), "{}");
	cr_expect_str_eq(parse(STR("a=1&b=x+y&c")), "{\"a\":\"1\",\"b\":\"x y\",\"c\":\"\"}");
	cr_expect_str_eq(
		parse(STR("ids[]=1&ids%5B%5d=-2&ids[]=x")), "{\"ids\":[\"1\",\"-2\",\"x\"]}");
	cr_expect_str_eq(
		parse(STR("[]=1&a[0]=2&b[c]=3")), "{\"\":[\"1\"],\"a[0]\":\"2\",\"b[c]\":\"3\"}");
}

Test(form, refuses)
{
	cr_expect(strstr(parse(STR("a=1&a=2")), "twice"));
	cr_expect(strstr(parse(STR("a=1&a[]=2")), "twice"));
	cr_expect(strstr(parse(STR("a[]=1&a=2")), "twice"));
	cr_expect(strstr(parse(STR("a=%zz")), "percent"));
	cr_expect(strstr(parse(STR("a=%00")), "percent"));
}

Test(form, takes_1000_parameters)
{
	struct buf b = { 0 };

	for (int i = 0; i < 1000; i++)
		buf_put_z(&b, "a[]=1&");
	cr_expect_eq(strlen(parse(buf_str(&b))), strlen("{\"a\":[]}") + 3999);
	buf_put_z(&b, "a[]=1");
	cr_expect(strstr(parse(buf_str(&b)), "1000"));
	buf_free(&b);
}
