/* Which iterations a request looks at, and what has to be known for that. */
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

/* 200 stories of a point at a velocity of 10. */
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
