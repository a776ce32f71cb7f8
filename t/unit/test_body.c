#include <criterion/criterion.h>

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "lib/body.h"
#include "lib/buf.h"

static struct arena arena;

/* The parsed value, written as JSON again, or the problem. */
static const char *parse(struct str text)
{
	const char *problem = "unset";
	struct body *value = body_parse(&arena, text, &problem);

	cr_expect_neq(value == NULL, problem == NULL);
	return value ? body_text(&arena, value).p : problem;
}

#define REFUSED(text, expected) cr_expect_str_eq(parse(STR(text)), expected)

Test(body, parses)
{
	static const char *const same[] = { "null", "true", "false", "0", "12", "-3", "1.5", "\"\"",
		"\"a\"", "[]", "{}", "[[],{}]", "{\"a\":{\"a\":[1,{\"a\":null}]},\"b\":\"a\"}",
		"9223372036854775807", "-9223372036854775808", "[1,\"é€😀\",null]",
		"\"\\\"\\\\\\b\\f\\n\\r\\t\\u0001/\"", "{\"\":1}", "{\"\\n\":1}" };

	for (size_t i = 0; i < sizeof(same) / sizeof(same[0]); i++)
		cr_expect_str_eq(parse(str_of(same[i])), same[i]);
	cr_expect_str_eq(
		parse(STR(" { \"a\" :\t1 ,\r\n\"b\":[ 1 , 2 ] } \n")), "{\"a\":1,\"b\":[1,2]}");
	cr_expect_str_eq(parse(STR("\"\\u00e9\\u20AC\\ud83d\\ude00\\/\"")), "\"é€😀/\"");
}

Test(body, types)
{
	const char *problem;
	struct body *b = body_parse(&arena,
		STR("{\"t\":\"x\\ny\",\"i\":5,\"f\":5.0,\"e\":5e0,\"b\":true,\"n\":null,\"a\":[7,8],\"o\":{}}"),
		&problem);

	cr_assert_eq(b->type, BODY_OBJECT);
	cr_assert_eq(b->count, 8);
	cr_assert_eq(body_get(b, "t")->type, BODY_TEXT);
	cr_assert_str_eq(body_get(b, "t")->text.p, "x\ny");
	cr_assert_eq(body_get(b, "t")->text.n, 3);
	cr_assert_eq(body_get(b, "i")->type, BODY_INT);
	cr_assert_eq(body_get(b, "i")->integer, 5);
	cr_assert_eq(body_get(b, "f")->type, BODY_FLOAT);
	cr_assert_eq(body_get(b, "f")->number, 5);
	cr_assert_eq(body_get(b, "e")->type, BODY_FLOAT);
	cr_assert_eq(body_get(b, "b")->type, BODY_BOOL);
	cr_assert(body_get(b, "b")->boolean);
	cr_assert_eq(body_get(b, "n")->type, BODY_NULL);
	cr_assert_eq(body_get(b, "a")->type, BODY_ARRAY);
	cr_assert_eq(body_get(b, "a")->count, 2);
	cr_assert_eq(body_get(b, "a")->first->next->integer, 8);
	cr_assert_null(body_get(b, "a")->first->key.p);
	cr_assert_null(body_get(b, "a")->first->next->next);
	cr_assert_eq(body_get(b, "o")->count, 0);
	cr_assert_str_eq(b->first->key.p, "t");
	cr_assert_null(body_get(b, "x"));
	cr_assert_null(body_get(body_get(b, "a"), "x"));
	cr_assert_null(body_get(NULL, "x"));
}

Test(body, empty)
{
	REFUSED("", "it is empty");
	REFUSED(" \r\n\t", "it is empty");
	cr_expect_str_eq(parse(str_of(NULL)), "it is empty");
}

/* What json-c 0.16 lets through: one test for each. */
Test(body, single_quotes)
{
	REFUSED("{'a':1}", "unexpected text at byte 2");
	REFUSED("[\"a\", 'b']", "unexpected text at byte 7");
}

Test(body, nan_and_infinity)
{
	REFUSED("[NaN]", "unexpected text at byte 2");
	REFUSED("NaN", "unexpected text at byte 1");
	REFUSED("[nan]", "unexpected text at byte 2");
	REFUSED("[Infinity]", "unexpected text at byte 2");
	REFUSED("[-Infinity]", "a broken number at byte 2");
	REFUSED("[inf]", "unexpected text at byte 2");
}

Test(body, numbers_beyond_double)
{
	REFUSED("[1e999]", "a number that is too large at byte 2");
	REFUSED("[-1.5e400]", "a number that is too large at byte 2");
	cr_expect_str_eq(parse(STR("[1e-999]")), "[0.0]");
	cr_expect_str_eq(parse(STR("1e308")), "1e+308");
}

Test(body, integers_beyond_64_bits)
{
	REFUSED("[-9223372036854775809]", "an integer that does not fit into 64 bits at byte 2");
	REFUSED("{\"a\":-99999999999999999999}",
		"an integer that does not fit into 64 bits at byte 6");
}

Test(body, positive_integers_beyond_64_bits_are_numbers)
{
	static const char *const texts[] = { "9223372036854775808", "18446744073709551615",
		"18446744073709551616", "9223372036854775808999" };
	for (int i = 0; i < 4; i++) {
		const char *problem;
		struct arena a = { 0 };
		struct body *v = body_parse(&a, str_of(texts[i]), &problem);
		cr_expect(v && v->type == BODY_FLOAT && v->number >= 9223372036854775808.0);
		arena_free(&a);
	}
	cr_expect_str_eq(parse(STR("9223372036854775807")), "9223372036854775807");
}

Test(body, duplicate_keys)
{
	REFUSED("{\"a\":1,\"a\":2}", "a key is given twice in the object at byte 1");
	REFUSED("{\"a\":1,\"\\u0061\":2}", "a key is given twice in the object at byte 1");
	REFUSED("[{\"a\":1},{\"b\":{}},{\"c\":[],\"b\":{\"x\":0,\"y\":{\"x\":1},\"x\":1}}]",
		"a key is given twice in the object at byte 31");
	REFUSED("{\"a\":{\"b\":1},\"a\":{\"b\":1,\"c\":2}}",
		"a key is given twice in the object at byte 1");
	cr_expect_str_eq(parse(STR("{\"a\":{\"a\":1},\"b\":{\"a\":\"a:a\"}}")),
		"{\"a\":{\"a\":1},\"b\":{\"a\":\"a:a\"}}");
}

Test(body, control_characters)
{
	REFUSED("\"a\x01\"", "a control character in a string at byte 3");
	REFUSED("\"a\nb\"", "a control character in a string at byte 3");
	REFUSED("[\x01]", "unexpected text at byte 2");
	REFUSED("[1,\x0b 2]", "unexpected text at byte 4");
	REFUSED("[1,\x0c 2]", "unexpected text at byte 4");
	cr_expect_str_eq(parse(STR("\"\x7f\"")), "\"\x7f\"");
}

Test(body, malformed_utf8)
{
	REFUSED("\"\xc0\xaf\"", "it is not UTF-8 text");
	REFUSED("\"\xed\xa0\x80\"", "it is not UTF-8 text");
	REFUSED("\"\xff\"", "it is not UTF-8 text");
	REFUSED("{\"\x80\":1}", "it is not UTF-8 text");
	REFUSED("[1]\xe2", "it is not UTF-8 text");
	REFUSED("[1]\0", "it is not UTF-8 text");
	REFUSED("\xef\xbb\xbf{}", "unexpected text at byte 1");
}

Test(body, nul)
{
	REFUSED("\"a\\u0000b\"", "the character U+0000, which text cannot contain, at byte 3");
	REFUSED("{\"a\\u0000\":1}", "the character U+0000, which text cannot contain, at byte 4");
}

Test(body, lone_surrogates)
{
	REFUSED("\"\\ud800\"", "half a surrogate pair at byte 2");
	REFUSED("\"\\udc00\"", "half a surrogate pair at byte 2");
	REFUSED("\"\\ud800x\"", "half a surrogate pair at byte 2");
	REFUSED("\"\\ud800\\n\"", "half a surrogate pair at byte 2");
	REFUSED("\"\\ud800\\ud800\"", "half a surrogate pair at byte 2");
	REFUSED("\"\\ud83d\\u0041\"", "half a surrogate pair at byte 2");
	REFUSED("\"\\ud83d\\ude0", "half a surrogate pair at byte 2");
	REFUSED("{\"\\uDFFF\":1}", "half a surrogate pair at byte 3");
}

static struct str nested(const char *open, const char *close, int depth)
{
	static struct buf b;

	buf_reset(&b);
	for (int i = 0; i < depth; i++)
		buf_put_z(&b, open);
	buf_put_z(&b, "1");
	for (int i = 0; i < depth; i++)
		buf_put_z(&b, close);
	return buf_str(&b);
}

Test(body, nesting)
{
	cr_expect_eq(parse(nested("[", "]", 32))[0], '[');
	cr_expect_str_eq(parse(nested("[", "]", 33)), "nesting of more than 32 levels at byte 33");
	cr_expect_eq(parse(nested("{\"a\":", "}", 32))[0], '{');
	cr_expect_str_eq(
		parse(nested("{\"a\":", "}", 33)), "nesting of more than 32 levels at byte 161");
	cr_expect_str_eq(
		parse(nested("[", "]", 200000)), "nesting of more than 32 levels at byte 33");
}

/* Tokens that are not JSON. */
Test(body, tokens)
{
	static const char *const bad[] = { "[01]", "[-01]", "[+1]", "[.5]", "[1.]", "[1.e5]",
		"[1e]", "[1e+]", "[-]", "[--1]", "[0x10]", "[1.2.3]", "[1e5e5]", "[1-2]", "[1_000]",
		"[True]", "[TRUE]", "[Null]", "[tru]", "[truefalse]", "[nulll]", "[/* a */1]",
		"[1] // a", "\"\\x41\"", "\"\\'\"", "\"\\u00g0\"", "\"\\u12\"", "\"\\", "\"a",
		"[\"a]", "\"\\\"", "undefined", "{a:1}", "[\"a\"b]", "-", "\\u0041", "[\xc2\xa0]" };

	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		const char *problem = NULL;
		cr_expect_null(body_parse(&arena, str_of(bad[i]), &problem), "%s", bad[i]);
		cr_expect_not_null(problem, "%s", bad[i]);
	}
}

/* Tokens in an order that is not JSON: json-c checks that. */
Test(body, structure)
{
	static const char *const bad[] = { "[1,]", "[,1]", "[1,,2]", "[1 2]", "[", "]", "[1", "[1,",
		"[}", "{]", "{", "}", "{\"a\"}", "{\"a\":}", "{\"a\":1,}", "{,}", "{:1}", "{1:2}",
		"{\"a\",1}", "{\"a\":1 \"b\":2}", "{\"a\":1:2}", "[1:2]", "[:]", ":", ",", "1,",
		"{}{}", "[] []", "1 2", "12 \"a\"", "\"a\"\"b\"", "nullnull", "[1]]", "{\"a\":1}}",
		"{} x", "[\"a\"\"b\"]", "{\"a\"\"b\":1}", "{null:1}", "[{\"a\":1]", "{\"a\":[1}" };

	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		const char *problem = NULL;
		cr_expect_null(body_parse(&arena, str_of(bad[i]), &problem), "%s", bad[i]);
		cr_expect_not_null(problem, "%s", bad[i]);
	}
	REFUSED("[1,2", "unexpected end at byte 5");
	REFUSED("{\"a\":1} x", "unexpected text at byte 9");
	REFUSED("{\"a\":1} 1", "unexpected text at byte 9");
	REFUSED("[1,]", "unexpected text at byte 4");
	REFUSED("{\"a\":1 , }", "unexpected text at byte 10");
	REFUSED("{\"a\" 1}", "object property name separator ':' expected at byte 6");
}

Test(body, text_is_not_read_beyond_its_end)
{
	cr_expect_str_eq(parse((struct str){ "123", 2 }), "12");
	cr_expect_str_eq(parse((struct str){ "truex", 4 }), "true");
	cr_expect_str_eq(parse((struct str){ "true", 3 }), "unexpected text at byte 1");
	cr_expect_str_eq(parse((struct str){ "\"a\"", 2 }), "an unterminated string at byte 1");
}

Test(body, builds)
{
	struct body *o = body_new_object(&arena);
	struct body list = { .type = BODY_ARRAY };

	body_append(o, STR("t"), body_new_text(&arena, STR("a\"")));
	body_append(o, STR("i"), body_new_int(&arena, -4));
	body_append(o, STR("b"), body_new_bool(&arena, true));
	body_append(&list, str_of(NULL), body_new_int(&arena, 1));
	body_append(&list, str_of(NULL), body_new_int(&arena, 2));
	body_append(o, STR("l"), &list);
	cr_assert_eq(o->count, 4);
	cr_assert_str_eq(
		body_text(&arena, o).p, "{\"t\":\"a\\\"\",\"i\":-4,\"b\":true,\"l\":[1,2]}");
}

/* "[1,1,…]" or "[{"a":1},{"a":1},…]": a list of n elements, which may be lists themselves. */
static struct str list_of(const char *element, size_t n)
{
	size_t width = strlen(element) + 1;
	char *p = arena_alloc(&arena, n * width + 2), *to = p;

	*to++ = '[';
	for (size_t i = 0; i < n; i++)
		to = stpcpy(stpcpy(to, element), i + 1 < n ? "," : "");
	*to++ = ']';
	return (struct str){ p, (size_t)(to - p) };
}

Test(body, at_most_fifty_thousand_values)
{
	const char *problem;

	cr_expect_not_null(body_parse(&arena, list_of("1", 49999), &problem));
	cr_expect_str_eq(parse(list_of("1", 50000)), "more than 50000 values at byte 100000");
	cr_expect_not_null(body_parse(&arena, list_of("{\"a\":1}", 24999), &problem));
	cr_expect_str_eq(
		parse(list_of("{\"a\":1}", 25000)), "more than 50000 values at byte 199995");
	cr_expect_str_eq(parse(list_of("{}", 349000)), "more than 50000 values at byte 149999");
	cr_expect_str_eq(parse(list_of("\"]\"", 50000)), "more than 50000 values at byte 199998");
}

static int strdup_fails; /* at which call; 0: at none */

/* Replaces the C library's, for json-c. */
char *strdup(const char *z)
{
	size_t n = strlen(z) + 1;
	char *copy = strdup_fails && --strdup_fails == 0 ? NULL : malloc(n);

	if (!copy)
		errno = ENOMEM;
	return copy ? memcpy(copy, z, n) : NULL;
}

/* json-c copies a member's name twice; without memory for the second copy, it drops the member. */
Test(body, a_text_is_good_or_nothing_without_memory)
{
	for (int n = 2; n <= 4; n += 2) {
		int status;
		pid_t child = fork();
		if (child == 0) {
			strdup_fails = n;
			_exit(strcmp(parse(STR("{\"a\":\"x\",\"b\":1}")), "{\"a\":\"x\",\"b\":1}")
					? 2
					: 0);
		}
		cr_assert_eq(waitpid(child, &status, 0), child);
		cr_expect(WIFEXITED(status) && WEXITSTATUS(status) <= 1, "at %d: %x", n,
			(unsigned)status);
	}
}
