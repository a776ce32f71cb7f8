#include <criterion/criterion.h>

#include <string.h>

#include "lib/buf.h"
#include "service/fields.h"

static struct arena arena;

static void write_list(struct buf *out, const struct fields *f)
{
	for (; f; f = f->next) {
		buf_put_str(out, f->name);
		if (f->has_list) {
			buf_put_char(out, '(');
			write_list(out, f->list);
			buf_put_char(out, ')');
		}
		if (f->next)
			buf_put_char(out, ',');
	}
}

/* The parsed list, written again, or the problem. */
static const char *parse(struct str text)
{
	static struct buf out;
	const char *problem = "unset";
	struct fields *f = fields_parse(&arena, text, &problem);

	buf_reset(&out);
	write_list(&out, f);
	if (problem) {
		cr_expect_null(f);
		buf_put_z(&out, problem);
	}
	buf_put_char(&out, '\0');
	return out.p;
}

Test(fields, parses)
{
	static const char *const same[] = { "", "id", "id,name", ":default", "labels(name)",
		":default,comments(:default,file_attachments(:default,uploader))",
		":default,epics(:default,label(name)),x", "labels()", "a(b()),c", "a(b(c(d)))",
		"A_9" };

	for (size_t i = 0; i < sizeof(same) / sizeof(same[0]); i++)
		cr_expect_str_eq(parse(str_of(same[i])), same[i]);
	cr_expect_str_eq(parse(STR(" \t")), "");
	cr_expect_str_eq(parse(str_of(NULL)), "");
	cr_expect_str_eq(
		parse(STR(" id , labels ( name , :default ) ")), "id,labels(name,:default)");
}

Test(fields, an_empty_list_differs_from_none)
{
	const char *problem;
	struct fields *f = fields_parse(&arena, STR("a(),b"), &problem);

	cr_assert(f->has_list);
	cr_assert_null(f->list);
	cr_assert_not(f->next->has_list);
}

Test(fields, refuses)
{
	static const struct {
		const char *text, *problem;
	} rows[] = {
		{ ",", "a name is missing at character 1 of the list of fields" },
		{ "id,", "a name is missing at character 4 of the list of fields" },
		{ "id,,name", "a name is missing at character 4 of the list of fields" },
		{ "a(,b)", "a name is missing at character 3 of the list of fields" },
		{ "a(b,)", "a name is missing at character 5 of the list of fields" },
		{ "(a)", "a name is missing at character 1 of the list of fields" },
		{ "-id", "a name is missing at character 1 of the list of fields" },
		{ "a(", "a name is missing at character 3 of the list of fields" },
		{ "a(b", "a ')' is missing at character 4 of the list of fields" },
		{ "a(b(c)", "a ')' is missing at character 7 of the list of fields" },
		{ "a)", "the ')' has no opening '(' at character 2 of the list of fields" },
		{ "a())", "the ')' has no opening '(' at character 4 of the list of fields" },
		{ "a b", "unexpected text at character 3 of the list of fields" },
		{ "a(b)c", "unexpected text at character 5 of the list of fields" },
		{ "a()(b)", "unexpected text at character 4 of the list of fields" },
		{ "a.b", "unexpected text at character 2 of the list of fields" },
		{ "name\xc3\xa9", "unexpected text at character 5 of the list of fields" },
		{ ":all",
			"only ':default' can begin with a colon: at character 1 of the list of fields" },
		{ ": default", NULL },
		{ ":default(a)",
			"':default' cannot have a list at character 9 of the list of fields" },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		const char *problem = NULL;
		cr_expect_null(fields_parse(&arena, str_of(rows[i].text), &problem));
		cr_expect_not_null(problem, "%s", rows[i].text);
		if (problem && rows[i].problem)
			cr_expect_str_eq(problem, rows[i].problem);
	}
}

static struct str nested(int depth)
{
	static struct buf b;

	buf_reset(&b);
	for (int i = 0; i < depth; i++)
		buf_put_z(&b, "a(");
	buf_put_z(&b, "b");
	for (int i = 0; i < depth; i++)
		buf_put_char(&b, ')');
	return buf_str(&b);
}

Test(fields, bounds_depth_and_number)
{
	struct buf b = { 0 };
	const char *problem;

	cr_assert_not_null(fields_parse(&arena, nested(32), &problem));
	cr_assert_null(fields_parse(&arena, nested(33), &problem));
	cr_assert_not_null(strstr(problem, "nested more than 32"));
	cr_assert_null(fields_parse(&arena, nested(1000), &problem));
	for (int i = 0; i < 999; i++)
		buf_put_z(&b, "a,");
	buf_put_z(&b, "a");
	cr_assert_not_null(fields_parse(&arena, buf_str(&b), &problem));
	buf_put_z(&b, ",a");
	cr_assert_null(fields_parse(&arena, buf_str(&b), &problem));
	cr_assert_not_null(strstr(problem, "more than 1000"));
	buf_free(&b);
}
