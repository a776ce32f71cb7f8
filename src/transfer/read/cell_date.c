#include "transfer/read/cell_date.h"

#include <string.h>

#include "lib/when.h"

static const int64_t second_us = 1000000;
static const int64_t day_us = 86400 * (int64_t)1000000;

struct date {
	int year, month, day;
	bool is_open; /* the order is still open: month has the first number, day the second */
};

/* Pieces --------------------------------------------------------------------------- */

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

static bool is_letter(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

static void skip(struct str *s, size_t n)
{
	s->p += n;
	s->n -= n;
}

static void skip_any(struct str *s, const char *set)
{
	while (s->n && s->p[0] && strchr(set, s->p[0]))
		skip(s, 1);
}

static bool take_char(struct str *s, char c)
{
	bool is = s->n && s->p[0] == c;
	if (is)
		skip(s, 1);
	return is;
}

/*
 * Takes a number of 1 to `most` digits (9 at most). Returns how many; 0 if there are none, or more.
 */
static size_t take_number(struct str *s, size_t most, int *value)
{
	size_t n = 0;
	int v = 0;
	for (; n < s->n && n <= most && is_digit(s->p[n]); n++)
		if (n < most)
			v = v * 10 + (s->p[n] - '0');
	if (n == 0 || n > most)
		return 0;
	*value = v;
	skip(s, n);
	return n;
}

static struct str take_word(struct str *s)
{
	struct str word = { s->p, 0 };
	while (word.n < s->n && is_letter(s->p[word.n]))
		word.n++;
	skip(s, word.n);
	return word;
}

/* The position, from 1, of a name or its first three letters or more; 0 if it is none. */
static int place_of(struct str word, const char *const *names)
{
	for (int i = 0; names[i] && word.n >= 3; i++)
		if (word.n <= strlen(names[i]) &&
			str_equal_nocase(word, (struct str){ names[i], word.n }))
			return i + 1;
	return 0;
}

static int month_of(struct str word)
{
	static const char *const months[] = { "january", "february", "march", "april", "may",
		"june", "july", "august", "september", "october", "november", "december", NULL };
	return place_of(word, months);
}

static bool is_weekday(struct str word)
{
	static const char *const days[] = { "sunday", "monday", "tuesday", "wednesday", "thursday",
		"friday", "saturday", NULL };
	return place_of(word, days) != 0;
}

/* Two digits mean 1970 to 2069. */
static bool take_year(struct str *s, int *year)
{
	size_t n = take_number(s, 4, year);
	if (n == 2)
		*year += *year < 70 ? 2000 : 1900;
	return n == 2 || n == 4;
}

/* Days of other centuries are mistakes, and their times might not be writable. */
static bool day_of(const struct date *d, int32_t *day)
{
	char text[40];
	return d->year >= 1900 && d->year < 2200 &&
		when_parse_date(
			str_print(text, sizeof text, "%04d-%02d-%02d", d->year, d->month, d->day),
			day);
}

/* Dates ---------------------------------------------------------------------------- */

/* Oct 2, 2023 */
static bool take_words(struct str *s, struct date *d)
{
	d->month = month_of(take_word(s));
	skip_any(s, ". ");
	if (!d->month || !take_number(s, 2, &d->day))
		return false;
	skip_any(s, ", ");
	return take_number(s, 4, &d->year) == 4;
}

/*
 * Takes the separator between two parts of a date. False if there is none, or another than before.
 */
static bool take_between(struct str *s, char *between)
{
	char c = s->n ? s->p[0] : '\0';
	if (!c || !strchr("/-. ", c) || (*between && c != *between))
		return false;
	*between = c;
	skip(s, 1);
	return true;
}

/* 2023-10-02 */
static bool take_year_first(struct str *s, struct date *d)
{
	char between = '\0';
	return take_number(s, 4, &d->year) == 4 && take_between(s, &between) && between != ' ' &&
		take_number(s, 2, &d->month) && take_between(s, &between) &&
		take_number(s, 2, &d->day);
}

/* 2/10/2023, 2.10.2023, 2-Oct-23 */
static bool take_year_last(struct str *s, struct date *d)
{
	char between = '\0';
	int first, second;
	if (!take_number(s, 2, &first) || !take_between(s, &between))
		return false;
	if (s->n && is_letter(s->p[0])) {
		d->day = first;
		d->month = month_of(take_word(s));
		skip_any(s, ",");
		return d->month && take_between(s, &between) && take_year(s, &d->year);
	}
	if (between == ' ' || !take_number(s, 2, &second) || !take_between(s, &between) ||
		!take_year(s, &d->year))
		return false;
	d->is_open = between != '.';
	d->month = d->is_open ? first : second;
	d->day = d->is_open ? second : first;
	return true;
}

static bool take_date(struct str *s, struct date *d)
{
	struct str word = *s;
	*d = (struct date){ 0 };
	if (is_weekday(take_word(&word))) {
		*s = word;
		skip_any(s, "., ");
	}
	if (s->n && is_letter(s->p[0]))
		return take_words(s, d);
	int year;
	word = *s;
	return take_number(&word, 4, &year) == 4 ? take_year_first(s, d) : take_year_last(s, d);
}

/* Times ---------------------------------------------------------------------------- */

/* A fraction of a second, cut to milliseconds, in microseconds. */
static int64_t take_fraction(struct str *s)
{
	int64_t unit = second_us, us = 0;
	if (s->n < 2 || (s->p[0] != '.' && s->p[0] != ',') || !is_digit(s->p[1]))
		return 0;
	for (skip(s, 1); s->n && is_digit(s->p[0]); skip(s, 1))
		us += (s->p[0] - '0') * (unit /= 10);
	return us - us % 1000;
}

/* 3:04 PM, 15:04:05.123 */
static bool take_clock(struct str *s, int64_t *us)
{
	int hour, minute, second = 0;
	int64_t fraction = 0;
	if (!take_number(s, 2, &hour) || !take_char(s, ':') || take_number(s, 2, &minute) != 2)
		return false;
	if (take_char(s, ':')) {
		if (take_number(s, 2, &second) != 2)
			return false;
		fraction = take_fraction(s);
	}
	struct str rest = *s;
	skip_any(&rest, " ");
	struct str word = take_word(&rest);
	bool is_pm = str_equal_nocase(word, STR("pm"));
	if (is_pm || str_equal_nocase(word, STR("am"))) {
		if (hour < 1 || hour > 12)
			return false;
		hour = hour % 12 + (is_pm ? 12 : 0);
		*s = rest;
	}
	if (hour > 23 || minute > 59 || second > 60)
		return false;
	second = second == 60 ? 59 : second;
	*us = (hour * 3600 + minute * 60 + second) * second_us + fraction;
	return true;
}

/* +0200, -03:00; positive means ahead of UTC. */
static bool take_offset(struct str *s, int64_t *us)
{
	int hour, minute = 0;
	bool west = s->p[0] == '-';
	skip(s, 1);
	if (s->n < 2 || !is_digit(s->p[0]) || !is_digit(s->p[1]))
		return false;
	hour = (s->p[0] - '0') * 10 + s->p[1] - '0';
	skip(s, 2);
	if (s->n && (take_char(s, ':') || is_digit(s->p[0])) && take_number(s, 2, &minute) != 2)
		return false;
	*us = (hour * 60 + minute) * 60 * second_us * (west ? -1 : 1);
	return hour < 24 && minute < 60;
}

/* Exports add the short name of the project's own time zone (PST, CET) to their times; it is read as no zone, so that
 * whoever calls uses that of the project. Only an offset, or a name for UTC, is a zone. */
static bool take_zone(struct str *s, struct record_when *when)
{
	int64_t offset = 0;
	skip_any(s, " ");
	if (!s->n)
		return true;
	if (s->p[0] == '+' || s->p[0] == '-') {
		when->has_zone = true;
		if (!take_offset(s, &offset))
			return false;
		when->us -= offset;
		return true;
	}
	bool in_brackets = take_char(s, '(');
	struct str word = take_word(s);
	when->has_zone = str_equal_nocase(word, STR("z")) || str_equal_nocase(word, STR("utc")) ||
		str_equal_nocase(word, STR("gmt"));
	if (when->has_zone && s->n && (s->p[0] == '+' || s->p[0] == '-')) {
		if (!take_offset(s, &offset))
			return false;
		when->us -= offset;
	}
	return word.n <= 5 && (!in_brackets || take_char(s, ')'));
}

static bool take_time(struct str *s, struct record_when *when)
{
	int64_t us;
	if (!take_char(s, 'T'))
		skip_any(s, ", ");
	if (s->n > 2 && str_equal_nocase((struct str){ s->p, 3 }, STR("at ")))
		skip(s, 3);
	if (!s->n)
		return true;
	if (!take_clock(s, &us))
		return false;
	when->has_time = true;
	when->us += us;
	if (!take_zone(s, when) || s->n)
		return false;
	if (us == 0 && !when->has_zone)
		when->has_time = false;
	return true;
}

/* Cells ---------------------------------------------------------------------------- */

/* Days since 1899-12-30, in 1954 to 2119, with a fraction for the time. */
static bool read_serial(struct str s, struct record_when *when)
{
	int days;
	double part = 0, unit = 1;
	if (take_number(&s, 5, &days) != 5 || days < 20000 || days >= 80000)
		return false;
	if (s.n && (take_char(&s, '.') || take_char(&s, ',')))
		for (; s.n && is_digit(s.p[0]); skip(&s, 1))
			part += (s.p[0] - '0') * (unit /= 10);
	when->day = days - 25569;
	int64_t seconds = (int64_t)(part * 86400 + 0.5);
	when->has_time = seconds > 0 && seconds < 86400;
	when->us = when->day * day_us + seconds * second_us;
	return s.n == 0;
}

void cell_date_survey(struct cell_dates *d, struct str cell, struct intake_place at)
{
	struct date date;
	int32_t day;
	cell = str_trim(cell);
	if (!cell.n || !take_date(&cell, &date) || !date.is_open)
		return;
	bool month_first = day_of(&date, &day);
	struct date other = { date.year, date.day, date.month, false };
	bool day_first = day_of(&other, &day);
	struct intake_place *seen = month_first && day_first
		? date.month != date.day ? &d->either : NULL
		: month_first ? &d->month_first
		: day_first   ? &d->day_first
			      : NULL;
	if (seen && !seen->line)
		*seen = at;
}

/* A day in the future, or a first day after the second; other time zones may be a day ahead. */
static bool is_wrong(struct cell_dates as, struct str first, struct str second, int32_t today)
{
	struct record_when a, b;
	bool has_a = cell_date_read(&as, first, &a) == CELL_DATE_READ;
	bool has_b = cell_date_read(&as, second, &b) == CELL_DATE_READ;
	return (has_a && a.day > today + 1) || (has_b && b.day > today + 1) ||
		(has_a && has_b && a.day > b.day);
}

static void note_doubt(struct cell_dates_doubt *doubt, struct intake_place at)
{
	if (doubt->rows++ == 0)
		doubt->first = at;
}

void cell_date_weigh(struct cell_dates *d, struct str first, struct str second, int32_t today,
	struct intake_place at)
{
	if (!today || (!str_trim(first).n && !str_trim(second).n))
		return;
	d->rows++;
	if (is_wrong((struct cell_dates){ .order = 'm' }, first, second, today))
		note_doubt(&d->month_doubt, at);
	if (is_wrong((struct cell_dates){ .order = 'd' }, first, second, today))
		note_doubt(&d->day_doubt, at);
}

static bool refuse(struct intake *in, struct intake_place at, const char *text)
{
	intake_say(in, INTAKE_ERROR, at, NIL, NULL, "date_order", "%s", text);
	return false;
}

/*
 * If more than a fifth of the rows are doubtful, the order may be wrong. An order that was named is
 * believed, unless the other one explains most of these rows and no date contradicts it.
 */
static bool ask_when_doubtful(const struct cell_dates *d, struct intake *in, bool is_shown)
{
	enum { MANY = 5, PART = 5, LESS = 4 };
	const bool is_day = d->order == 'd';
	const struct cell_dates_doubt *this = is_day ? &d->day_doubt : &d->month_doubt;
	const struct cell_dates_doubt *other = is_day ? &d->month_doubt : &d->day_doubt;
	const bool is_better = !is_shown && other->rows * LESS <= this->rows;
	char text[300];
	if (this->rows < MANY || this->rows * PART <= d->rows || (in->date_order && !is_better))
		return true;
	str_print(text, sizeof text,
		"%lld of %lld rows have a date in the future, or were accepted before they were "
		"created: ",
		(long long)this->rows, (long long)d->rows);
	struct buf message = { 0 };
	buf_put_z(&message, text);
	if (in->date_order)
		buf_printf(&message,
			"with --date-order %s it is %lld; say that, or correct the rows",
			is_day ? "mdy" : "dmy", (long long)other->rows);
	else
		buf_put_z(&message,
			"is the order of day and month wrong? Give --date-order mdy or dmy; "
			"dates that are still wrong are then changed, each with a line in the "
			"report");
	buf_put_char(&message, '\0');
	refuse(in, this->first, message.p);
	buf_free(&message);
	return false;
}

bool cell_date_settle(struct cell_dates *d, struct intake *in)
{
	bool month = d->month_first.line > 0, day = d->day_first.line > 0;
	d->order = in->date_order ? in->date_order : day ? 'd' : 'm';
	if (month && day)
		return refuse(in,
			d->month_first.line > d->day_first.line ? d->month_first : d->day_first,
			"one date has the day first, another the month: use one form for all");
	if (month && d->order == 'd')
		return refuse(
			in, d->month_first, "a date has the month first: give --date-order mdy");
	if (day && d->order == 'm')
		return refuse(in, d->day_first, "a date has the day first: give --date-order dmy");
	if (d->either.line && !month && !day && !in->date_order)
		return refuse(in, d->either,
			"dates can be read as month/day or as day/month, and none has a day "
			"above 12: give --date-order mdy or dmy");
	return ask_when_doubtful(d, in, month || day);
}

enum cell_date cell_date_read(const struct cell_dates *d, struct str cell, struct record_when *when)
{
	struct date date;
	*when = (struct record_when){ 0 };
	cell = str_trim(cell);
	if (!cell.n)
		return CELL_DATE_NONE;
	if (read_serial(cell, when))
		return CELL_DATE_READ;
	*when = (struct record_when){ 0 };
	if (!take_date(&cell, &date))
		return CELL_DATE_BAD;
	if (date.is_open && d->order == 'd')
		date = (struct date){ date.year, date.day, date.month, false };
	if (!day_of(&date, &when->day))
		return CELL_DATE_BAD;
	when->us = when->day * day_us;
	return take_time(&cell, when) ? CELL_DATE_READ : CELL_DATE_BAD;
}

bool cell_date_words(struct str s, int32_t *day)
{
	struct date d = { 0 };
	if (s.n < 11 || s.p[3] != ' ' || !(d.month = month_of((struct str){ s.p, 3 })))
		return false;
	skip(&s, 4);
	return take_number(&s, 2, &d.day) && take_char(&s, ',') && take_char(&s, ' ') &&
		take_number(&s, 4, &d.year) == 4 && !s.n && day_of(&d, day);
}
