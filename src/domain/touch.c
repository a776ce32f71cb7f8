#include "domain/touch.h"

#include "domain/naming.h"
#include "model/model.h"

void touch_counts(struct outcome *out, const struct story *n, const struct story *old)
{
	struct batch *b = out->batch;
	bool comes = n && n->project_id == b->project->id;
	if (old && old->project_id == b->project->id)
		b->counts[scene_section(old->current_state)]--;
	if (comes)
		b->counts[scene_section(n->current_state)]++;
	if (!comes || n->current_state == (old ? old->current_state : STATE_UNSCHEDULED))
		return;
	struct transition *t = arena_alloc(out->scene->arena, sizeof *t);
	*t = (struct transition){ n->id, n->current_state, b->transitions };
	b->transitions = t;
}

struct story *touch_story(struct outcome *out, const struct story *story)
{
	struct story *n = outcome_edit(out, &res_story, story);
	n->updated_at = out->scene->now;
	return n;
}

struct epic *touch_epic(struct outcome *out, const struct epic *epic)
{
	struct epic *n = outcome_edit(out, &res_epic, epic);
	n->updated_at = out->scene->now;
	return n;
}

void touch_people(struct outcome *out, const char *field, struct ids people, struct ids known)
{
	for (size_t i = 0; i < people.n; i++)
		if (!ids_have(known, people.v[i]) &&
			!naming_may_use(out->scene, NAMING_BY_ID, people.v[i])) {
			outcome_problem(out, field,
				"Person with id=%lld is not a member of this project.",
				(long long)people.v[i]);
			return;
		}
}
