#include "planning_rules.h"

#include <criterion/criterion.h>

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

void planning_rules_fail(const struct planning_rules_subject *s, const char *format, ...)
{
	char text[256];
	va_list args;

	va_start(args, format);
	vsnprintf(text, sizeof(text), format, args);
	va_end(args);
	cr_expect(false, "%s: %s", s->name, text);
}

void planning_rules_set_zone(const char *zone)
{
	char path[256];
	snprintf(path, sizeof(path), "/usr/share/zoneinfo/%s", zone);
	cr_assert(access(path, R_OK) == 0, "no time zone %s: install tzdata", zone);
	setenv("TZ", zone, 1);
	tzset();
}

void planning_rules_start(struct planning_rules_subject *s, const char *name)
{
	*s = (struct planning_rules_subject){
		.project = { .iteration_length = 1,
			.initial_velocity = 10,
			.velocity_averaged_over = 3,
			.automatic_planning = true,
			.overrides = s->overrides },
		.week_start = 1,
	};
	snprintf(s->name, sizeof(s->name), "%s", name);
	planning_rules_set_zone("UTC");
}

/* Local dates and midnights, from the C library. */

static int32_t local_date(int64_t at)
{
	time_t t = (time_t)(at / SECOND);
	struct tm tm;
	localtime_r(&t, &tm);
	return (int32_t)(timegm(&(struct tm){ .tm_year = tm.tm_year,
				 .tm_mon = tm.tm_mon,
				 .tm_mday = tm.tm_mday }) /
		86400);
}

static int64_t local_midnight(int32_t date)
{
	time_t t = (time_t)date * 86400;
	struct tm tm;
	gmtime_r(&t, &tm);
	tm.tm_isdst = -1;
	return mktime(&tm) * SECOND;
}

/* What a database would return: the first day and a table of midnights. */
void planning_rules_finish(struct planning_rules_subject *s)
{
	int32_t accepted = INT32_MAX;
	for (size_t i = 0; i < s->stories_n; i++)
		if (s->stories[i].state == PLANNING_ACCEPTED &&
			local_date(s->stories[i].accepted_at) < accepted)
			accepted = local_date(s->stories[i].accepted_at);
	s->project.first_day = planning_find_first_day(s->week_start,
		s->has_start_date ? &s->start_date : NULL, accepted < INT32_MAX ? &accepted : NULL,
		local_date(s->created_at ? s->created_at : s->now));
	s->project.midnights =
		(struct planning_midnights){ s->project.first_day, WEEKS_MAX, s->midnights };
	for (int i = 0; i < WEEKS_MAX; i++)
		s->midnights[i] = local_midnight(s->project.first_day + 7 * i);
}

/* Rules that hold for any project. */

static bool is_waiting(const struct planning_rules_subject *s, size_t story)
{
	enum planning_state state = s->stories[story].state;
	return state == PLANNING_UNSTARTED ||
		(state == PLANNING_PLANNED && s->project.automatic_planning);
}

static double weight(const struct planning_rules_subject *s, size_t story)
{
	return fmax(s->stories[story].estimate, 0);
}

/* Numbers without a gap, finish n = start n + 1, now within the current one. */
static void check_calendar(const struct planning_rules_subject *s, const struct planning_plan *p)
{
	for (size_t i = 0; i < p->iterations_n; i++) {
		const struct planning_span *a = &p->iterations[i].span;
		CHECK(a->number == (int)i + 1, "number %d at %zu", a->number, i);
		CHECK(a->finish > a->start, "iteration %d ends before it begins", a->number);
		CHECK((a->finish <= s->now) == (i < p->current),
			"iteration %d is misplaced in time", a->number);
		CHECK(i == 0 || p->iterations[i - 1].span.finish == a->start, "gap before %d",
			a->number);
		CHECK(a->day >= s->project.first_day + 7 * WEEKS_MAX ||
				local_midnight(a->day) == a->start,
			"%d begins at no midnight", a->number);
	}
	CHECK(p->current < p->iterations_n, "no current iteration");
}

/* Every story outside the icebox is in exactly one iteration; waiting ones keep their order. */
static void check_membership(const struct planning_rules_subject *s, const struct planning_plan *p)
{
	bool seen[STORIES_MAX] = { false };
	size_t next = 0, last = 0;
	for (size_t i = 0; i < p->iterations_n; i++) {
		double points = 0, accepted = 0;
		CHECK(p->iterations[i].first == next, "iteration %zu does not follow", i);
		for (; next < p->iterations[i].first + p->iterations[i].n; next++) {
			size_t story = p->order[next];
			bool done = s->stories[story].state == PLANNING_ACCEPTED;
			CHECK(!seen[story], "story %zu twice", story);
			seen[story] = true;
			CHECK(p->iteration_of[story] == i, "iteration_of of story %zu", story);
			CHECK(planning_find_iteration(p, story) == &p->iterations[i],
				"iteration of %zu", story);
			CHECK(done ? i <= p->current : i >= p->current,
				"story %zu on the wrong side", story);
			CHECK(i <= p->current || is_waiting(s, story), "story %zu in backlog",
				story);
			if (is_waiting(s, story)) {
				CHECK(last <= story, "story %zu overtakes", story);
				last = story;
			}
			points += weight(s, story);
			accepted += done ? weight(s, story) : 0;
		}
		CHECK(fabs(points - p->iterations[i].points) < 1e-6, "points of %zu", i);
		CHECK(fabs(accepted - p->iterations[i].accepted_points) < 1e-6, "accepted of %zu",
			i);
	}
	CHECK(next == p->order_n, "order_n");
	for (size_t i = 0; i < s->stories_n; i++)
		CHECK(seen[i] == (s->stories[i].state != PLANNING_UNSCHEDULED), "story %zu is lost",
			i);
	CHECK(p->iterations_n == p->current + 1 || p->iterations[p->iterations_n - 1].n > 0,
		"empty end");
}

/* No iteration takes more than it may, and none leaves a story that would have fitted. */
static void check_capacity(const struct planning_rules_subject *s, const struct planning_plan *p)
{
	double room = 0;
	for (size_t i = p->current; i < p->iterations_n; i++) {
		const struct planning_iteration *it = &p->iterations[i];
		bool pulls =
			it->span.strength > 0 && (i > p->current || s->project.automatic_planning);
		int velocity = i > p->current && it->velocity == 0 ? 1 : it->velocity;
		size_t waiting = 0, after = it->first + it->n;
		room += floor(velocity * it->span.strength * it->span.weeks /
				s->project.iteration_length +
			1e-6);
		for (size_t j = it->first; j < after; j++)
			waiting += is_waiting(s, p->order[j]);
		CHECK(waiting == 0 || (pulls && it->points <= room + 1e-6),
			"iteration %zu is overfull", i);
		if (pulls && after < p->order_n)
			CHECK(it->points + weight(s, p->order[after]) > room + 1e-6,
				"%zu stopped early", i);
		room = pulls || i > p->current ? fmax(room - it->points, 0) : 0;
	}
}

static void check_same(const struct planning_rules_subject *s, const struct planning_iteration *a,
	const struct planning_iteration *b)
{
	CHECK(a->span.number == b->span.number && a->span.start == b->span.start &&
			a->span.finish == b->span.finish && a->n == b->n &&
			a->velocity == b->velocity && a->points == b->points &&
			a->accepted_points == b->accepted_points,
		"iteration %d differs between layers", a->span.number);
}

/* A caller with only a few sums, and without the done stories, gets the same plan. */
static void check_layers(
	struct arena *a, const struct planning_rules_subject *s, const struct planning_plan *whole)
{
	static struct planning_story some[STORIES_MAX];
	static double points[WEEKS_MAX];
	struct planning_calendar c;
	struct planning_plan part;
	size_t n = 0, kept[STORIES_MAX];

	planning_make_calendar(a, &s->project, s->now, &c);
	int64_t start = planning_find_span(&c, c.current).start;
	int first = planning_find_first_sum(&c, c.current);
	for (int i = first; i < c.current; i++)
		points[i - first] = whole->iterations[i - 1].accepted_points;
	struct planning_sums sums = { first, (size_t)(c.current - first), points };
	struct planning_velocity v = planning_find_velocity(&c, &sums, c.current);
	CHECK(v.points == whole->velocity.points, "velocity %d from few sums", v.points);
	CHECK(v.volatility == whole->velocity.volatility, "volatility from few sums");

	for (size_t i = 0; i < s->stories_n; i++)
		if (s->stories[i].state != PLANNING_ACCEPTED ||
			s->stories[i].accepted_at >= start) {
			kept[n] = i;
			some[n++] = s->stories[i];
		}
	planning_fill(a, &c, &v, some, n, &part);
	CHECK(part.current == 0 && part.iterations_n == whole->iterations_n - whole->current,
		"part");
	for (size_t i = 0; i < part.iterations_n; i++) {
		check_same(s, &part.iterations[i], &whole->iterations[whole->current + i]);
		struct planning_span span = planning_find_span(&c, part.iterations[i].span.number);
		CHECK(span.start == part.iterations[i].span.start, "span %d", span.number);
	}
	size_t before = whole->iterations[whole->current].first;
	for (size_t i = 0; i < part.order_n; i++)
		CHECK(kept[part.order[i]] == whole->order[before + i],
			"order differs between layers");
}

void planning_rules_check(
	struct arena *a, const struct planning_rules_subject *s, const struct planning_plan *p)
{
	check_calendar(s, p);
	check_membership(s, p);
	check_capacity(s, p);
	check_layers(a, s, p);
}
