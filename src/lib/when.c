#include "lib/when.h"

#include <time.h>

static const int64_t second_us = 1000000;
static const int64_t day_us = 86400 * (int64_t)1000000;

struct civil {
	int64_t year;
	int month, day;
};

static int64_t floor_div(int64_t a, int64_t b)
{
	return a / b - (a % b < 0);
}

/*
 * Both ways count in years that begin on 1 March, so that the leap day is the
 * last one, and in eras of 400 years, which all have 146097 days.
 */
static int64_t days_of(struct civil c)
{
	int64_t year = c.month <= 2 ? c.year - 1 : c.year;
	int64_t era = floor_div(year, 400);
	int64_t year_of_era = year - era * 400;
	int64_t month = (c.month + 9) % 12;
	int64_t day_of_year = (153 * month + 2) / 5 + c.day - 1;

	return era * 146097 + year_of_era * 365 + year_of_era / 4 - year_of_era / 100 +
		day_of_year - 719468;
}

static struct civil civil_of(int64_t days)
{
	int64_t shifted = days + 719468;
	int64_t era = floor_div(shifted, 146097);
	unsigned day = (unsigned)(shifted - era * 146097);
	unsigned year = (day - day / 1460 + day / 36524 - day / 146096) / 365;
	unsigned day_of_year = day - (365 * year + year / 4 - year / 100);
	unsigned month = (5 * day_of_year + 2) / 153;
	struct civil c = {
		.year = era * 400 + year + (month >= 10),
		.month = (int)(month < 10 ? month + 3 : month - 9),
		.day = (int)(day_of_year - (153 * month + 2) / 5 + 1),
	};

	return c;
}

static bool take_char(struct str *s, char c)
{
	if (s->n == 0 || s->p[0] != c)
		return false;
	s->p++;
	s->n--;
	return true;
}

/* Exactly n digits. */
static bool take_digits(struct str *s, size_t n, int *value)
{
	int v = 0;

	if (s->n < n)
		return false;
	for (size_t i = 0; i < n; i++) {
		if (s->p[i] < '0' || s->p[i] > '9')
			return false;
		v = v * 10 + (s->p[i] - '0');
	}
	s->p += n;
	s->n -= n;
	*value = v;
	return true;
}

static int month_length(int64_t year, int month)
{
	static const char lengths[] = { 31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31 };
	bool leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);

	return lengths[month - 1] + (month == 2 && leap);
}

/* is_basic: it has no dashes. */
static bool take_date(struct str *s, int64_t *days, bool *is_basic)
{
	struct civil c;
	int year;

	if (!take_digits(s, 4, &year))
		return false;
	*is_basic = !take_char(s, '-');
	if (!take_digits(s, 2, &c.month) || (!*is_basic && !take_char(s, '-')) ||
		!take_digits(s, 2, &c.day))
		return false;
	c.year = year;
	if (c.year < 1 || c.month < 1 || c.month > 12 || c.day < 1 ||
		c.day > month_length(c.year, c.month))
		return false;
	*days = days_of(c);
	return true;
}

/* At least one digit; those after the sixth are ignored. */
static bool take_fraction(struct str *s, int64_t *us)
{
	int64_t unit = second_us;
	int digit;

	*us = 0;
	if (!take_digits(s, 1, &digit))
		return false;
	do {
		unit /= 10;
		*us += digit * unit;
	} while (take_digits(s, 1, &digit));
	return true;
}

static bool is_digit(const struct str *s)
{
	return s->n > 0 && s->p[0] >= '0' && s->p[0] <= '9';
}

static bool take_time(struct str *s, bool is_basic, int64_t *us)
{
	int hour, minute, second = 0;
	int64_t fraction = 0;

	if (!take_digits(s, 2, &hour) || (!is_basic && !take_char(s, ':')) ||
		!take_digits(s, 2, &minute))
		return false;
	if (is_basic ? is_digit(s) : take_char(s, ':')) {
		if (!take_digits(s, 2, &second))
			return false;
		if ((take_char(s, '.') || take_char(s, ',')) && !take_fraction(s, &fraction))
			return false;
	}
	if (hour > 23 || minute > 59 || second > 60)
		return false;
	if (second == 60)
		second = 59;
	*us = (hour * 3600 + minute * 60 + second) * second_us + fraction;
	return true;
}

/*
 * Takes the rest of the text; *us is what is added to UTC to get the local time. A '+' that was not
 * encoded in a query has become a blank.
 */
static bool take_zone(struct str *s, int64_t *us)
{
	int hour, minute = 0;
	bool west = s->n > 0 && s->p[0] == '-';

	*us = 0;
	if (s->n == 0)
		return true;
	if (take_char(s, 'Z') || take_char(s, 'z'))
		return s->n == 0;
	if (!take_char(s, '+') && !take_char(s, '-') && !take_char(s, ' '))
		return false;
	if (!take_digits(s, 2, &hour))
		return false;
	if (s->n > 0) {
		take_char(s, ':');
		if (!take_digits(s, 2, &minute))
			return false;
	}
	if (hour > 23 || minute > 59 || s->n > 0)
		return false;
	*us = (hour * 60 + minute) * 60 * second_us;
	if (west)
		*us = -*us;
	return true;
}

bool when_parse(struct str s, int64_t *us)
{
	int64_t days, time = 0, zone = 0;
	bool is_basic;

	/* Eight digits alone are a number. */
	if (!take_date(&s, &days, &is_basic) || (is_basic && s.n == 0))
		return false;
	if (s.n > 0) {
		if (!take_char(&s, 'T') && !take_char(&s, 't') && !take_char(&s, ' '))
			return false;
		if (!take_time(&s, is_basic, &time) || !take_zone(&s, &zone))
			return false;
	}
	int64_t instant = days * day_us + time - zone;
	int64_t year = civil_of(floor_div(instant, day_us)).year;
	/* A zone can carry the first and last day out of the years that can be written. */
	if (year < 1 || year > 9999)
		return false;
	*us = instant;
	return true;
}

bool when_parse_date(struct str s, int32_t *days)
{
	int64_t found;
	bool is_basic;

	if (!take_date(&s, &found, &is_basic) || is_basic || s.n > 0)
		return false;
	*days = (int32_t)found;
	return true;
}

static char *write_two(char *to, int v)
{
	to[0] = (char)('0' + v / 10);
	to[1] = (char)('0' + v % 10);
	return to + 2;
}

/* YYYY-MM-DD; years that need a sign or more digits do not come from this module's parsers. */
static void put_civil(struct buf *b, int64_t days)
{
	struct civil c = civil_of(days);
	char text[10], *to = text;

	if (c.year < 0) {
		buf_put_char(b, '-');
		c.year = -c.year;
	}
	if (c.year > 9999) {
		buf_put_int(b, c.year);
	} else {
		to = write_two(to, (int)c.year / 100);
		to = write_two(to, (int)c.year % 100);
	}
	*to++ = '-';
	to = write_two(to, c.month);
	*to++ = '-';
	to = write_two(to, c.day);
	buf_put(b, text, (size_t)(to - text));
}

void when_put_iso(struct buf *b, int64_t us)
{
	int64_t days = floor_div(us, day_us);
	/* Not us - days * day_us: the product can overflow for the smallest instant. */
	int second = (int)(floor_div(us, second_us) - days * 86400);
	char text[10], *to = text;

	put_civil(b, days);
	*to++ = 'T';
	to = write_two(to, second / 3600);
	*to++ = ':';
	to = write_two(to, second / 60 % 60);
	*to++ = ':';
	to = write_two(to, second % 60);
	*to++ = 'Z';
	buf_put(b, text, sizeof(text));
}

void when_put_exact(struct buf *b, int64_t us)
{
	int fraction = (int)(us - floor_div(us, second_us) * second_us);

	when_put_iso(b, us);
	if (fraction == 0)
		return;
	b->n--;
	buf_put_char(b, '.');
	for (int unit = 100000; fraction > 0; unit /= 10) {
		buf_put_char(b, (char)('0' + fraction / unit));
		fraction %= unit;
	}
	buf_put_char(b, 'Z');
}

bool when_of_millis(int64_t ms, int64_t *us)
{
	if (ms < INT64_C(-62135596800000) || ms > INT64_C(253402300799999))
		return false;
	*us = ms * 1000;
	return true;
}

int64_t when_millis(int64_t us)
{
	return floor_div(us, 1000);
}

void when_put_date(struct buf *b, int32_t days)
{
	put_civil(b, days);
}

void when_put_words(struct buf *b, int32_t days)
{
	static const char *const months[] = { "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul",
		"Aug", "Sep", "Oct", "Nov", "Dec" };
	struct civil c = civil_of(days);

	buf_printf(b, "%s %d, %lld", months[c.month - 1], c.day, (long long)c.year);
}

void when_put_slashes(struct buf *b, int32_t days)
{
	struct civil c = civil_of(days);

	buf_printf(b, "%d/%d/%lld", c.month, c.day, (long long)c.year);
}

int when_weekday(int32_t days)
{
	return (int)(((int64_t)days % 7 + 7 + 4) % 7); /* 1970 began on a Thursday */
}

int32_t when_week_start(int32_t days, int weekday)
{
	return days - (when_weekday(days) - weekday + 7) % 7;
}

bool when_is_zone_name(struct str s)
{
	bool has_slash = false;

	for (size_t i = 0; i < s.n; i++) {
		char c = s.p[i];
		bool is_letter = (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || c == '_';
		bool is_more = (c >= '0' && c <= '9') || c == '+' || c == '-';
		bool is_between = c == '/' && i > 0 && s.p[i - 1] != '/' && i + 1 < s.n;

		if (!is_letter && !(is_more && has_slash) && !is_between)
			return false;
		has_slash = has_slash || c == '/';
	}
	return has_slash || str_equal_z(s, "UTC");
}

int64_t when_now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_REALTIME, &t);
	return t.tv_sec * second_us + t.tv_nsec / 1000;
}
