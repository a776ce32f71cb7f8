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

/* Takes a number of `least` to `most` digits off the beginning. */
static bool take_number(struct str *s, size_t least, size_t most, int *value)
{
	size_t n = 0;
	*value = 0;
	while (n < most && n < s->n && s->p[n] >= '0' && s->p[n] <= '9')
		*value = *value * 10 + (s->p[n++] - '0');
	*s = (struct str){ s->p + n, s->n - n };
	return n >= least;
}

static bool take_char(struct str *s, const char *any)
{
	bool is_there = s->n > 0 && *s->p && strchr(any, *s->p);
	if (is_there)
		*s = (struct str){ s->p + 1, s->n - 1 };
	return is_there;
}

static bool take_day(struct str *s, int day[3])
{
	if (!take_number(s, 4, 4, &day[0]) || s->n == 0)
		return false;
	const char *separator = *s->p == '/' ? "/" : "-";
	return take_char(s, separator) && take_number(s, 1, 2, &day[1]) &&
		take_char(s, separator) && take_number(s, 1, 2, &day[2]);
}

/* The time of day; it may be missing, and so may its seconds. */
static bool take_clock(struct str *s, int clock[3])
{
	if (!take_char(s, " T"))
		return s->n == 0;
	if (!take_number(s, 1, 2, &clock[0]) || !take_char(s, ":") ||
		!take_number(s, 2, 2, &clock[1]))
		return false;
	return !take_char(s, ":") || take_number(s, 2, 2, &clock[2]);
}

/* The rest: the name of a zone, or an offset; absent: it is neither. */
static struct str take_zone(struct str rest)
{
	struct str s = str_trim(rest);
	if (s.n > 0 && (*s.p == '+' || *s.p == '-'))
		return s;
	for (size_t i = 0; i < sizeof zones / sizeof *zones; i++)
		if (str_equal_nocase(s, str_of(zones[i].name)))
			return str_of(zones[i].offset);
	return (struct str){ 0 };
}

bool old_time_read(struct str text, int64_t *us)
{
	struct str s = str_trim(text);
	int day[3], clock[3] = { 0 };
	char iso[64];
	if (when_parse(s, us))
		return true;
	if (!take_day(&s, day) || !take_clock(&s, clock))
		return false;
	struct str zone = take_zone(s);
	return zone.p &&
		when_parse(
			str_print(iso, sizeof iso, "%04d-%02d-%02dT%02d:%02d:%02d%.*s", day[0],
				day[1], day[2], clock[0], clock[1], clock[2], (int)zone.n, zone.p),
			us);
}
