#include "lib/base64url.h"

#include <stdint.h>
#include <string.h>

static const char letters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

static int value_of(char c)
{
	if (c >= 'A' && c <= 'Z')
		return c - 'A';
	if (c >= 'a' && c <= 'z')
		return c - 'a' + 26;
	if (c >= '0' && c <= '9')
		return c - '0' + 52;
	return c == '-' ? 62 : c == '_' ? 63 : -1;
}

struct str base64url_decode(struct arena *a, struct str text)
{
	char *to = arena_alloc(a, text.n / 4 * 3 + 3);
	uint32_t bits = 0;
	int held = 0;
	size_t n = 0;

	for (size_t i = 0; i < text.n; i++) {
		int value = value_of(text.p[i]);
		if (value < 0)
			return (struct str){ 0 };
		bits = (bits << 6 | (uint32_t)value) & 0xffff;
		held += 6;
		if (held >= 8) {
			held -= 8;
			to[n++] = (char)(bits >> held);
		}
	}
	if (text.n % 4 == 1 || bits & ((1u << held) - 1))
		return (struct str){ 0 };
	return (struct str){ to, n };
}

struct str base64url_decode_other(struct arena *a, struct str text)
{
	static const char theirs[] = "+/-_", ours[] = "-_??";
	struct str s = text;

	if (s.n % 4)
		return (struct str){ 0 };
	for (int padding = 0; padding < 2 && s.n && s.p[s.n - 1] == '='; padding++)
		s.n--;
	char *p = arena_chars(a, s);
	for (size_t i = 0; i < s.n; i++) {
		const char *at = memchr(theirs, p[i], sizeof theirs - 1);
		if (at)
			p[i] = ours[at - theirs];
	}
	return base64url_decode(a, (struct str){ p, s.n });
}

struct str base64url_encode(struct arena *a, struct str bytes)
{
	char *to = arena_alloc(a, bytes.n / 3 * 4 + 5);
	uint32_t bits = 0;
	int held = 0;
	size_t n = 0;

	for (size_t i = 0; i < bytes.n; i++) {
		bits = (bits << 8 | (unsigned char)bytes.p[i]) & 0xffff;
		for (held += 8; held >= 6; held -= 6)
			to[n++] = letters[bits >> (held - 6) & 63];
	}
	if (held)
		to[n++] = letters[bits << (6 - held) & 63];
	return (struct str){ to, n };
}
