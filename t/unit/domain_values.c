#include "domain_values.h"

#include <math.h>
#include <string.h>

#include "lib/when.h"
#include "model/tally.h"
#include "model/words.h"

static double number_of(const struct body *v)
{
	return v->type == BODY_INT ? (double)v->integer : v->number;
}

static bool is_number(const struct body *v)
{
	return v->type == BODY_INT || v->type == BODY_FLOAT;
}

static bool same_instant(const struct domain_values *k, struct str want, int64_t got_ms)
{
	int64_t us = k->now;
	if (!str_equal_z(want, "now") && !when_parse(want, &us))
		return false;
	return when_millis(us) == got_ms;
}

static bool same_children(
	const struct domain_values *k, const struct body *want, const struct body *got)
{
	const struct body *y = got->first;
	if (want->count != got->count)
		return false;
	for (const struct body *x = want->first; x; x = x->next) {
		if (want->type == BODY_OBJECT)
			y = body_get(got, arena_str(k->arena, x->key).p);
		if (!y || !domain_values_same(k, x, y))
			return false;
		y = y->next;
	}
	return true;
}

bool domain_values_same(
	const struct domain_values *k, const struct body *want, const struct body *got)
{
	if (is_number(want) && is_number(got))
		return fabs(number_of(want) - number_of(got)) < 1e-9;
	if (want->type == BODY_TEXT && got->type == BODY_INT)
		return same_instant(k, want->text, got->integer);
	if (want->type != got->type)
		return false;
	switch (want->type) {
	case BODY_BOOL: return want->boolean == got->boolean;
	case BODY_TEXT: return str_equal(want->text, got->text);
	case BODY_ARRAY:
	case BODY_OBJECT: return same_children(k, want, got);
	default: return true;
	}
}

/* {"started": [stories, without points, points]}; what is not named must be 0. */
bool domain_values_same_tally(
	const struct domain_values *k, const struct body *want, const double tally[TALLY_MAX])
{
	static const char *const parts[] = { "number_of_stories_by_state",
		"number_of_zero_point_stories_by_state", "sum_of_story_estimates_by_state" };
	struct buf b = { 0 };
	struct json j;
	json_init(&j, &b);
	tally_put(&j, tally);
	const char *problem;
	const struct body *got = body_parse(k->arena, arena_str(k->arena, buf_str(&b)), &problem);
	buf_free(&b);
	for (int s = 0; words_story_states[s]; s++) {
		const struct body *x = body_get(want, words_story_states[s]);
		const struct body *number = x ? x->first : NULL;
		for (int i = 0; i < 3; i++, number = number ? number->next : NULL) {
			double n =
				number_of(body_get(body_get(got, parts[i]), words_story_states[s]));
			if (fabs((number ? number_of(number) : 0) - n) > 1e-9)
				return false;
		}
	}
	return true;
}

static bool same_counts(
	const struct domain_values *k, const struct body *want, const struct body *got)
{
	double tally[TALLY_MAX] = { 0 };
	int n = 0;
	for (const struct body *x = got->first; x && n < TALLY_MAX; x = x->next)
		tally[n++] = number_of(x);
	return domain_values_same_tally(k, want, tally);
}

bool domain_values_same_member(
	const struct domain_values *k, const struct body *want, const struct body *values)
{
	const char *key = arena_str(k->arena, want->key).p;
	const struct body *got = values ? body_get(values, key) : NULL;
	if (!got)
		return false;
	return !strcmp(key, "counts") && want->type == BODY_OBJECT
		? same_counts(k, want, got)
		: domain_values_same(k, want, got);
}
