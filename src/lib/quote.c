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
