#include <criterion/criterion.h>

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "lib/json.h"

static struct buf out;

static struct json begin(void)
{
	struct json j;

	buf_reset(&out);
	json_init(&j, &out);
	return j;
}

/* The only value of a document, NUL-terminated. */
static const char *result(void)
{
	buf_put_char(&out, '\0');
	return out.p;
}

static const char *text(struct str s)
{
	struct json j = begin();

	json_str(&j, s);
	return result();
}

static const char *number(double v)
{
	struct json j = begin();

	json_float(&j, v);
	return result();
}

static const char *dotted(double v)
{
	struct json j = begin();

	json_float_dot(&j, v);
	return result();
}

Test(json, puts_commas)
{
	struct json j = begin();

	json_object(&j);
	json_key(&j, "a");
	json_array(&j);
	json_int(&j, 1);
	json_int(&j, -2);
	json_array(&j);
	json_array_end(&j);
	json_null(&j);
	json_array_end(&j);
	json_key(&j, "b");
	json_object(&j);
	json_object_end(&j);
	json_key_str(&j, STR("c\"/é"));
	json_bool(&j, true);
	json_key(&j, "d");
	json_raw(&j, STR("[ 1 ]"));
	json_key(&j, "e");
	json_z(&j, "x");
	json_key(&j, "f");
	json_bool(&j, false);
	json_object_end(&j);
	cr_expect_eq(j.depth, 0);
	cr_expect_str_eq(result(),
		"{\"a\":[1,-2,[],null],\"b\":{},\"c\\\"/é\":true,\"d\":[ 1 ],\"e\":\"x\",\"f\":false}");
}

Test(json, escapes)
{
	cr_expect_str_eq(text(STR("")), "\"\"");
	cr_expect_str_eq(text(STR("a/b \"c\" \\d")), "\"a/b \\\"c\\\" \\\\d\"");
	cr_expect_str_eq(text(STR("\b\f\n\r\t")), "\"\\b\\f\\n\\r\\t\"");
	cr_expect_str_eq(text(STR("\x01\x1f\x7f")), "\"\\u0001\\u001f\x7f\"");
	cr_expect_str_eq(text(STR("\0")), "\"\\u0000\"");
	cr_expect_str_eq(text(STR("é€😀")), "\"é€😀\"");
	cr_expect_str_eq(text(str_of(NULL)), "null");
}

/* The scan by machine words must find a byte at any offset, next to any other byte. */
Test(json, escapes_at_every_offset)
{
	static const char before[] = { 0x1f + 1, '!', '#', '[', ']', (char)0x80, (char)0xff };
	char in[24], expected[64];

	for (size_t b = 0; b < sizeof(before); b++) {
		for (size_t at = 0; at < sizeof(in); at++) {
			memset(in, before[b], sizeof(in));
			in[at] = '\n';
			char *to = expected;
			*to++ = '"';
			to = memset(to, before[b], at);
			memcpy(to + at, "\\n", 2);
			memset(to + at + 2, before[b], sizeof(in) - at - 1);
			strcpy(to + sizeof(in) + 1, "\"");
			cr_expect_str_eq(text((struct str){ in, sizeof(in) }), expected);
		}
	}
}

Test(json, writes_numbers_short)
{
	cr_expect_str_eq(number(0), "0");
	cr_expect_str_eq(number(-0.0), "0");
	cr_expect_str_eq(number(1), "1");
	cr_expect_str_eq(number(-13), "-13");
	cr_expect_str_eq(number(0.1), "0.1");
	cr_expect_str_eq(number(0.1 + 0.2), "0.30000000000000004");
	cr_expect_str_eq(number(1.0 / 3), "0.3333333333333333");
	cr_expect_str_eq(number(999999999999999), "999999999999999");
	cr_expect_str_eq(number(1e15), "1e+15");
	cr_expect_str_eq(number(1e300), "1e+300");
	cr_expect_str_eq(number(DBL_MAX), "1.7976931348623157e+308");
	cr_expect_str_eq(number(DBL_MIN), "2.2250738585072014e-308");
	cr_expect_str_eq(number((double)NAN), "null");
	cr_expect_str_eq(number((double)INFINITY), "null");
	cr_expect_str_eq(number((double)-INFINITY), "null");
	cr_expect_str_eq(dotted(9), "9.0");
	cr_expect_str_eq(dotted(-0.0), "0.0");
	cr_expect_str_eq(dotted(9.5), "9.5");
	cr_expect_str_eq(dotted(1e20), "1e+20");
	cr_expect_str_eq(dotted((double)NAN), "null");
}

Test(json, finds_the_objects_of_a_list)
{
	const struct str list = STR("[{\"a\":\"]}{\\\"\\\\\"},{},{\"b\":[{},[]],\"c\":\"\\\\\"}]");
	static const char *const objects[] = { "{\"a\":\"]}{\\\"\\\\\"}", "{}",
		"{\"b\":[{},[]],\"c\":\"\\\\\"}" };
	struct str object;
	size_t at = 0;

	for (size_t i = 0; i < sizeof objects / sizeof *objects; i++) {
		cr_assert(json_next(list, &at, &object));
		cr_expect(str_equal_z(object, objects[i]), "%.*s", (int)object.n, object.p);
	}
	cr_expect(!json_next(list, &at, &object));
	at = 0;
	cr_expect(!json_next(STR("[]"), &at, &object));
}

Test(json, numbers_read_back_alike)
{
	uint64_t state = 88172645463325252u;

	for (int i = 0; i < 20000; i++) {
		double v;
		state ^= state << 13;
		state ^= state >> 7;
		state ^= state << 17;
		memcpy(&v, &state, sizeof(v));
		if (isfinite(v))
			cr_assert_eq(strtod(number(v), NULL), v, "%a", v);
	}
}
