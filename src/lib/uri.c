#include "lib/uri.h"

#include <string.h>

enum { QUERY_PARAMS_MAX = 200 };

static int hex_digit(char c)
{
	if (c >= '0' && c <= '9')
		return c - '0';
	if (c >= 'a' && c <= 'f')
		return c - 'a' + 10;
	if (c >= 'A' && c <= 'F')
		return c - 'A' + 10;
	return -1;
}

static bool decode(struct arena *a, struct str s, struct str *out)
{
	char *to = arena_alloc(a, s.n + 1);
	size_t n = 0;

	for (size_t i = 0; i < s.n; i++) {
		char c = s.p[i];

		if (c == '+') {
			c = ' ';
		} else if (c == '%') {
			int high = s.n - i > 2 ? hex_digit(s.p[i + 1]) : -1;
			int low = s.n - i > 2 ? hex_digit(s.p[i + 2]) : -1;

			if (high < 0 || low < 0)
				return false;
			c = (char)(high << 4 | low);
			i += 2;
		}
		to[n++] = c;
	}
	*out = (struct str){ to, n };
	return str_is_text(*out);
}

bool uri_parse_form(
	struct arena *a, struct str form, int max, struct uri_param **first, struct str *bad)
{
	struct uri_param **end = first;
	int count = 0;

	*first = NULL;
	*bad = (struct str){ NULL, 0 };
	while (form.p) {
		struct str piece = str_cut(&form, '&');

		if (piece.n == 0)
			continue;
		*bad = piece;
		if (++count > max)
			return false;
		struct str value = piece;
		struct str name = str_cut(&value, '=');
		struct uri_param *param = arena_alloc(a, sizeof(*param));
		if (!decode(a, name, &param->name) || !decode(a, value, &param->value))
			return false;
		*end = param;
		end = &param->next;
	}
	*bad = (struct str){ NULL, 0 };
	return true;
}

bool uri_parse_query(struct arena *a, struct str query, struct uri_param **first, struct str *bad)
{
	return uri_parse_form(a, query, QUERY_PARAMS_MAX, first, bad);
}

const struct uri_param *uri_find(const struct uri_param *first, const char *name)
{
	const struct uri_param *param = first;

	while (param && !str_equal_z(param->name, name))
		param = param->next;
	return param;
}

int uri_split_path(struct str path, struct str *segments, int max)
{
	int count = 0;

	while (path.p) {
		struct str segment = str_cut(&path, '/');

		if (segment.n == 0)
			continue;
		if (count == max)
			return -1;
		segments[count++] = segment;
	}
	return count;
}

bool uri_is_plain(struct str path, const struct str *segments, int n)
{
	size_t length = 0;

	for (int i = 0; i < n; i++)
		length += segments[i].n + 1;
	return length == path.n;
}
