#include <criterion/criterion.h>
#include <stdlib.h>

#include "transfer/common/report.h"

static const char *const files[] = { "stories.csv", "members.csv" };

static char *text;
static size_t size;
static FILE *lines;
static struct report *report;
static struct buf out;

static void setup(void)
{
	lines = open_memstream(&text, &size);
	report = report_open(lines, 2, files);
}

static void teardown(void)
{
	report_close(report);
	fclose(lines);
	free(text);
	buf_free(&out);
}

static const char *written(void)
{
	fflush(lines);
	return text;
}

TestSuite(report, .init = setup, .fini = teardown);

Test(report, a_remark_is_a_line)
{
	report_remark(report,
		&(struct intake_remark){ .severity = INTAKE_NOTE,
			.at = { 1, 7, 3 },
			.id = 185,
			.column = "Created at",
			.code = "day_only",
			.message = STR("only a \"day\"") });
	report_say(report, INTAKE_CHANGED, NIL, NULL, "renumbered", "%d ids", 2);
	cr_assert_str_eq(written(),
		"{\"file\":\"members.csv\",\"row\":3,\"line\":7,\"id\":185,\"column\":\"Created "
		"at\",\"severity\":\"note\",\"code\":\"day_only\",\"message\":\"only a "
		"\\\"day\\\"\"}\n"
		"{\"file\":null,\"row\":null,\"line\":null,\"id\":null,\"column\":null,\"severity\":"
		"\"changed\",\"code\":\"renumbered\",\"message\":\"2 ids\"}\n");
	cr_assert_eq(report_status(report), IMPORT_ALL);
	cr_assert_null(report_problem(report).p);
}

Test(report, what_is_no_text_does_not_break_the_line)
{
	report_remark(report,
		&(struct intake_remark){ .severity = INTAKE_LOST,
			.at = { 5, 1, 1 },
			.id = NIL,
			.code = "bytes",
			.message = STR("a\xff"
				       "b") });
	cr_assert(strstr(written(), "\"file\":null"));
	cr_assert(strstr(written(), "\"message\":\"a?b\""));
}

static int64_t count_lines(void)
{
	int64_t n = 0;
	for (const char *p = written(); (p = strchr(p, '\n')); p++)
		n++;
	return n;
}

Test(report, its_lines_are_bounded_and_notes_leave_room)
{
	for (int i = 0; i < REPORT_LINES_MAX; i++)
		report_say(report, INTAKE_NOTE, NIL, NULL, "note", "n");
	cr_assert_eq(count_lines(), REPORT_LINES_MAX / 2);
	for (int i = 0; i < REPORT_LINES_MAX; i++)
		report_say(report, INTAKE_LOST, NIL, NULL, "lost", "l");
	report_say(report, INTAKE_ERROR, NIL, NULL, "error", "e");
	cr_assert_eq(count_lines(), REPORT_LINES_MAX);
	report_end_lines(report);
	cr_assert_eq(count_lines(), REPORT_LINES_MAX + 1);
	cr_assert(strstr(
		written(), "\"report_cut\",\"message\":\"100001 more lines were left out here\""));
	cr_assert_eq(report_status(report), IMPORT_REFUSED);
	report_put_summary(report, &out);
	buf_put_char(&out, '\0');
	cr_assert(strstr(out.p, "lost: 100000 x lost") && strstr(out.p, "note: 1 x report_cut"));
}

Test(report, the_status_is_that_of_the_worst)
{
	report_count(report, INTAKE_STORY, REPORT_CREATED, 4);
	report_count(report, INTAKE_STORY, REPORT_LOST, 0);
	cr_assert_eq(report_status(report), IMPORT_ALL);
	report_count(report, INTAKE_STORY, REPORT_LOST, 1);
	cr_assert_eq(report_status(report), IMPORT_LOST);
	report_say(report, INTAKE_ERROR, NIL, NULL, "first", "the first");
	report_say(report, INTAKE_ERROR, NIL, NULL, "second", "the second");
	report_say(report, INTAKE_LOST, NIL, NULL, "third", "the third");
	cr_assert_eq(report_status(report), IMPORT_REFUSED);
	cr_assert(str_equal_z(report_problem(report), "the first"));
}

Test(report, a_problem_names_its_place_once)
{
	report_remark(report,
		&(struct intake_remark){ .severity = INTAKE_ERROR,
			.at = { 0, 7, 3 },
			.id = NIL,
			.code = "open_quote",
			.message = STR("it is open") });
	cr_assert(str_equal_z(report_problem(report), "stories.csv, line 7: it is open"));
}

Test(report, a_problem_that_names_its_file_is_left_alone)
{
	report_remark(report,
		&(struct intake_remark){ .severity = INTAKE_ERROR,
			.at = { 1, 0, 0 },
			.id = NIL,
			.code = "unknown",
			.message = STR("members.csv: no file that is known") });
	cr_assert(str_equal_z(report_problem(report), "members.csv: no file that is known"));
}

Test(report, a_loss_alone_is_a_loss)
{
	report_say(report, INTAKE_LOST, NIL, NULL, "row", "lost");
	cr_assert_eq(report_status(report), IMPORT_LOST);
}

Test(report, counts_are_told_by_kind)
{
	report_put_counts(report, &out);
	cr_assert(str_equal_z(buf_str(&out), "{}"));
	out.n = 0;
	report_count(report, INTAKE_PULL_REQUEST, REPORT_SAME, 2);
	report_count(report, INTAKE_PULL_REQUEST, REPORT_SAME, 1);
	report_put_counts(report, &out);
	cr_assert(str_equal_z(buf_str(&out),
		"{\"pull_request\":{\"created\":0,\"updated\":0,\"same\":3,\"skipped\":0,\"lost\":0}}"));
}

Test(report, the_summary_has_a_table_and_each_code_once)
{
	report_put_summary(report, &out);
	cr_assert_eq(out.n, 0);
	report_count(report, INTAKE_STORY, REPORT_CREATED, 12);
	for (int i = 0; i < 3; i++)
		report_say(report, INTAKE_NOTE, NIL, NULL, "day_only", "line %d\nand more", i);
	report_say(report, INTAKE_LOST, NIL, NULL, "row", "cells beyond the header");
	report_put_summary(report, &out);
	cr_assert(str_equal_z(buf_str(&out),
			  "                     created   updated      same   skipped      lost\n"
			  "story                     12         0         0         0         0\n"
			  "lost: 1 x row, the first: cells beyond the header\n"
			  "note: 3 x day_only, the first: line 0 and more\n"),
		"%.*s", (int)out.n, out.p);
}

Test(report, a_long_example_is_cut_between_characters)
{
	char message[400];
	str_print(message, sizeof(message), "x");
	for (int i = 0; i < 150; i++)
		str_print(message + 1 + 2 * i, sizeof(message) - 1 - (size_t)(2 * i), "é");
	report_say(report, INTAKE_NOTE, NIL, NULL, "long", "%s", message);
	report_put_summary(report, &out);
	cr_assert(str_is_text(buf_str(&out)));
	cr_assert(out.n < 220 && strstr(out.p, "…"));
}

Test(report, more_codes_than_there_is_room_for)
{
	char code[20];
	for (int i = 0; i < 500; i++) {
		str_print(code, sizeof(code), "code_%d", i);
		report_say(report, INTAKE_NOTE, NIL, NULL, code, "m");
	}
	report_put_summary(report, &out);
	cr_assert(strstr(out.p, "301 x code_199"));
}
