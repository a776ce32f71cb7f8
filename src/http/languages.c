#include "http/languages.h"

#include <string.h>
#include <strings.h>

/* Is the range "de-AT;q=0.9" one of the language? */
static bool is_of(struct str range, const char *language)
{
	size_t n = strlen(language);
	if (range.n < n || strncasecmp(range.p, language, n) != 0)
		return false;
	return range.n == n || strchr("-; \t", range.p[n]);
}

static bool is_refused(struct str range)
{
	const char *q = memchr(range.p, ';', range.n);
	size_t n = q ? range.n - (size_t)(q - range.p) : 0;
	while (n && strchr("; \tq=", *q))
		q++, n--;
	bool digits = n > 0;
	for (size_t i = 0; i < n; i++)
		digits = digits && strchr("0. \t", q[i]);
	return digits;
}

bool languages_prefer(struct str list, const char *language, const char *other)
{
	while (list.n) {
		const char *comma = memchr(list.p, ',', list.n);
		struct str range = { list.p, comma ? (size_t)(comma - list.p) : list.n };
		list.p += range.n + (comma != NULL);
		list.n -= range.n + (comma != NULL);
		while (range.n && strchr(" \t", *range.p))
			range.p++, range.n--;
		if (range.n == 0 || is_refused(range))
			continue;
		if (is_of(range, language))
			return true;
		if (is_of(range, other))
			return false;
	}
	return false;
}
