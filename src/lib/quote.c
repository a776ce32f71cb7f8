#include "lib/quote.h"

#include <string.h>

enum { CHARS_MAX = 60, CHAR_BYTES_MAX = 4 };

static const struct str unknown = { "\xef\xbf\xbd", 3 }, more = { "\xe2\x80\xa6", 3 };

/* C0, DEL and C1: terminals and logs may obey them. */
static bool is_control(struct str c)
{
	unsigned char first = (unsigned char)c.p[0];
	return c.n == 1 ? first < 0x20 || first == 0x7f
			: first == 0xc2 && (unsigned char)c.p[1] < 0xa0;
}

struct str quote_text(struct arena *a, struct str s)
{
	char *to = arena_alloc(a, CHARS_MAX * CHAR_BYTES_MAX + more.n + 1);
	size_t n = 0;

	for (int chars = 0; s.n > 0; chars++) {
		struct str c = { s.p, str_char_size(s) }, as = c;
		if (c.n == 0 || is_control(c))
			as = unknown;
		if (chars == CHARS_MAX)
			as = more;
		memcpy(to + n, as.p, as.n);
		n += as.n;
		if (chars == CHARS_MAX)
			break;
		size_t step = c.n ? c.n : 1;
		s = (struct str){ s.p + step, s.n - step };
	}
	return (struct str){ to, n };
}

struct str quote_line(struct arena *a, struct str s)
{
	char *to = arena_alloc(a, s.n + 1);
	size_t n = 0;

	while (s.n > 0) {
		size_t size = str_char_size(s);
		struct str c = { s.p, size ? size : 1 };
		if (is_control(c))
			to[n++] = ' ';
		else
			memcpy(to + n, c.p, c.n);
		n += is_control(c) ? 0 : c.n;
		s = (struct str){ s.p + c.n, s.n - c.n };
	}
	return (struct str){ to, n };
}

/* The code of a character that terminals, logs or what splits lines may obey; 0: it is none. */
static unsigned obeyed(struct str c)
{
	if (c.n == 1)
		return c.p[0] == 0x7f ? 0x7f : 0;
	if (c.n == 2)
		return is_control(c) ? (unsigned char)c.p[1] : 0;
	bool ends_line =
		c.n == 3 && (!memcmp(c.p, "\xe2\x80\xa8", 3) || !memcmp(c.p, "\xe2\x80\xa9", 3));
	return ends_line ? 0x2000 + ((unsigned char)c.p[2] & 0x3f) : 0;
}

struct str quote_json(struct arena *a, struct str json)
{
	enum { ESCAPED = 6 };
	char *to = arena_alloc(a, json.n * ESCAPED + 1);
	size_t n = 0;

	while (json.n > 0) {
		size_t size = str_char_size(json);
		struct str c = { json.p, size ? size : 1 };
		unsigned code = obeyed(c);
		if (code)
			str_print(to + n, ESCAPED + 1, "\\u%04x", code);
		else
			memcpy(to + n, c.p, c.n);
		n += code ? ESCAPED : c.n;
		json = (struct str){ json.p + c.n, json.n - c.n };
	}
	return (struct str){ to, n };
}
