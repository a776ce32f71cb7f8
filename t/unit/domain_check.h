/*
 * Checks what golden cases (t/domain/README.md) expect of a request, and rules that hold
 * whatever was decided.
 */
#ifndef DOMAIN_CHECK_H
#define DOMAIN_CHECK_H

#include "domain/activity.h"
#include "domain_case.h"
#include "domain_scene.h"
#include "domain_values.h"

struct domain_check {
	const struct domain_case *c;
	struct domain_play *play;
	const struct domain_line *line;
	struct domain_values values;
	/* For the current project: its activity and news, and how far the lines have got in them. */
	const struct batch *batch;
	struct activity activity;
	const struct body *change, *resource;
	const struct news *news, *told;
	const struct problem *problem;
	size_t transitions;
	bool saw_change, saw_resource, saw_news, saw_problem, saw_transition, saw_refusal;
};

/* Called after the request, whose outcome has been saved to the world. */
void domain_check_start(
	struct domain_check *k, const struct domain_case *c, struct domain_play *play);

/* Checks one line of the expectations. */
void domain_check_line(struct domain_check *k, const struct domain_line *line);

/* Called after the last line: nothing is left over, and the rules hold. */
void domain_check_finish(struct domain_check *k);

/* domain_rules.c: checks what holds for every request that was not refused. */
void domain_rules_check(struct domain_check *k);

#endif
