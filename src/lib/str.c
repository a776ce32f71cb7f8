#include "lib/str.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

struct str str_of(const char *z)
{
	return (struct str){ z, z ? strlen(z) : 0 };
}

struct str str_print(char *to, size_t size, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	int n = vsnprintf(to, size, format, args);
	va_end(args);
	if (n < 0)
		*to = '\0';
	return (struct str){ to, n < 0 ? 0 : (size_t)n < size ? (size_t)n : size - 1 };
}

bool str_equal(struct str a, struct str b)
{
	return a.n == b.n && (a.n == 0 || memcmp(a.p, b.p, a.n) == 0);
}

bool str_equal_z(struct str a, const char *z)
{
	return str_equal(a, str_of(z));
}

/* Not tolower(): that one follows the locale. */
static char lower(char c)
{
	return c >= 'A' && c <= 'Z' ? (char)(c | 0x20) : c;
}

bool str_equal_nocase(struct str a, struct str b)
{
	if (a.n != b.n)
		return false;
	for (size_t i = 0; i < a.n; i++) {
		if (lower(a.p[i]) != lower(b.p[i]))
			return false;
	}
	return true;
}

static bool is_blank(char c)
{
	return c == ' ' || c == '\t' || c == '\r' || c == '\n';
}

struct str str_trim(struct str s)
{
	while (s.n > 0 && is_blank(s.p[0])) {
		s.p++;
		s.n--;
	}
	while (s.n > 0 && is_blank(s.p[s.n - 1]))
		s.n--;
	return s;
}

struct range {
	uint32_t first, last;
};

/*
 * Unicode 15: White_Space, Default_Ignorable_Code_Point, controls and format controls that
 * stand alone, and the two letters that are drawn as nothing.
 */
static const struct range inkless[] = {
	{ 0x0000, 0x0020 },
	{ 0x007f, 0x00a0 },
	{ 0x00ad, 0x00ad },
	{ 0x034f, 0x034f },
	{ 0x061c, 0x061c },
	{ 0x115f, 0x1160 },
	{ 0x1680, 0x1680 },
	{ 0x17b4, 0x17b5 },
	{ 0x180b, 0x180f },
	{ 0x2000, 0x200f },
	{ 0x2028, 0x202f },
	{ 0x205f, 0x206f },
	{ 0x2800, 0x2800 }, /* a Braille cell without dots */
	{ 0x3000, 0x3000 },
	{ 0x3164, 0x3164 },
	{ 0xfe00, 0xfe0f },
	{ 0xfeff, 0xfeff },
	{ 0xffa0, 0xffa0 },
	{ 0xfff0, 0xfffb },
	{ 0x13430, 0x13440 },
	{ 0x1bca0, 0x1bca3 },
	{ 0x1d159, 0x1d159 }, /* a musical note without a head */
	{ 0x1d173, 0x1d17a },
	{ 0xe0000, 0xe0fff },
};

static bool has_ink(uint32_t c)
{
	for (size_t i = 0; i < sizeof inkless / sizeof *inkless; i++)
		if (c >= inkless[i].first && c <= inkless[i].last)
			return false;
	return true;
}

/* The code point at *p, which moves past it; U+FFFD if the text ends within it. */
static uint32_t next_char(const unsigned char **p, const unsigned char *end)
{
	const unsigned char *at = *p;
	int more = *at < 0x80 ? 0 : *at < 0xe0 ? 1 : *at < 0xf0 ? 2 : 3;
	uint32_t c = more ? *at & (0x3fu >> more) : *at;

	if (end - at <= more) {
		*p = end;
		return 0xfffd;
	}
	for (int i = 1; i <= more; i++)
		c = c << 6 | (at[i] & 0x3f);
	*p += 1 + more;
	return c;
}

bool str_is_blank(struct str s)
{
	const unsigned char *p = (const unsigned char *)s.p, *end = p + s.n;

	while (p < end)
		if (has_ink(next_char(&p, end)))
			return false;
	return true;
}

struct str str_cut(struct str *rest, char separator)
{
	struct str head = *rest;
	const char *at = head.n > 0 ? memchr(head.p, separator, head.n) : NULL;

	if (!at) {
		*rest = (struct str){ NULL, 0 };
		return head;
	}
	head.n = (size_t)(at - head.p);
	rest->p = at + 1;
	rest->n -= head.n + 1;
	return head;
}

bool str_to_int(struct str s, int64_t *value)
{
	bool negative = s.n > 0 && s.p[0] == '-';
	uint64_t limit = (uint64_t)INT64_MAX + negative;
	uint64_t v = 0;
	size_t i = negative;

	if (i == s.n)
		return false;
	for (; i < s.n; i++) {
		unsigned digit = (unsigned)(unsigned char)s.p[i] - '0';
		if (digit > 9 || v > (limit - digit) / 10)
			return false;
		v = v * 10 + digit;
	}
	if (negative)
		*value = v > INT64_MAX ? INT64_MIN : -(int64_t)v;
	else
		*value = (int64_t)v;
	return true;
}

/* True if all eight bytes are ASCII and none is zero. */
static bool is_plain_word(const unsigned char *p)
{
	uint64_t w;

	memcpy(&w, p, sizeof(w));
	return ((w | (w - 0x0101010101010101u)) & 0x8080808080808080u) == 0;
}

/* Length of the well-formed sequence at p, whose first byte is above 0x7f; 0: it is malformed. */
static size_t sequence_length(const unsigned char *p, size_t n)
{
	size_t need;
	unsigned low = 0x80, high = 0xbf; /* bounds of the second byte */

	if (p[0] >= 0xc2 && p[0] <= 0xdf)
		need = 2;
	else if (p[0] >= 0xe0 && p[0] <= 0xef)
		need = 3;
	else if (p[0] >= 0xf0 && p[0] <= 0xf4)
		need = 4;
	else
		return 0;
	if (n < need)
		return 0;
	if (p[0] == 0xe0)
		low = 0xa0;
	else if (p[0] == 0xed)
		high = 0x9f;
	else if (p[0] == 0xf0)
		low = 0x90;
	else if (p[0] == 0xf4)
		high = 0x8f;
	if (p[1] < low || p[1] > high)
		return 0;
	for (size_t i = 2; i < need; i++) {
		if ((p[i] & 0xc0) != 0x80)
			return 0;
	}
	return need;
}

size_t str_char_size(struct str s)
{
	const unsigned char *p = (const unsigned char *)s.p;
	return s.n == 0 || *p == 0 ? 0 : *p < 0x80 ? 1 : sequence_length(p, s.n);
}

bool str_is_text(struct str s)
{
	const unsigned char *p = (const unsigned char *)s.p;
	size_t i = 0;

	while (i < s.n) {
		if (s.n - i >= 8 && is_plain_word(p + i)) {
			i += 8;
		} else if (p[i] < 0x80) {
			if (p[i] == 0)
				return false;
			i++;
		} else {
			size_t step = sequence_length(p + i, s.n - i);
			if (step == 0)
				return false;
			i += step;
		}
	}
	return true;
}

size_t str_count_chars(struct str s)
{
	size_t count = 0;

	for (size_t i = 0; i < s.n; i++)
		count += ((unsigned char)s.p[i] & 0xc0) != 0x80;
	return count;
}

struct str str_head(struct str s, size_t n)
{
	size_t i = 0;

	while (i < s.n && (((unsigned char)s.p[i] & 0xc0) == 0x80 || n-- > 0))
		i++;
	return (struct str){ s.p, i };
}
