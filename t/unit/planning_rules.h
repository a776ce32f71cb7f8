/*
 * A project to plan for tests, and the rules that hold for whatever is planned,
 * checked without knowing how: used by test_planning.c on golden cases and on
 * random projects. Zone data is the C library's, by the variable TZ.
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

/* Fails the test and goes on; needs a struct planning_rules_subject *s. */
#define CHECK(condition, ...)                                                                      \
	do {                                                                                       \
		if (!(condition))                                                                  \
			planning_rules_fail(s, __VA_ARGS__);                                       \
	} while (0)

void planning_rules_fail(const struct planning_rules_subject *s, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

/* A new project's settings, in UTC; *s must stay where it is. */
void planning_rules_start(struct planning_rules_subject *s, const char *name);

/* The zone of what follows. */
void planning_rules_set_zone(const char *zone);

/* What a database gives: the first day, and the midnights of WEEKS_MAX weeks. */
void planning_rules_finish(struct planning_rules_subject *s);

/* plan is planning_make_plan's of s. */
void planning_rules_check(
	struct arena *a, const struct planning_rules_subject *s, const struct planning_plan *plan);

#endif
