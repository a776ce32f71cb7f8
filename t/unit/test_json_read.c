/* Responses larger than memory, and what a v5 record says about times and people. */
#include <criterion/criterion.h>

#include <string.h>
#include <sys/resource.h>
#include <time.h>

#include "lib/when.h"
#include "transfer/form/json_read.h"
#include "transfer/form/v5_value.h"
#include "transfer_print.h"

static struct transfer_print print;
static struct v5 v;
static bool refused;

static void setup(void)
{
	transfer_print_init(&print);
	v5_init(&v, &print.in, 0, "x.json");
}

static void teardown(void)
{
	v5_free(&v);
	buf_free(&print.out);
}

TestSuite(json_read, .init = setup, .fini = teardown);

static void read_repeated(struct str head, struct str piece, int64_t times, struct str tail)
{
	struct transfer_bytes bytes;

	transfer_bytes_init(&bytes, head, piece, times, tail);
	cr_expect_eq(json_read(&v, &bytes.bytes, V5_UNKNOWN, &refused), RC_OK);
}

static void read_text(const char *text)
{
	read_repeated(str_of(text), STR(""), 0, STR(""));
}

/* Sanitizers use memory of their own: nothing is measured with them. */
static long used_kib(void)
{
#ifdef __SANITIZE_ADDRESS__
	return 0;
#else
	struct rusage usage;

	getrusage(RUSAGE_SELF, &usage);
	return usage.ru_maxrss;
#endif
}

#define STORY                                                                                      \
	"{\"kind\":\"story\",\"id\":1,\"name\":\"A\",\"story_type\":\"bug\","                      \
	"\"current_state\":\"started\",\"labels\":[{\"id\":3,\"name\":\"l\"}]}"

Test(json_read, one_text_of_a_gigabyte_is_refused)
{
	long before = used_kib();

	read_repeated(STR("[{\"kind\":\"story\",\"id\":1,\"name\":\""), STR("0123456789abcdef"),
		1 << 26, STR("\"}]"));
	cr_expect(refused);
	cr_expect_eq(print.records, 0);
	cr_expect_eq(print.errors, 1);
	cr_expect_lt(used_kib() - before, 100000);
}

Test(json_read, records_without_end_take_no_memory)
{
	long before = used_kib();

	print.quiet = true;
	read_repeated(STR("{\"data\":[" STORY), STR("," STORY), 200000, STR("]}"));
	cr_expect_not(refused);
	cr_expect_eq(print.records, 200002); /* one label */
	cr_expect_lt(used_kib() - before, 100000);
}

Test(json_read, comments_of_one_story_without_end)
{
	long before = used_kib();

	print.quiet = true;
	read_repeated(STR("{\"kind\":\"story\",\"id\":7,\"name\":\"A\",\"comments\":[{\"id\":1}"),
		STR(",{\"id\":2,\"text\":\"some words of it\"}"), 200000, STR("],\"url\":\"u\"}"));
	cr_expect_not(refused);
	cr_expect_eq(print.records, 200002);
	cr_expect_lt(used_kib() - before, 100000);
}

Test(json_read, parts_of_a_large_story_are_its_own)
{
	read_repeated(STR("[{\"id\":7,\"story_type\":\"bug\",\"current_state\":\"started\","
			  "\"tasks\":[{\"description\":\"a\",\"complete\":true}"),
		STR(",{}"), 50000, STR("],\"name\":\"A\"}]"));
	cr_expect_not(refused);
	cr_expect_eq(print.records, 50002);
	cr_expect(strstr(print.out.p,
			  "task 1:0 {\"description\":\"a\",\"complete\":true,"
			  "\"story_id\":7,\"position\":1}\n") == print.out.p);
	cr_expect(strstr(print.out.p, "\nstory 1:0 {\"id\":7,"));
}

Test(json_read, a_value_without_end_in_a_head)
{
	read_repeated(STR("{\"kind\":\"story\",\"id\":7,\"description\":\""), STR("0123456789"),
		1 << 20, STR("\"}"));
	cr_expect(refused);
	cr_expect_eq(print.errors, 1);
}

static void assert_time(const char *json, const char *expected)
{
	struct arena arena = { 0 };
	struct buf text = { 0 };
	struct json j;
	struct record_value when = { .type = RECORD_WHEN };
	const char *problem;
	const struct body *value = body_parse(&arena, str_of(json), &problem);

	cr_assert(value, "%s", json);
	cr_assert_eq(v5_time(&when.when, value), expected != NULL, "%s", json);
	json_init(&j, &text);
	record_value_print(&j, &when);
	if (expected)
		cr_expect(str_equal((struct str){ text.p + 1, text.n - 2 }, str_of(expected)),
			"%s: %.*s", json, (int)text.n, text.p);
	buf_free(&text);
	arena_free(&arena);
}

Test(json_read, times)
{
	assert_time("\"2023-10-02T08:00:00Z\"", "2023-10-02T08:00:00Z");
	assert_time("\"2023-10-02T08:00:00.5Z\"", "2023-10-02T08:00:00.500Z");
	assert_time("\"2023-10-02T08:00:00.000001Z\"", "2023-10-02T08:00:00.000001Z");
	assert_time("\"2023-10-02T10:00:00+02:00\"", "2023-10-02T08:00:00Z");
	assert_time("\"2023-10-02 08:00:00.654321\"", "2023-10-02T08:00:00.654321Z");
	assert_time("\"2023-10-02\"", "2023-10-02");
	assert_time("1696233600000", "2023-10-02T08:00:00Z");
	assert_time("1696233600001.0", "2023-10-02T08:00:00.001Z");
	assert_time("-1", "1969-12-31T23:59:59.999Z");
	assert_time("1e300", NULL);
	assert_time("9223372036854775807", NULL);
	assert_time("\"Oct 2, 2023\"", NULL);
	assert_time("true", NULL);
}

static void assert_day(const char *time, const char *expected)
{
	struct body value = { .type = BODY_TEXT, .text = str_of(time) };
	struct buf text = { 0 };
	int32_t day;

	cr_assert(v5_day(&value, &day), "%s", time);
	when_put_date(&text, day);
	cr_expect(str_equal_z(buf_str(&text), expected), "%s: %.*s", time, (int)text.n, text.p);
	buf_free(&text);
}

Test(json_read, days_of_a_midnight_somewhere)
{
	assert_day("2023-10-09T07:00:00Z", "2023-10-09"); /* Los Angeles */
	assert_day("2023-10-08T22:00:00Z", "2023-10-09"); /* Berlin */
	assert_day("2023-10-08T15:00:00Z", "2023-10-09"); /* Tokyo */
	assert_day("2023-10-09T00:00:00Z", "2023-10-09");
	assert_day("2023-10-09", "2023-10-09");
	assert_day("1969-12-31T22:00:00Z", "1970-01-01");
}

Test(json_read, people_of_whom_nothing_is_known)
{
	read_text("[{\"kind\":\"person\",\"id\":5,\"name\":\"unknown\",\"initials\":\"??\","
		  "\"email\":\"unknown-5@example.com\",\"username\":\"unknown-5\"},"
		  "{\"kind\":\"person\",\"id\":6,\"name\":\"Unknownson\"}]");
	cr_expect(str_equal_z(buf_str(&print.out),
			  "person 1:0 {\"id\":5}\n"
			  "person 1:0 {\"id\":6,\"name\":\"Unknownson\"}\n"),
		"%.*s", (int)print.out.n, print.out.p);
}

Test(json_read, what_put_returns_ends_it)
{
	struct transfer_bytes bytes;

	print.ends = RC_UNAVAILABLE;
	transfer_bytes_init(&bytes, STR("[" STORY), STR("," STORY), 1000, STR("]"));
	cr_expect_eq(json_read(&v, &bytes.bytes, V5_UNKNOWN, &refused), RC_UNAVAILABLE);
	cr_expect_eq(print.records, 1);
}

/* Reads a large object that has so many members before its records, and returns the CPU time. */
static double seconds_behind(int members)
{
	struct buf head = { 0 };
	const clock_t from = clock();

	buf_put_char(&head, '{');
	for (int i = 0; i < members; i++)
		buf_printf(&head, "\"x%d\":1,", i);
	buf_put_z(&head, "\"stories\":[{}");
	read_repeated(buf_str(&head), STR(",{}"), 50000, STR("]}"));
	buf_free(&head);
	return (double)(clock() - from) / CLOCKS_PER_SEC;
}

Test(json_read, many_members_in_a_head_cost_no_record_more)
{
	print.quiet = true;
	const double few = seconds_behind(300), many = seconds_behind(30000);

	cr_expect_not(refused);
	cr_expect_lt(many, 5 * few + 1, "%.2f s, and %.2f s", few, many);
}

static int asked;

static bool goes_on(struct intake *in)
{
	(void)in;
	return ++asked < 10;
}

static void assert_ends(struct str head, struct str piece)
{
	struct transfer_bytes bytes;

	asked = 0;
	print.in.goes_on = goes_on;
	transfer_bytes_init(&bytes, head, piece, INT64_C(1) << 40, STR(""));
	cr_expect_eq(json_read(&v, &bytes.bytes, V5_UNKNOWN, &refused), RC_UNAVAILABLE);
	cr_expect_not(refused);
	cr_expect_eq(print.records + print.errors, 0);
}

Test(json_read, it_can_be_ended_where_nothing_is_put)
{
	assert_ends(STR("["), STR("[],"));
	assert_ends(STR("["), STR("{\"kind\":\"me\"},"));
	assert_ends(STR("{\"x\":["), STR("[[[]]],"));
	assert_ends(STR("["), STR("          "));
	assert_ends(STR("\""), STR("text "));
}
