#include <criterion/criterion.h>

#include "model/part_kinds.h"
#include "transfer/merge/import_kinds.h"
#include "transfer/merge/text_refs.h"
#include "transfer/settle/import_calendar.h"
#include "transfer/settle/import_scale.h"

static struct arena a;

static void teardown(void)
{
	arena_free(&a);
}

TestSuite(settle, .fini = teardown);

enum { MONDAY = 19632 }; /* 2023-10-02 */

Test(settle, usual_weeks_begin_where_the_first_one_counts_from)
{
	const struct span spans[] = { { 3, MONDAY, MONDAY + 13 }, { 5, MONDAY + 28, MONDAY + 41 } };
	struct calendar c = import_calendar_of(&a, spans, 2);
	cr_assert_eq(c.length, 2);
	cr_assert_eq(c.start, MONDAY - 28);
	cr_assert_eq(c.n, 0);
	cr_assert_eq(c.odd, 0);
}

Test(settle, odd_lengths_are_overrides)
{
	const struct span spans[] = { { 1, MONDAY, MONDAY + 6 }, { 2, MONDAY + 7, MONDAY + 27 },
		{ 5, MONDAY + 49, MONDAY + 55 } };
	struct calendar c = import_calendar_of(&a, spans, 3);
	cr_assert_eq(c.length, 1);
	cr_assert_eq(c.n, 2);
	cr_assert_eq(c.numbers[0], 2);
	cr_assert_eq(c.lengths[0], 3);
	cr_assert_eq(c.numbers[1], 4, "what is missing between two belongs to the last");
	cr_assert_eq(c.lengths[1], 2);
}

Test(settle, what_no_length_explains_is_counted)
{
	const struct span spans[] = { { 1, MONDAY, MONDAY + 6 }, { 2, MONDAY + 9, MONDAY + 15 },
		{ 3, MONDAY + 16, MONDAY + 20 } };
	struct calendar c = import_calendar_of(&a, spans, 3);
	cr_assert_eq(c.length, 1);
	cr_assert_eq(c.n, 0);
	cr_assert_eq(c.odd, 2);
}

Test(settle, nothing_follows_from_nothing_nor_from_nonsense)
{
	const struct span wild[] = { { 900000, MONDAY, MONDAY + 6 } };
	cr_assert_eq(import_calendar_of(&a, wild, 0).length, 0);
	cr_assert_eq(import_calendar_of(&a, wild, 1).length, 0);
}

static void expect_scale(const double *values, size_t n, const char *scale)
{
	cr_expect_str_eq(import_scale_of(&a, values, n).p, scale);
}

Test(settle, the_smallest_scale_that_has_all)
{
	expect_scale((double[]){ 0 }, 0, "0,1,2,3");
	expect_scale((double[]){ 1, 3 }, 2, "0,1,2,3");
	expect_scale((double[]){ 1, 8 }, 2, "0,1,2,4,8");
	expect_scale((double[]){ 3, 8 }, 2, "0,1,2,3,5,8");
	expect_scale((double[]){ 0.5, 4, 13 }, 3, "0,0.5,4,13");
	expect_scale((double[]){ 0, 10, 1000 }, 3, "0,10");
	expect_scale((double[]){ 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23 }, 13,
		"11,12,13,14,15,16,17,18,19,20,21,22");
}

static void expect_text(const char *text, const char *with)
{
	static const struct ref stories[] = { { 7, 70 }, { 12, 120 } }, epics[] = { { 7, 77 } };
	struct str s = refs_replace(&a, str_of(text), stories, 2, epics, 1);
	if (!with)
		cr_expect_null(s.p, "%s", text);
	else
		cr_expect_str_eq(s.p, with);
}

Test(settle, ids_in_texts_follow)
{
	expect_text("#7", "#70");
	expect_text("see #12, ##7 and ##12.", "see #120, ##77 and ##12.");
	expect_text("#7#12", "#70#120");
	expect_text("#77 ###7 # 7 #", NULL);
	expect_text("#99999999999999999999999", NULL);
	expect_text("", NULL);
}

static bool is_merged(enum intake_kind kind)
{
	for (int i = 0; i < import_kinds_count; i++)
		if (import_kinds[i].kind == kind)
			return true;
	return false;
}

Test(settle, each_part_of_a_story_has_a_row_in_import_kinds)
{
#define HAS_ROW(one, ONE, ...)                                                                     \
	cr_expect(is_merged(INTAKE_##ONE), "import_kinds has no row for " #one);
	STORY_PARTS(HAS_ROW)
#undef HAS_ROW
}
