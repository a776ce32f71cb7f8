/* Which iterations a request is about, and what has to be loaded for that. */
#include <criterion/criterion.h>

#include "planning/plan.h"

#define DAY (INT64_C(86400) * 1000000)

/* Iteration n begins on day 7 * n; today is the third day of iteration 50. */
static struct planning_project project = { .iteration_length = 1,
	.initial_velocity = 10,
	.velocity_averaged_over = 3,
	.automatic_planning = true,
	.first_day = 7 };
static struct arena arena;
static struct plan_window window;

static void look(struct plan_wish wish)
{
	struct planning_calendar days;
	planning_make_day_calendar(&arena, &project, 352, &days);
	cr_assert_eq(days.current, 50);
	plan_find_window(&days, &wish, &window);
}

static void stop(void)
{
	project.overrides_n = 0;
	arena_free(&arena);
}

TestSuite(plan, .fini = stop);

static void check_page(enum plan_scope scope, int64_t offset, int first)
{
	look((struct plan_wish){ .scope = scope, .offset = offset, .limit = 10 });
	cr_expect_eq(window.first, first, "scope %d, offset %lld: %d", scope, (long long)offset,
		window.first);
	cr_expect_eq(window.end, first + 10);
}

Test(plan, a_scope_has_its_first_iteration)
{
	check_page(PLAN_ALL, 0, 1);
	check_page(PLAN_DONE, 7, 8);
	check_page(PLAN_CURRENT, 0, 50);
	check_page(PLAN_CURRENT_BACKLOG, 3, 53);
	check_page(PLAN_BACKLOG, 0, 51);
	check_page(PLAN_DONE_CURRENT, -10, 40);
	check_page(PLAN_DONE, -51, 1);
}

Test(plan, a_page_may_begin_with_an_iteration_by_its_number)
{
	static const struct {
		int64_t number;
		int first;
	} rows[] = { { 1, 1 }, { 49, 49 }, { 50, 50 }, { 51, 51 },
		{ 50 + PLANNING_BACKLOG_MAX, 50 + PLANNING_BACKLOG_MAX },
		{ INT64_MAX, 50 + PLANNING_BACKLOG_MAX + 1 } };
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		look((struct plan_wish){ .number = rows[i].number, .limit = 1 });
		cr_expect_eq(window.first, rows[i].first);
		cr_expect_eq(window.end, rows[i].first + 1);
	}
}

Test(plan, no_offset_leads_past_the_last_iteration_that_can_be)
{
	const int none = 50 + PLANNING_BACKLOG_MAX + 1;
	check_page(PLAN_ALL, INT64_MAX, none);
	check_page(PLAN_BACKLOG, INT64_MAX, none);
	check_page(PLAN_DONE, INT64_MIN, 1);
	check_page(PLAN_ALL, none - 1, none);
	check_page(PLAN_ALL, none - 2, none - 1);
}

Test(plan, done_iterations_ask_for_their_days_alone)
{
	look((struct plan_wish){ .scope = PLAN_DONE, .offset = 19, .limit = 10, .stories = true });
	cr_expect_eq(window.done_n, 1);
	cr_expect_eq(window.done[0].from, 20 * 7);
	cr_expect_eq(window.done[0].to, 30 * 7);
	cr_expect_not(window.open);
}

Test(plan, velocities_need_the_iterations_before)
{
	look((struct plan_wish){ .scope = PLAN_DONE,
		.offset = 19,
		.limit = 10,
		.velocities = true,
		.velocity = true });
	cr_expect_eq(window.done_n, 2);
	cr_expect_eq(window.done[0].from, 17 * 7);
	cr_expect_eq(window.done[0].to, 30 * 7);
	cr_expect_eq(window.done[1].from, 47 * 7);
	cr_expect_eq(window.done[1].to, 50 * 7);
}

Test(plan, days_that_overlap_are_asked_for_once)
{
	look((struct plan_wish){
		.scope = PLAN_DONE, .offset = 44, .limit = 10, .stories = true, .velocity = true });
	cr_expect_eq(window.done_n, 1);
	cr_expect_eq(window.done[0].from, 45 * 7);
	cr_expect_eq(window.done[0].to, 50 * 7);
}

Test(plan, an_iteration_of_strength_0_is_passed_over)
{
	static const struct planning_override off[] = { { 48, 0, 0 } };
	project.overrides = off;
	project.overrides_n = 1;
	look((struct plan_wish){ .scope = PLAN_CURRENT, .limit = 1, .velocity = true });
	cr_expect_eq(window.done[0].from, 46 * 7);
	cr_expect_eq(window.midnights.from, 46 * 7);
	cr_expect_eq(window.midnights.to, 51 * 7);
}

/* 200 stories of one point each, at a velocity of 10. */
static struct plan make_open(size_t n)
{
	static int64_t midnights[60];
	static struct planning_story stories[200];
	struct plan plan = { .project = project, .open = { .n = n, .stories = stories } };
	for (int i = 0; i < 60; i++)
		midnights[i] = (7 + 7 * i) * DAY;
	for (size_t i = 0; i < n; i++)
		stories[i] = (struct planning_story){ PLANNING_UNSTARTED, 1, 0 };
	plan.project.midnights = (struct planning_midnights){ 7, 60, midnights };
	return plan;
}

static bool is_filled(struct plan_wish wish, size_t n)
{
	const struct plan_stories none = { 0 };
	struct plan plan = make_open(n);
	look(wish);
	planning_make_calendar(&arena, &plan.project, 352 * DAY, &plan.calendar);
	plan_fill(&arena, &window, &none, &plan);
	return plan_is_filled(&plan, &wish, &window);
}

Test(plan, the_current_iteration_is_full_when_a_story_opens_the_next)
{
	struct plan_wish wish = { .scope = PLAN_CURRENT, .limit = 1, .stories = true };
	cr_expect_not(is_filled(wish, 9));
	cr_expect_not(is_filled(wish, 10));
	cr_expect(is_filled(wish, 11));
}

Test(plan, one_of_the_backlog_needs_those_before_it)
{
	struct plan_wish wish = { .scope = PLAN_ALL, .offset = 51, .limit = 1, .stories = true };
	cr_expect_not(is_filled(wish, 30));
	cr_expect(is_filled(wish, 31));
}

Test(plan, to_count_iterations_takes_all)
{
	struct plan_wish wish = {
		.scope = PLAN_CURRENT_BACKLOG, .limit = 1, .stories = true, .total = true
	};
	cr_expect(plan_needs_all(&wish));
	cr_expect_not(is_filled(wish, 200));
}

/* Numbers of days ------------------------------------------------------------- */

enum { COUNTED_WEEKS = 200 };

static const struct planning_override odd[] = { { 1, 2, 1 }, { 3, 0, 0.5 }, { 4, 5, -1 },
	{ 5, 1, -1 }, { 9, 4, 0 }, { 5000, 2, -1 } };

/* The iteration of each week, counted week by week. */
static void count_weeks(int length, size_t overrides_n, int numbers[COUNTED_WEEKS])
{
	for (int week = 0, number = 1; week < COUNTED_WEEKS; number++) {
		int weeks = length;
		for (size_t i = 0; i < overrides_n; i++)
			if (odd[i].number == number && odd[i].weeks)
				weeks = odd[i].weeks;
		while (weeks-- > 0 && week < COUNTED_WEEKS)
			numbers[week++] = number;
	}
}

/* Before the first day, the number is 1; it never exceeds the current one. */
static void check_days(const struct planning_project *p, const int *numbers, int32_t today)
{
	struct planning_calendar days;
	planning_make_day_calendar(&arena, p, today, &days);
	int current = today < p->first_day ? 1 : numbers[(today - p->first_day) / 7];
	cr_expect_eq(days.current, current);
	for (int32_t day = p->first_day - 30; day < p->first_day + 7 * COUNTED_WEEKS; day++) {
		int counted = day < p->first_day ? 1 : numbers[(day - p->first_day) / 7];
		int wanted = counted < current ? counted : current;
		int number = planning_find_number_of_day(&days, day);
		cr_expect_eq(number, wanted, "length %d, today %d, day %d: %d and not %d",
			p->iteration_length, today, day, number, wanted);
	}
}

Test(plan, a_day_counts_in_its_iteration_up_to_the_current_one)
{
	static const int32_t firsts[] = { -8, 0, 19716 };
	static const int32_t todays[] = { -5, 0, 6, 7, 13, 14, 27, 28, 100, 700 };
	int numbers[COUNTED_WEEKS];
	for (int length = 1; length <= 4; length++)
		for (size_t n = 0; n <= sizeof odd / sizeof *odd; n++) {
			count_weeks(length, n, numbers);
			for (size_t i = 0; i < 30; i++) {
				struct planning_project p = { .iteration_length = length,
					.first_day = firsts[i / 10],
					.overrides = odd,
					.overrides_n = n };
				check_days(&p, numbers, p.first_day + todays[i % 10]);
			}
		}
}
