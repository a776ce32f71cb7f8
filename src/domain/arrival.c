#include "domain/arrival.h"

#include <math.h>

#include "domain/story.h"
#include "lib/when.h"
#include "model/model.h"
#include "model/words.h"

/* Ids ------------------------------------------------------------------------------------ */

int64_t arrival_ids_top(bool is_operator)
{
	enum { OF_PEOPLE = 1000000000 };
	return is_operator ? ARRIVAL_IDS_MAX : OF_PEOPLE;
}

/* Projects ------------------------------------------------------------------------------ */

static void take_facts(struct project *n, const struct arrival_facts *facts)
{
	if (facts->iteration_length != NIL)
		n->iteration_length = facts->iteration_length;
	if (facts->week_start_day != WORD_NONE)
		n->week_start_day = facts->week_start_day;
	if (facts->start_date != NIL)
		n->start_date = facts->start_date;
	n->point_scale = facts->point_scale;
	n->bugs_and_chores_are_estimatable = facts->estimates_all;
	n->show_story_priority = facts->has_priority;
}

/* Replaces a number of the record that no project can have. */
static void bound(int64_t *v, int64_t least, int64_t most, int64_t otherwise)
{
	if (*v < least || *v > most)
		*v = otherwise;
}

static void take_record(struct project *n, const struct wish *record)
{
	const struct project before = *n;
	wish_apply(record, n);
	bound(&n->iteration_length, 1, 4, before.iteration_length);
	bound(&n->velocity_averaged_over, 1, 4, before.velocity_averaged_over);
	bound(&n->number_of_done_iterations_to_show, 1, 1000,
		before.number_of_done_iterations_to_show);
	bound(&n->initial_velocity, 1, 999, before.initial_velocity);
}

static void take_chosen(struct project *n, const struct project *chosen)
{
	for (int i = 0; i < res_project.n_fields; i++) {
		const struct field *f = &res_project.fields[i];
		if ((f->flags & F_STORED) && f->type != FT_BOOL && !object_is_null(f, chosen))
			object_set(f, n, chosen);
	}
}

/* The day of that week on which iterations begin. */
static int64_t week_start(int64_t day, int first)
{
	return day == NIL ? NIL : when_week_start((int32_t)day, first);
}

static int64_t not_after(int64_t at, int64_t now)
{
	return at == NIL || at > now ? now : at;
}

void arrival_project(struct project *n, const struct arrival_facts *facts,
	const struct wish *record, const struct project *chosen, int64_t now)
{
	n->created_at = n->updated_at = NIL;
	take_facts(n, facts);
	take_record(n, record);
	take_chosen(n, chosen);
	n->start_date = week_start(n->start_date, n->week_start_day);
	n->automatic_planning = n->automatic_planning && !facts->has_planned;
	n->project_type = n->public ? PROJECT_PUBLIC : PROJECT_PRIVATE;
	if (n->updated_at == NIL)
		n->updated_at = n->created_at;
	n->created_at = not_after(n->created_at, now);
	n->updated_at = not_after(n->updated_at, now);
}

/* Stories ------------------------------------------------------------------------------- */

/* As many as the original accepts. */
enum { OWNERS_MAX = 3 };

static bool was_planned(const struct arrival_story *s, const struct project *p)
{
	(void)p;
	return s->was_planned;
}

static bool is_not_accepted(const struct arrival_story *s, const struct project *p)
{
	(void)p;
	return s->had_accepted_at && s->story->current_state != STATE_ACCEPTED;
}

static bool is_no_release(const struct arrival_story *s, const struct project *p)
{
	(void)p;
	return s->had_deadline && s->story->story_type != TYPE_RELEASE;
}

static bool has_no_name(const struct arrival_story *s, const struct project *p)
{
	(void)p;
	return !s->has_name;
}

static bool is_off_scale(const struct arrival_story *s, const struct project *p)
{
	return !s->is_exact && !isnan(s->story->estimate) &&
		!story_is_on_scale(s->story->estimate, p->point_scale);
}

static bool has_no_estimate(const struct arrival_story *s, const struct project *p)
{
	(void)p;
	return !s->is_exact && isnan(s->story->estimate) && s->story->story_type == TYPE_FEATURE &&
		s->story->current_state == STATE_ACCEPTED;
}

static bool has_estimate_of_type(const struct arrival_story *s, const struct project *p)
{
	return !s->is_exact && !isnan(s->story->estimate) && !story_is_estimatable(s->story, p);
}

static bool has_state_of_type(const struct arrival_story *s, const struct project *p)
{
	(void)p;
	return !s->is_exact && !story_can_be_in(s->story->story_type, s->story->current_state);
}

static bool has_many_owners(const struct arrival_story *s, const struct project *p)
{
	(void)p;
	return !s->is_exact && s->story->owner_ids.n > OWNERS_MAX;
}

static const struct {
	const char *says;
	bool (*holds)(const struct arrival_story *s, const struct project *p);
} story_says[] = {
	{ "planned_by_hand", was_planned },
	{ "not_accepted", is_not_accepted },
	{ "no_release", is_no_release },
	{ "no_name", has_no_name },
	{ "off_scale", is_off_scale },
	{ "no_estimate", has_no_estimate },
	{ "estimate_of_type", has_estimate_of_type },
	{ "state_of_type", has_state_of_type },
	{ "many_owners", has_many_owners },
};

size_t arrival_story_says(
	const struct arrival_story *s, const struct project *p, const char *says[ARRIVAL_SAYS_MAX])
{
	size_t n = 0;
	for (size_t i = 0; i < sizeof story_says / sizeof *story_says; i++)
		if (story_says[i].holds(s, p))
			says[n++] = story_says[i].says;
	return n;
}
