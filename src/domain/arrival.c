#include "domain/arrival.h"

#include "lib/when.h"
#include "model/model.h"
#include "model/words.h"

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

/* A number of the record that no project can have is not taken. */
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
	return day == NIL ? NIL : day - (when_weekday((int32_t)day) - first + 7) % 7;
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
