#include <criterion/criterion.h>

#include <time.h>

#include "lib/when.h"

static struct buf out;

static const char *iso(int64_t us)
{
	buf_reset(&out);
	when_put_iso(&out, us);
	buf_put_char(&out, '\0');
	return out.p;
}

static const char *exact(int64_t us)
{
	buf_reset(&out);
	when_put_exact(&out, us);
	buf_put_char(&out, '\0');
	return out.p;
}

static const char *date(int32_t days)
{
	buf_reset(&out);
	when_put_date(&out, days);
	buf_put_char(&out, '\0');
	return out.p;
}

static const int64_t second = 1000000;

Test(when, reads_instants)
{
	static const struct {
		const char *text;
		int64_t us;
	} rows[] = {
		{ "1970-01-01T00:00:00Z", 0 },
		{ "2017-05-03T23:29:42Z", 1493854182000000 },
		{ "2017-05-03t23:29:42z", 1493854182000000 },
		{ "2017-05-03 23:29:42", 1493854182000000 },
		{ "2017-05-03T23:29Z", 1493854140000000 },
		{ "2017-05-03T23:29", 1493854140000000 },
		{ "2017-05-03", 1493769600000000 },
		{ "2017-05-04T01:29:42+02:00", 1493854182000000 },
		{ "2017-05-04T01:29:42+0200", 1493854182000000 },
		{ "2017-05-04T01:29:42 02:00", 1493854182000000 },
		{ "2017-05-04T01:29:42+02", 1493854182000000 },
		{ "2017-05-03T17:59:42-05:30", 1493854182000000 },
		{ "2017-05-03T23:29:42-00:00", 1493854182000000 },
		{ "2017-05-03T23:29:42.5Z", 1493854182500000 },
		{ "2017-05-03T23:29:42,25Z", 1493854182250000 },
		{ "2017-05-03T23:29:42.123456789123456789Z", 1493854182123456 },
		{ "2016-12-31T23:59:60Z", 1483228799000000 },
		{ "20170503T232942Z", 1493854182000000 },
		{ "20170504T012942+0200", 1493854182000000 },
		{ "20170503T2329Z", 1493854140000000 },
		{ "20170503T232942.5", 1493854182500000 },
		{ "1969-12-31T23:59:59.999999Z", -1 },
		{ "2000-02-29T00:00:00Z", 951782400000000 },
		{ "0001-01-01T00:00:00Z", -62135596800000000 },
		{ "9999-12-31T23:59:59.999999Z", 253402300799999999 },
	};
	int64_t us;

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		us = 1;
		cr_expect(when_parse(str_of(rows[i].text), &us), "%s", rows[i].text);
		cr_expect_eq(us, rows[i].us, "%s: %lld", rows[i].text, (long long)us);
	}
}

Test(when, refuses_what_is_no_instant)
{
	static const char *const bad[] = { "", "now", "2017", "2017-05", "2017-5-3", "20170503",
		"2017-05-03T", "2017-05-03T23",
		"2017-05-03T23:", "2017-05-03T23:29:", "2017-05-03T23:29:42.",
		"2017-05-03T23:29:42.Z", "2017-05-03T23:29.5Z", "2017-05-03T23:29:42ZZ",
		"2017-05-03T23:29:42Z ", " 2017-05-03T23:29:42Z", "2017-05-03T24:00:00Z",
		"2017-05-03T23:60:00Z", "2017-05-03T23:29:61Z", "2017-05-03T23:29:42+",
		"2017-05-03T23:29:42+2", "2017-05-03T23:29:42+02:", "2017-05-03T23:29:42+02:0",
		"2017-05-03T23:29:42+24:00", "2017-05-03T23:29:42+02:60",
		"2017-05-03T23:29:42+02:00x", "2017-05-03Z", "2017-05-03  23:29", "2017-13-03",
		"2017-00-03", "2017-05-00", "2017-05-32", "2017-02-29", "1900-02-29", "0000-01-01",
		"-2017-05-03", "+2017-05-03", "12017-05-03", "2017-05-03T-1:00", "1493854182000",
		"0001-01-01T00:00:00+00:01", "9999-12-31T23:59:59-00:01" };
	int64_t us;

	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
		cr_expect_not(when_parse(str_of(bad[i]), &us), "%s", bad[i]);
	cr_expect_not(when_parse(str_of(NULL), &us));
	cr_expect_not(when_parse(STR("2017-05-03\0"), &us));
}

Test(when, reads_dates)
{
	int32_t days;

	cr_assert(when_parse_date(STR("1970-01-01"), &days));
	cr_assert_eq(days, 0);
	cr_assert(when_parse_date(STR("1969-12-31"), &days));
	cr_assert_eq(days, -1);
	cr_assert(when_parse_date(STR("2024-02-29"), &days));
	cr_assert_eq(days, 19782);
	cr_assert_not(when_parse_date(STR("2023-02-29"), &days));
	cr_assert_not(when_parse_date(STR("2023-02-28T00:00:00Z"), &days));
	cr_assert_not(when_parse_date(STR("2023-2-28"), &days));
	cr_assert_not(when_parse_date(STR(""), &days));
}

Test(when, writes)
{
	cr_expect_str_eq(iso(0), "1970-01-01T00:00:00Z");
	cr_expect_str_eq(iso(1493854182999999), "2017-05-03T23:29:42Z");
	cr_expect_str_eq(iso(-1), "1969-12-31T23:59:59Z");
	cr_expect_str_eq(iso(-62135596800000000), "0001-01-01T00:00:00Z");
	cr_expect_str_eq(iso(253402300799999999), "9999-12-31T23:59:59Z");
	cr_expect_str_eq(iso(INT64_MAX), "294247-01-10T04:00:54Z");
	cr_expect_str_eq(iso(INT64_MIN), "-290308-12-21T19:59:05Z");
	cr_expect_str_eq(date(0), "1970-01-01");
	cr_expect_str_eq(date(19782), "2024-02-29");
	cr_expect_str_eq(date(-719529), "-0001-12-31");
	cr_expect_str_eq(date(-719528), "0000-01-01");
	cr_expect_str_eq(date(INT32_MAX), "5881580-07-11");
	cr_expect_str_eq(date(INT32_MIN), "-5877641-06-23");
}

Test(when, counts_millis_down)
{
	cr_expect_eq(when_millis(1999), 1);
	cr_expect_eq(when_millis(-1), -1);
	cr_expect_eq(when_millis(-1000), -1);
	cr_expect_eq(when_millis(-1001), -2);
	cr_expect_eq(when_millis(0), 0);
}

Test(when, writes_words)
{
	static const struct {
		int32_t day;
		const char *words;
	} rows[] = { { 0, "Jan 1, 1970" }, { 18176, "Oct 7, 2019" }, { 19782, "Feb 29, 2024" },
		{ -1, "Dec 31, 1969" } };

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct buf b = { 0 };

		when_put_words(&b, rows[i].day);
		cr_expect(str_equal_z(buf_str(&b), rows[i].words));
		buf_free(&b);
	}
}

Test(when, weekdays)
{
	static const struct {
		int32_t day;
		int weekday;
		const char *text;
	} rows[] = { { 0, 4, "1/1/1970" }, { 18006, 6, "4/20/2019" }, { -1, 3, "12/31/1969" },
		{ 18007, 0, "4/21/2019" } };

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct buf b = { 0 };

		when_put_slashes(&b, rows[i].day);
		cr_expect(str_equal_z(buf_str(&b), rows[i].text));
		cr_expect_eq(when_weekday(rows[i].day), rows[i].weekday);
		buf_free(&b);
	}
}

Test(when, a_week_starts_on_or_before_a_day)
{
	for (int32_t day = -1000; day < 1000; day++)
		for (int weekday = 0; weekday < 7; weekday++) {
			int32_t start = when_week_start(day, weekday);
			cr_expect_eq(when_weekday(start), weekday);
			cr_expect(start <= day && day - start < 7);
		}
}

Test(when, names_of_zones)
{
	static const char *const good[] = { "UTC", "Etc/UTC", "America/North_Dakota/Beulah",
		"Etc/GMT+12" };
	static const char *const bad[] = { "", "x", "/", "a/", "/a", "a//b", "UTC'; --", "a/b c",
		"+05", "EST5EDT", "A1/b" };

	for (size_t i = 0; i < sizeof(good) / sizeof(good[0]); i++)
		cr_expect(when_is_zone_name(str_of(good[i])), "%s", good[i]);
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
		cr_expect_not(when_is_zone_name(str_of(bad[i])), "%s", bad[i]);
}

/* Every day of the years 1587 to 2379, and every 37th one from 1000 to 9999, against the C library and back. */
Test(when, agrees_with_the_c_library)
{
	for (int32_t day = -719162; day < 2932896; day += day < -140000 || day > 150000 ? 37 : 1) {
		time_t t = (time_t)day * 86400 + 86399;
		char expected[40];
		struct tm tm;
		int64_t us;
		int32_t back;

		gmtime_r(&t, &tm);
		strftime(expected, sizeof(expected), "%Y-%m-%dT%H:%M:%SZ", &tm);
		if (tm.tm_year < -900)
			continue; /* %Y is not padded */
		cr_assert_str_eq(iso(t * second), expected);
		cr_assert(when_parse(str_of(expected), &us));
		cr_assert_eq(us, t * second);
		cr_assert(when_parse_date(str_of(date(day)), &back));
		cr_assert_eq(back, day);
	}
}

Test(when, now)
{
	cr_assert_leq(llabs(when_now() / second - (int64_t)time(NULL)), 2);
}

Test(when, writes_what_there_is_of_a_fraction)
{
	cr_expect_str_eq(exact(1493854182000000), "2017-05-03T23:29:42Z");
	cr_expect_str_eq(exact(1493854182100000), "2017-05-03T23:29:42.1Z");
	cr_expect_str_eq(exact(1493854182000001), "2017-05-03T23:29:42.000001Z");
	cr_expect_str_eq(exact(1493854182999999), "2017-05-03T23:29:42.999999Z");
	cr_expect_str_eq(exact(-1), "1969-12-31T23:59:59.999999Z");
}
