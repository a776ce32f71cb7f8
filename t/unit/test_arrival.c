#include <criterion/criterion.h>

#include "domain/arrival.h"
#include "model/model.h"
#include "model/words.h"

enum { NOW = 1000, MONDAY = 19632, FRIDAY = MONDAY + 4 }; /* 2023-10-02 */

static struct arena a;
static struct project *record, *chosen;
static struct arrival_facts facts;

static void setup(void)
{
	record = object_null(&a, &res_project);
	chosen = object_null(&a, &res_project);
	facts = (struct arrival_facts){ .iteration_length = NIL,
		.start_date = NIL,
		.week_start_day = WORD_NONE,
		.point_scale = STR("0,1,2,4,8") };
}

static void teardown(void)
{
	arena_free(&a);
}

/* A wish with only the numbers and words: flags do not show whether they were given. */
static struct wish *wish_of(struct project *p)
{
	struct wish *w = wish_for(&a, &res_project, p);
	size_t n = 0;
	for (size_t i = 0; i < w->n; i++)
		if (w->asked[i]->type != FT_BOOL)
			w->asked[n++] = w->asked[i];
	w->n = n;
	return w;
}

static const struct project *made(void)
{
	struct project *n = object_new(&a, &res_project);
	arrival_project(n, &facts, wish_of(record), chosen, NOW);
	return n;
}

TestSuite(arrival, .init = setup, .fini = teardown);

Test(arrival, a_project_of_which_nothing_is_known_is_as_any_new_one)
{
	const struct project *n = made(), *any = res_project.preset;
	cr_expect_eq(n->iteration_length, any->iteration_length);
	cr_expect_eq(n->week_start_day, any->week_start_day);
	cr_expect_eq(n->velocity_averaged_over, any->velocity_averaged_over);
	cr_expect_eq(n->initial_velocity, any->initial_velocity);
	cr_expect(n->enable_tasks && n->automatic_planning);
	cr_expect_eq(n->project_type, PROJECT_PRIVATE);
	cr_expect_eq(n->start_date, NIL);
	cr_expect_eq(n->created_at, NOW);
	cr_expect_eq(n->updated_at, NOW);
	cr_expect(str_equal_z(n->point_scale, "0,1,2,4,8"));
}

Test(arrival, the_record_is_before_the_stories_and_the_command_before_both)
{
	facts.iteration_length = 2;
	facts.week_start_day = 1;
	cr_expect_eq(made()->iteration_length, 2);
	record->iteration_length = 3;
	record->point_scale = STR("0,1,2,3");
	record->week_start_day = 2;
	cr_expect_eq(made()->iteration_length, 3);
	cr_expect_eq(made()->week_start_day, 2);
	cr_expect(str_equal_z(made()->point_scale, "0,1,2,3"));
	chosen->iteration_length = 4;
	chosen->week_start_day = 3;
	cr_expect_eq(made()->iteration_length, 4);
	cr_expect_eq(made()->week_start_day, 3);
}

Test(arrival, numbers_that_no_project_can_have_are_not_taken)
{
	facts.iteration_length = 2;
	record->iteration_length = 5;
	record->velocity_averaged_over = 0;
	record->number_of_done_iterations_to_show = 1001;
	record->initial_velocity = 1000;
	cr_expect_eq(made()->iteration_length, 2);
	cr_expect_eq(made()->velocity_averaged_over, 3);
	cr_expect_eq(made()->number_of_done_iterations_to_show, 4);
	cr_expect_eq(made()->initial_velocity, 10);
	record->number_of_done_iterations_to_show = 1000;
	record->initial_velocity = 999;
	cr_expect_eq(made()->number_of_done_iterations_to_show, 1000);
	cr_expect_eq(made()->initial_velocity, 999);
}

Test(arrival, iterations_begin_on_the_day_of_their_week)
{
	record->start_date = FRIDAY;
	cr_expect_eq(made()->start_date, MONDAY);
	chosen->week_start_day = 5;
	cr_expect_eq(made()->start_date, FRIDAY);
	chosen->week_start_day = 6;
	cr_expect_eq(made()->start_date, FRIDAY - 6);
}

Test(arrival, planned_stories_are_planned_by_hand)
{
	facts.has_planned = facts.has_priority = facts.estimates_all = true;
	cr_expect_not(made()->automatic_planning);
	cr_expect(made()->show_story_priority && made()->bugs_and_chores_are_estimatable);
}

Test(arrival, nothing_is_of_the_future)
{
	record->created_at = 500;
	cr_expect_eq(made()->created_at, 500);
	cr_expect_eq(made()->updated_at, 500);
	record->updated_at = NOW + 1;
	cr_expect_eq(made()->updated_at, NOW);
	record->created_at = NOW + 1;
	cr_expect_eq(made()->created_at, NOW);
}

/* Stories ------------------------------------------------------------------------------- */

static struct arrival_story arrived;
static struct story *story;

static void assert_says(const char *expected)
{
	const char *says[ARRIVAL_SAYS_MAX];
	struct buf text = { 0 };
	size_t n = arrival_story_says(&arrived, res_project.preset, says);
	for (size_t i = 0; i < n; i++)
		buf_printf(&text, i ? " %s" : "%s", says[i]);
	cr_expect(str_equal_z(buf_str(&text), expected), "%.*s, and not %s", (int)text.n, text.p,
		expected);
	buf_free(&text);
}

static void arrive(void)
{
	story = object_new(&a, &res_story);
	story->story_type = TYPE_FEATURE;
	story->current_state = STATE_UNSTARTED;
	arrived = (struct arrival_story){ .story = story, .has_name = true };
}

TestSuite(arrival_story, .init = arrive, .fini = teardown);

Test(arrival_story, of_an_usual_one_nothing_is_said)
{
	assert_says("");
	story->estimate = 2;
	story->current_state = STATE_ACCEPTED;
	arrived.had_accepted_at = true;
	assert_says("");
}

Test(arrival_story, what_was_lost_or_changed)
{
	arrived.has_name = false;
	arrived.was_planned = arrived.had_accepted_at = arrived.had_deadline = true;
	assert_says("planned_by_hand not_accepted no_release no_name");
	story->story_type = TYPE_RELEASE;
	story->current_state = STATE_ACCEPTED;
	assert_says("planned_by_hand no_name");
}

Test(arrival_story, estimates)
{
	story->current_state = STATE_ACCEPTED;
	assert_says("no_estimate");
	story->estimate = 5;
	assert_says("off_scale");
	story->estimate = 2;
	story->story_type = TYPE_BUG;
	assert_says("estimate_of_type");
	story->story_type = TYPE_RELEASE;
	assert_says("estimate_of_type");
}

Test(arrival_story, states_and_owners)
{
	int64_t owners[4] = { 1, 2, 3, 4 };
	story->story_type = TYPE_CHORE;
	story->current_state = STATE_DELIVERED;
	assert_says("state_of_type");
	story->story_type = TYPE_RELEASE;
	story->current_state = STATE_STARTED;
	assert_says("state_of_type");
	story->current_state = STATE_UNSTARTED;
	story->owner_ids = (struct ids){ owners, 3 };
	assert_says("");
	story->owner_ids.n = 4;
	assert_says("many_owners");
}

Test(arrival_story, of_an_exact_one_nothing_is_odd)
{
	arrived.is_exact = true;
	story->story_type = TYPE_RELEASE;
	story->current_state = STATE_STARTED;
	story->estimate = 5;
	assert_says("");
}
