#include "old/old_time.h"

#include <stdio.h>
#include <string.h>

#include "lib/when.h"

void old_time_put(struct buf *b, int64_t us)
{
	size_t from = b->n;
	when_put_iso(b, us);
	for (size_t i = from; i < b->n; i++)
		b->p[i] = b->p[i] == '-' ? '/' : b->p[i] == 'T' ? ' ' : b->p[i];
	b->n--; /* the Z */
	buf_put_z(b, " UTC");
}

static const struct {
	const char *name;
	const char *offset;
} zones[] = {
	{ "", "Z" },
	{ "Z", "Z" },
	{ "UTC", "Z" },
	{ "GMT", "Z" },
	{ "EST", "-05:00" },
	{ "EDT", "-04:00" },
	{ "CST", "-06:00" },
	{ "CDT", "-05:00" },
	{ "MST", "-07:00" },
	{ "MDT", "-06:00" },
	{ "PST", "-08:00" },
	{ "PDT", "-07:00" },
};

/* Takes a number of at most `most` digits off the beginning. */
static bool take_number(struct str *s, size_t most, int *value)
{
	size_t n = 0;
	*value = 0;
	while (n < most && n < s->n && s->p[n] >= '0' && s->p[n] <= '9')
		*value = *value * 10 + (s->p[n++] - '0');
	*s = (struct str){ s->p + n, s->n - n };
	return n > 0;
}

static bool take_char(struct str *s, const char *any)
{
	bool is_there = s->n > 0 && *s->p && strchr(any, *s->p);
	if (is_there)
		*s = (struct str){ s->p + 1, s->n - 1 };
	return is_there;
}

/* The time of day; it may be missing, and so may its seconds. */
static bool take_clock(struct str *s, int clock[3])
{
	if (!take_char(s, " T"))
		return s->n == 0;
	for (int i = 0; i < 3; i++)
		if ((i > 0 && !take_char(s, ":")) || !take_number(s, 2, &clock[i]))
			return i > 1;
	return true;
}

bool old_time_read(struct str text, int64_t *us)
{
	struct str s = str_trim(text);
	int day[3], clock[3] = { 0 };
	if (when_parse(s, us))
		return true;
	for (int i = 0; i < 3; i++)
		if ((i > 0 && !take_char(&s, "/-")) || !take_number(&s, i ? 2 : 4, &day[i]))
			return false;
	if (!take_clock(&s, clock))
		return false;
	s = str_trim(s);
	for (size_t i = 0; i < sizeof zones / sizeof *zones; i++) {
		char iso[64];
		if (str_equal_nocase(s, str_of(zones[i].name)))
			return when_parse(
				str_print(iso, sizeof iso, "%04d-%02d-%02dT%02d:%02d:%02d%s",
					day[0], day[1], day[2], clock[0], clock[1], clock[2],
					zones[i].offset),
				us);
	}
	return false;
}
