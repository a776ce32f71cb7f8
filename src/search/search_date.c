#include "search/search_date.h"

#include <stdio.h>
#include <string.h>

#include "lib/when.h"

#define FORMS                                                                                      \
	"write a date as 2015-01-31, 01/31/2015, 2015-01-31T10:00:00Z, today, yesterday, "         \
	"-3d, -2w or -5h"

#define NO_SUCH_DAY "there is no such day"

enum { MAX_AGO = 99999 };

static const struct unit {
	const char *names[3];
	enum search_moment moment;
} units[] = {
	{ { "h", "hour", "hours" }, SEARCH_HOURS_AGO },
	{ { "d", "day", "days" }, SEARCH_DAYS_AGO },
	{ { "w", "week", "weeks" }, SEARCH_WEEKS_AGO },
};

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

/* After the '-': a number and a unit. */
static const char *parse_ago(struct str text, struct search_date *date)
{
	size_t digits = 0;

	while (digits < text.n && is_digit(text.p[digits])) {
		date->n = date->n * 10 + (text.p[digits++] - '0');
		if (date->n > MAX_AGO)
			return "a relative date can go back by at most 99999";
	}
	struct str unit = { text.p + digits, text.n - digits };
	for (size_t i = 0; digits > 0 && i < sizeof(units) / sizeof(units[0]); i++) {
		for (size_t j = 0; j < 3; j++) {
			if (str_equal_nocase(unit, str_of(units[i].names[j]))) {
				date->moment = units[i].moment;
				return NULL;
			}
		}
	}
	return "write a relative date as -3d, -2w or -5h (or -3days, -2weeks, -5hours)";
}

static bool is_number(struct str s, size_t min, size_t max)
{
	for (size_t i = 0; i < s.n; i++) {
		if (!is_digit(s.p[i]))
			return false;
	}
	return s.n >= min && s.n <= max;
}

static const char *parse_american(struct str text, struct search_date *date)
{
	struct str year = text;
	struct str month = str_cut(&year, '/');
	struct str day = year.p ? str_cut(&year, '/') : year;
	char iso[] = "YYYY-MM-DD";

	if (!year.p || !is_number(month, 1, 2) || !is_number(day, 1, 2) || !is_number(year, 1, 4))
		return FORMS;
	if (year.n != 4)
		return "the year of a date must have four digits";
	memset(iso + 5, '0', 2);
	memset(iso + 8, '0', 2);
	memcpy(iso, year.p, 4);
	memcpy(iso + 7 - month.n, month.p, month.n);
	memcpy(iso + 10 - day.n, day.p, day.n);
	date->moment = SEARCH_DAY;
	return when_parse_date(str_of(iso), &date->day) ? NULL : NO_SUCH_DAY;
}

static bool has_form_of_day(struct str text)
{
	struct str month = text;
	struct str year = str_cut(&month, '-');
	struct str day = month;

	if (!month.p)
		return false;
	month = str_cut(&day, '-');
	return day.p && is_number(year, 4, 4) && is_number(month, 2, 2) && is_number(day, 2, 2);
}

/* Whether an ISO time has a zone: Z, or an offset after the time of day. */
static bool has_zone(struct str text)
{
	for (size_t i = sizeof("YYYY-MM-DD") - 1; i < text.n; i++) {
		if (strchr("Zz+-", text.p[i]))
			return true;
	}
	return false;
}

const char *search_date_parse(struct str text, struct search_date *date)
{
	*date = (struct search_date){ .moment = SEARCH_DAY };
	if (str_equal_nocase(text, STR("today"))) {
		date->moment = SEARCH_TODAY;
		return NULL;
	}
	if (str_equal_nocase(text, STR("yesterday"))) {
		date->moment = SEARCH_YESTERDAY;
		return NULL;
	}
	if (text.n > 0 && text.p[0] == '-')
		return parse_ago((struct str){ text.p + 1, text.n - 1 }, date);
	if (text.n > 0 && memchr(text.p, '/', text.n))
		return parse_american(text, date);
	if (when_parse_date(text, &date->day))
		return NULL;
	if (!when_parse(text, &date->us))
		return has_form_of_day(text) ? NO_SUCH_DAY : FORMS;
	date->moment = has_zone(text) ? SEARCH_INSTANT : SEARCH_WALL_CLOCK;
	return NULL;
}
