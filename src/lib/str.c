#include "lib/str.h"

#include <string.h>

struct str str_of(const char *z)
{
	return (struct str){ z, z ? strlen(z) : 0 };
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

/* Length of the well-formed sequence at p, of a byte above 0x7f; 0 if it is none. */
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
