#include "lib/json.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

/* Integral values up to this one lose no digit and stay readable without an exponent. */
static const double integral_limit = 1e15;

void json_init(struct json *j, struct buf *out)
{
	*j = (struct json){ .out = out };
}

bool json_is_full(const struct json *j)
{
	return (j->limit && j->out->n > j->limit) || (j->held && held_is_too_much(j->held));
}

/* Before each value and each key. */
static void separate(struct json *j)
{
	if (j->comma)
		buf_put_char(j->out, ',');
	j->comma = true;
}

static void open_scope(struct json *j, char c)
{
	separate(j);
	buf_put_char(j->out, c);
	j->comma = false;
	j->depth++;
}

static void close_scope(struct json *j, char c)
{
	assert(j->depth > 0);
	buf_put_char(j->out, c);
	j->comma = true;
	j->depth--;
}

void json_object(struct json *j)
{
	open_scope(j, '{');
}

void json_object_end(struct json *j)
{
	close_scope(j, '}');
}

void json_array(struct json *j)
{
	open_scope(j, '[');
}

void json_array_end(struct json *j)
{
	close_scope(j, ']');
}

void json_key(struct json *j, const char *name)
{
	size_t n = strlen(name);

	assert(j->depth > 0);
	separate(j);
	char *to = buf_reserve(j->out, n + 3);
	to[0] = '"';
	memcpy(to + 1, name, n);
	to[n + 1] = '"';
	to[n + 2] = ':';
	j->out->n += n + 3;
	j->comma = false;
}

static bool needs_escape(unsigned char c)
{
	return c < 0x20 || c == '"' || c == '\\';
}

/* How many bytes at the beginning of s can be put into JSON as they are. */
static size_t plain_length(struct str s)
{
	const uint64_t ones = 0x0101010101010101u, tops = 0x8080808080808080u;
	size_t i = 0;

	/* Eight bytes at a time: a top bit is set where a byte is below 0x20, '"' or '\'. */
	for (; s.n - i >= 8; i += 8) {
		uint64_t w, quote, slash;

		memcpy(&w, s.p + i, sizeof(w));
		quote = w ^ (ones * '"');
		slash = w ^ (ones * '\\');
		if ((((w - ones * 0x20) & ~w) | ((quote - ones) & ~quote) |
			    ((slash - ones) & ~slash)) &
			tops)
			break;
	}
	while (i < s.n && !needs_escape((unsigned char)s.p[i]))
		i++;
	return i;
}

static void put_escaped(struct buf *b, unsigned char c)
{
	static const char hex[] = "0123456789abcdef";
	static const char from[] = "\"\\\b\f\n\r\t", to[] = "\"\\bfnrt";
	const char *at = c ? strchr(from, c) : NULL;

	if (at) {
		buf_put(b, (char[]){ '\\', to[at - from] }, 2);
	} else {
		buf_put(b, (char[]){ '\\', 'u', '0', '0', hex[c >> 4], hex[c & 15] }, 6);
	}
}

static void put_text(struct buf *b, struct str s)
{
	char *to = buf_reserve(b, s.n + 2);

	*to = '"';
	b->n++;
	for (;;) {
		size_t run = plain_length(s);

		buf_put(b, s.p, run);
		if (run == s.n)
			break;
		put_escaped(b, (unsigned char)s.p[run]);
		s.p += run + 1;
		s.n -= run + 1;
	}
	buf_put_char(b, '"');
}

void json_key_str(struct json *j, struct str name)
{
	assert(j->depth > 0);
	separate(j);
	put_text(j->out, name);
	buf_put_char(j->out, ':');
	j->comma = false;
}

void json_str(struct json *j, struct str s)
{
	if (!s.p) {
		json_null(j);
		return;
	}
	separate(j);
	put_text(j->out, s);
}

void json_z(struct json *j, const char *z)
{
	json_str(j, str_of(z));
}

void json_int(struct json *j, int64_t v)
{
	separate(j);
	buf_put_int(j->out, v);
}

void json_bool(struct json *j, bool v)
{
	json_raw(j, v ? STR("true") : STR("false"));
}

void json_null(struct json *j)
{
	json_raw(j, STR("null"));
}

static bool is_integral(double v)
{
	return v > -integral_limit && v < integral_limit && v == (double)(int64_t)v;
}

static void put_shortest(struct buf *b, double v)
{
	char text[32];
	struct str s = { 0 };

	for (int digits = 15; digits <= 17; digits++) {
		s = str_print(text, sizeof(text), "%.*g", digits, v);
		if (strtod(text, NULL) == v)
			break;
	}
	buf_put_str(b, s);
}

void json_float(struct json *j, double v)
{
	if (v - v != 0) { /* NaN and infinities, which JSON does not have */
		json_null(j);
		return;
	}
	separate(j);
	if (is_integral(v))
		buf_put_int(j->out, (int64_t)v);
	else
		put_shortest(j->out, v);
}

void json_float_dot(struct json *j, double v)
{
	json_float(j, v);
	if (is_integral(v))
		buf_put_str(j->out, STR(".0"));
}

void json_raw(struct json *j, struct str value)
{
	separate(j);
	buf_put_str(j->out, value);
}

void json_put_z(struct json *j, const char *name, const char *z)
{
	json_key(j, name);
	json_z(j, z);
}

void json_put_int(struct json *j, const char *name, int64_t v)
{
	json_key(j, name);
	json_int(j, v);
}

void json_put_bool(struct json *j, const char *name, bool v)
{
	json_key(j, name);
	json_bool(j, v);
}

void json_put_object(struct json *j, const char *name)
{
	json_key(j, name);
	json_object(j);
}

void json_put_array(struct json *j, const char *name)
{
	json_key(j, name);
	json_array(j);
}

/*
 * Where the value that begins at this byte ends: after its last bracket. The text is our own, so
 * brackets match.
 */
static size_t end_of(struct str text, size_t at)
{
	int depth = 0;
	for (bool is_text = false; at < text.n; at++) {
		char c = text.p[at];
		if (is_text && c == '\\')
			at++;
		else if (c == '"')
			is_text = !is_text;
		else if (!is_text && (c == '{' || c == '['))
			depth++;
		else if (!is_text && (c == '}' || c == ']') && --depth == 0)
			return at + 1;
	}
	return at;
}

bool json_next(struct str list, size_t *at, struct str *object)
{
	while (*at < list.n && list.p[*at] != '{')
		(*at)++;
	size_t end = end_of(list, *at);
	*object = (struct str){ list.p + *at, end - *at };
	*at = end;
	return object->n > 0;
}
