/*
 * Planning: the golden cases in t/planning/, in the format described in its README.md,
 * and rules that hold for any project, checked for random ones.
 */
#include <criterion/criterion.h>

#include <glob.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "planning/planning.h"
#include "planning_rules.h"

enum { EXPECTED_MAX = 32, COMPLETIONS_MAX = 8 };

#define UNSEEN INT64_MIN

/* What a case says about an iteration; instants UNSEEN and numbers NAN are not checked. */
struct expected {
	int number, scope; /* -1 done, 0 current, 1 backlog */
	int64_t start, finish;
	double length, strength, points, accepted, effective, velocity;
	int ids[STORIES_MAX];
	size_t ids_n;
};

/* What a case says. */
struct golden {
	struct planning_rules_subject subject;
	int ids[STORIES_MAX];
	int current, velocity, iterations;
	int64_t start_time;
	double deviation, volatility;
	struct expected expected[EXPECTED_MAX];
	size_t expected_n;
	int completion_ids[COMPLETIONS_MAX];
	int64_t completions[COMPLETIONS_MAX];
	size_t completions_n;
};

static struct golden g; /* large, and one at a time */
static struct planning_rules_subject *const s = &g.subject;

static void start_case(const char *name)
{
	g = (struct golden){ .start_time = UNSEEN, .deviation = NAN, .volatility = NAN };
	planning_rules_start(s, name);
}

/* Expectations. */

static bool differs(double wanted, double got)
{
	return !isnan(wanted) && !(fabs(wanted - got) < 1e-3);
}

static void check_expected(const struct planning_plan *p, const struct expected *e)
{
	int n = e->number;
	cr_assert(n >= 1 && (size_t)n <= p->iterations_n, "%s: no iteration %d", s->name, n);
	const struct planning_iteration *it = &p->iterations[n - 1];
	int scope = ((size_t)n - 1 > p->current) - ((size_t)n - 1 < p->current);
	CHECK(scope == e->scope, "iteration %d: scope %d", n, scope);
	CHECK(e->start == UNSEEN || e->start == it->span.start, "iteration %d: start", n);
	CHECK(e->finish == UNSEEN || e->finish == it->span.finish, "iteration %d: finish", n);
	CHECK(!differs(e->length, it->span.weeks), "iteration %d: length %d", n, it->span.weeks);
	CHECK(!differs(e->strength, it->span.strength), "iteration %d: strength %g", n,
		it->span.strength);
	CHECK(!differs(e->points, it->points), "iteration %d: points %g", n, it->points);
	CHECK(!differs(e->accepted, it->accepted_points), "iteration %d: accepted %g", n,
		it->accepted_points);
	CHECK(!differs(e->effective, it->effective_points), "iteration %d: effective %g", n,
		it->effective_points);
	CHECK(!differs(e->velocity, it->velocity), "iteration %d: velocity %d", n, it->velocity);
	CHECK(it->n == e->ids_n, "iteration %d: %zu stories", n, it->n);
	for (size_t i = 0; i < it->n && i < e->ids_n; i++)
		CHECK(g.ids[p->order[it->first + i]] == e->ids[i], "iteration %d: story %d at %zu",
			n, g.ids[p->order[it->first + i]], i);
}

static void check_completion(const struct planning_plan *p, int id, int64_t completion)
{
	for (size_t i = 0; i < s->stories_n; i++)
		if (g.ids[i] == id) {
			const struct planning_iteration *it = planning_find_iteration(p, i);
			CHECK((it ? it->span.finish : UNSEEN) == completion, "completion of %d",
				id);
			return;
		}
	CHECK(false, "no story %d", id);
}

static void run_case(void)
{
	struct arena a = { 0 };
	struct planning_plan p;
	CHECK(s->now && g.current && g.velocity >= 0 && g.iterations, "incomplete");
	planning_rules_finish(s);
	planning_make_plan(&a, &s->project, s->now, s->stories, s->stories_n, &p);

	int64_t start = p.iterations[0].span.start;
	CHECK(p.current + 1 == (size_t)g.current, "current %zu", p.current + 1);
	CHECK(p.velocity.points == g.velocity, "velocity %d", p.velocity.points);
	CHECK(p.iterations_n == (size_t)g.iterations, "%zu iterations", p.iterations_n);
	CHECK(g.start_time == UNSEEN || start == g.start_time, "start_time");
	CHECK(!differs(g.deviation, p.velocity.standard_deviation), "deviation %g",
		p.velocity.standard_deviation);
	CHECK(!differs(g.volatility, p.velocity.volatility), "volatility %g",
		p.velocity.volatility);
	for (size_t i = 0; i < g.expected_n; i++)
		check_expected(&p, &g.expected[i]);
	for (size_t i = 0; i < g.completions_n; i++)
		check_completion(&p, g.completion_ids[i], g.completions[i]);
	if (p.iterations_n < PLANNING_BACKLOG_MAX)
		planning_rules_check(&a, s, &p);
	arena_free(&a);
}

/* The format. */

static const char *word(void)
{
	const char *w = strtok(NULL, " ");
	CHECK(w, "a word is missing");
	return w ? w : "";
}

static int find_word(const char *const *words, const char *w)
{
	for (int i = 0; words[i]; i++)
		if (!strcmp(words[i], w))
			return i;
	CHECK(false, "unknown word %s", w);
	return 0;
}

static int64_t read_time(const char *w, const char *format)
{
	struct tm tm = { 0 };
	const char *end = strptime(w, format, &tm);
	CHECK(end && !*end, "no time: %s", w);
	return timegm(&tm) * SECOND;
}

static int64_t read_instant(const char *w)
{
	return strcmp(w, "-") ? read_time(w, "%Y-%m-%dT%H:%M:%SZ") : UNSEEN;
}

/* 7 or 3-6 */
static void read_ids(const char *w, int *first, int *last)
{
	int n = sscanf(w, "%d-%d", first, last);
	CHECK(n >= 1, "no id: %s", w);
	if (n < 2)
		*last = *first;
}

static void read_story(void)
{
	static const char *const types[] = { "feature", "bug", "chore", "release", NULL };
	static const char *const states[] = { "unscheduled", "unstarted", "planned", "started",
		"finished", "delivered", "rejected", "accepted", NULL };
	int first, last;
	read_ids(word(), &first, &last);
	int type = find_word(types, word());
	struct planning_story story = { .state = (enum planning_state)find_word(states, word()) };
	const char *estimate = word();
	story.estimate = strcmp(estimate, "-") ? strtod(estimate, NULL) : -1;
	CHECK(type != 3 || story.estimate < 0, "release with an estimate");
	if (story.state == PLANNING_ACCEPTED)
		story.accepted_at = read_instant(word());
	for (int id = first; id <= last && s->stories_n < STORIES_MAX; id++) {
		g.ids[s->stories_n] = id;
		s->stories[s->stories_n++] = story;
	}
}

static void read_override(void)
{
	cr_assert(s->project.overrides_n < OVERRIDES_MAX);
	struct planning_override *o = &s->overrides[s->project.overrides_n++];
	*o = (struct planning_override){ .number = atoi(word()), .strength = -1 };
	for (const char *w; (w = strtok(NULL, " "));)
		CHECK(sscanf(w, "length=%d", &o->weeks) == 1 ||
				sscanf(w, "team_strength=%lf", &o->strength) == 1,
			"unknown word %s", w);
}

static void read_iteration(void)
{
	static const char *const scopes[] = { "done", "current", "backlog", NULL };
	static const char *const keys[] = { "length", "team_strength", "points", "accepted",
		"effective", "velocity", NULL };
	cr_assert(g.expected_n < EXPECTED_MAX);
	struct expected *e = &g.expected[g.expected_n++];
	double *values[] = { &e->length, &e->strength, &e->points, &e->accepted, &e->effective,
		&e->velocity };
	for (size_t i = 0; i < 6; i++)
		*values[i] = NAN;
	e->number = atoi(word());
	e->scope = find_word(scopes, word()) - 1;
	e->start = read_instant(word());
	e->finish = read_instant(word());
	for (const char *w; strcmp(w = word(), ":") && *w;) {
		char key[32] = "";
		double value = NAN;
		CHECK(sscanf(w, "%31[a-z_]=%lf", key, &value) == 2, "no value: %s", w);
		*values[find_word(keys, key)] = value;
	}
	for (const char *w; (w = strtok(NULL, " "));) {
		int first, last;
		read_ids(w, &first, &last);
		while (first <= last && e->ids_n < STORIES_MAX)
			e->ids[e->ids_n++] = first++;
	}
}

static void read_expect(void)
{
	static const char *const words[] = { "current", "velocity", "iterations", "start_time",
		"standard_deviation", "volatility", "completion", NULL };
	int *integers[] = { &g.current, &g.velocity, &g.iterations };
	int what = find_word(words, word());
	const char *value = word();
	if (what < 3) {
		*integers[what] = atoi(value);
	} else if (what == 3) {
		g.start_time = read_instant(value);
	} else if (what < 6) {
		*(what == 4 ? &g.deviation : &g.volatility) = strtod(value, NULL);
	} else {
		cr_assert(g.completions_n < COMPLETIONS_MAX);
		g.completion_ids[g.completions_n] = atoi(value);
		g.completions[g.completions_n++] = read_instant(word());
	}
}

static void read_start_date(const char *value)
{
	s->start_date = (int32_t)(read_time(value, "%Y-%m-%d") / DAY);
	s->has_start_date = true;
}

static void read_setting(const char *name)
{
	static const char *const names[] = { "iteration_length", "initial_velocity",
		"velocity_averaged_over", "automatic_planning", "week_start_day", "start_date",
		"time_zone", "now", "created_at", NULL };
	static const char *const days[] = { "Sunday", "Monday", "Tuesday", "Wednesday", "Thursday",
		"Friday", "Saturday", NULL };
	int *integers[] = { &s->project.iteration_length, &s->project.initial_velocity,
		&s->project.velocity_averaged_over };
	int what = find_word(names, name);
	const char *value = word();
	if (what < 3)
		*integers[what] = atoi(value);
	else if (what == 3)
		s->project.automatic_planning = !strcmp(value, "yes");
	else if (what == 4)
		s->week_start = find_word(days, value);
	else if (what == 5)
		read_start_date(value);
	else if (what == 6)
		planning_rules_set_zone(value);
	else if (what == 7)
		s->now = read_instant(value);
	else
		s->created_at = read_instant(value);
}

static int run_file(const char *path)
{
	char line[1024];
	int cases = 0;
	FILE *file = fopen(path, "r");
	cr_assert(file, "%s", path);
	while (fgets(line, sizeof(line), file)) {
		line[strcspn(line, "\n")] = 0;
		const char *w = strtok(line, " ");
		if (!w || *w == '#' || !strcmp(w, "about"))
			continue;
		if (!strcmp(w, "case")) {
			if (cases++)
				run_case();
			start_case(word());
		} else if (!strcmp(w, "story")) {
			read_story();
		} else if (!strcmp(w, "override")) {
			read_override();
		} else if (!strcmp(w, "expect")) {
			read_expect();
		} else if (!strcmp(w, "iteration")) {
			read_iteration();
		} else {
			read_setting(w);
		}
		CHECK(!strtok(NULL, " "), "a word too many");
	}
	run_case();
	fclose(file);
	return cases;
}

/* If the build is elsewhere, $srcdir is the source folder. */
Test(planning, golden_cases)
{
	const char *root = getenv("srcdir");
	char pattern[1024];
	int cases = 0;
	glob_t files;

	snprintf(pattern, sizeof(pattern), "%s/t/planning/*.case", root ? root : ".");
	cr_assert(glob(pattern, 0, NULL, &files) == 0, "no %s", pattern);
	for (size_t i = 0; i < files.gl_pathc; i++)
		cases += run_file(files.gl_pathv[i]);
	globfree(&files);
	cr_expect(cases >= 60, "%d cases", cases);
}

/* Random projects. */

static int draw(uint64_t *seed, int n)
{
	*seed = *seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
	return (int)((*seed >> 33) % (uint64_t)n);
}

static double draw_strength(uint64_t *seed)
{
	static const double strengths[] = { -1, 0, 0, 0.1, 0.29, 0.5, 0.7, 1, 1.25, 2 };
	return strengths[draw(seed, 10)];
}

static void draw_stories(uint64_t *seed)
{
	static const double estimates[] = { -1, -1, 0, 1, 1, 2, 3, 5, 8, 0.1, 21 };
	bool tame = draw(seed, 2);
	int weeks = 1 + draw(seed, 60);
	s->stories_n = (size_t)draw(seed, draw(seed, 4) ? 60 : STORIES_MAX);
	for (size_t i = 0; i < s->stories_n; i++) {
		struct planning_story *story = &s->stories[i];
		int state = draw(seed, 16);
		story->state = state < 8 ? (enum planning_state)state
			: state < 12     ? PLANNING_ACCEPTED
					 : PLANNING_UNSTARTED;
		story->estimate = estimates[draw(seed, tame ? 9 : 11)];
		story->accepted_at = s->now - (int64_t)draw(seed, weeks * 7 * 24) * 3600 * SECOND;
	}
}

static void draw_project(uint64_t *seed)
{
	static const char *const zones[] = { "UTC", "Pacific/Auckland", "America/Los_Angeles",
		"Australia/Lord_Howe" };
	s->project.iteration_length = 1 + draw(seed, 4);
	s->project.initial_velocity = draw(seed, 4) ? 10 : 1 + draw(seed, 20);
	s->project.velocity_averaged_over = 1 + draw(seed, 4);
	s->project.automatic_planning = draw(seed, 3) > 0;
	s->week_start = draw(seed, 7);
	s->now = (INT64_C(1700000000) + draw(seed, 100000000)) * SECOND;
	s->created_at = s->now - draw(seed, 200) * DAY;
	s->has_start_date = draw(seed, 2);
	s->start_date = (int32_t)(s->now / DAY) - draw(seed, 400) + 20;
	planning_rules_set_zone(zones[draw(seed, 4)]);
	for (int number = 1; s->project.overrides_n < OVERRIDES_MAX && number < 80;) {
		number += draw(seed, 8);
		s->overrides[s->project.overrides_n++] = (struct planning_override){ number++,
			draw(seed, 3) ? 0 : 1 + draw(seed, 6), draw_strength(seed) };
	}
	if (draw(seed, 3) == 0)
		s->project.overrides_n = 0;
}

Test(planning, random_projects_keep_the_rules)
{
	for (uint64_t i = 1; i <= 1000; i++) {
		char name[32];
		uint64_t seed = i;
		struct arena a = { 0 };
		struct planning_plan p;

		snprintf(name, sizeof(name), "random %d", (int)i);
		start_case(name);
		draw_project(&seed);
		draw_stories(&seed);
		planning_rules_finish(s);
		planning_make_plan(&a, &s->project, s->now, s->stories, s->stories_n, &p);
		planning_rules_check(&a, s, &p);
		arena_free(&a);
	}
}

/* Before and after the table of midnights, days have 24 hours. */
Test(planning, midnights_outside_of_the_table)
{
	const int64_t midnights[] = { 100 * DAY + 5 * SECOND, 107 * DAY + 9 * SECOND };
	struct arena a = { 0 };
	struct planning_calendar c;
	struct planning_project p = { .iteration_length = 1,
		.initial_velocity = 10,
		.velocity_averaged_over = 3,
		.first_day = 93,
		.midnights = { 100, 2, midnights } };

	planning_make_calendar(&a, &p, 101 * DAY, &c);
	cr_expect_eq(c.current, 2);
	cr_expect_eq(c.spans[0].start, 93 * DAY + 5 * SECOND);
	cr_expect_eq(c.spans[1].start, midnights[0]);
	cr_expect_eq(c.spans[1].finish, midnights[1]);
	cr_expect_eq(planning_find_span(&c, 4).start, 114 * DAY + 9 * SECOND);
	arena_free(&a);
}

Test(planning, finds_the_iteration_of_an_instant)
{
	const int64_t midnight = 100 * DAY;
	struct arena a = { 0 };
	struct planning_calendar c;
	struct planning_project p = {
		.iteration_length = 1, .first_day = 100, .midnights = { 100, 1, &midnight }
	};

	planning_make_calendar(&a, &p, 100 * DAY + 30 * 7 * DAY, &c);
	cr_expect_eq(c.current, 31);
	cr_expect_eq(planning_find_number(&c, 0), 1, "before the first");
	for (int i = 0; i < 31; i++) {
		cr_expect_eq(planning_find_number(&c, (100 + 7 * i) * DAY), i + 1);
		cr_expect_eq(planning_find_number(&c, (107 + 7 * i) * DAY - 1), i + 1);
	}
	cr_expect_eq(planning_find_number(&c, 1000 * DAY), 31, "behind the last");
	arena_free(&a);
}

/* The velocity of any done iteration needs only a few sums. */
Test(planning, sums_before_a_page)
{
	const int64_t midnight = 0;
	const double points[] = { 6, 0, 9, 4 };
	struct arena a = { 0 };
	struct planning_calendar c;
	const struct planning_override off = { 5, 0, 0 };
	struct planning_project p = { .iteration_length = 1,
		.initial_velocity = 10,
		.velocity_averaged_over = 3,
		.midnights = { 0, 1, &midnight },
		.overrides = &off,
		.overrides_n = 1 };

	planning_make_calendar(&a, &p, 20 * 7 * DAY, &c);
	cr_expect_eq(planning_find_first_sum(&c, 1), 1, "none is done");
	cr_expect_eq(planning_find_first_sum(&c, 2), 1);
	cr_expect_eq(planning_find_first_sum(&c, 5), 2);
	cr_expect_eq(planning_find_first_sum(&c, 6), 2, "5 is passed over");
	cr_expect_eq(planning_find_first_sum(&c, 99), 18, "the current one is 21");
	struct planning_sums sums = { 2, 4, points };
	cr_expect_eq(planning_find_velocity(&c, &sums, 5).points, 5, "2, 3 and 4");
	cr_expect_eq(planning_find_velocity(&c, &sums, 6).points, 5, "the same");
	cr_expect_eq(planning_find_velocity(&c, &sums, 1).points, 10);
	cr_expect(planning_find_velocity(&c, &sums, 99).initial,
		"outside of sums there are no points");
	arena_free(&a);
}
