/*
 * A project to plan in tests, and the rules that hold for any plan, checked without
 * knowing how it was made: used by test_planning.c on golden cases and on random
 * projects. Time zones are the C library's, by way of the variable TZ.
 */
#ifndef PLANNING_RULES_H
#define PLANNING_RULES_H

#include <stdbool.h>
#include <stdint.h>

#include "planning/planning.h"

enum { STORIES_MAX = 512, OVERRIDES_MAX = 32, WEEKS_MAX = 1200 };

#define SECOND INT64_C(1000000)
#define DAY (86400 * SECOND)

struct planning_rules_subject {
	char name[128];
	struct planning_project project;
	int week_start; /* 0 is Sunday */
	bool has_start_date;
	int32_t start_date;
	int64_t now;
	int64_t created_at; /* 0: now */
	struct planning_override overrides[OVERRIDES_MAX];
	struct planning_story stories[STORIES_MAX];
	size_t stories_n;
	int64_t midnights[WEEKS_MAX];
};

/* Fails the test and continues; needs a struct planning_rules_subject *s. */
#define CHECK(condition, ...)                                                                      \
	do {                                                                                       \
		if (!(condition))                                                                  \
			planning_rules_fail(s, __VA_ARGS__);                                       \
	} while (0)

void planning_rules_fail(const struct planning_rules_subject *s, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

/* Sets *s to a new project's settings, in UTC; *s must stay at its address. */
void planning_rules_start(struct planning_rules_subject *s, const char *name);

/* Sets the time zone for what follows. */
void planning_rules_set_zone(const char *zone);

/* Fills in what a database would return: the first day, and the midnights of WEEKS_MAX weeks. */
void planning_rules_finish(struct planning_rules_subject *s);

/* plan: what planning_make_plan returned for s. */
void planning_rules_check(
	struct arena *a, const struct planning_rules_subject *s, const struct planning_plan *plan);

#endif
