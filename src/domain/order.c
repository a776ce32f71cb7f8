#include "domain/order.h"

bool goal_is_set(const struct goal *goal)
{
	return goal->before_id != NIL || goal->after_id != NIL || goal->group != WORD_NONE;
}

/* Places ------------------------------------------------------------------------ */

static int64_t id_or_nil(const struct place *p)
{
	return p && p->id ? p->id : NIL;
}

static const struct place *last_above(const struct order *o, int section)
{
	return section > 0 ? &o->last[section - 1] : NULL;
}

static const struct place *first_below(const struct order *o, int section)
{
	return section + 1 < SECTIONS ? &o->first[section + 1] : NULL;
}

static void stand(
	struct story *n, int64_t rank, const struct place *above, const struct place *below)
{
	n->rank = rank;
	n->after_id = id_or_nil(above);
	n->before_id = id_or_nil(below);
}

static void stand_at_top(const struct order *o, struct story *n, int section)
{
	const struct place *first = &o->first[section];
	bool is_empty = !first->id || first->section != section;
	stand(n, (is_empty ? 0 : first->rank) - ORDER_GAP, last_above(o, section), first);
}

static void stand_at_bottom(const struct order *o, struct story *n, int section)
{
	const struct place *last = &o->last[section];
	bool is_empty = !last->id || last->section != section;
	stand(n, (is_empty ? 0 : last->rank) + ORDER_GAP, last, first_below(o, section));
}

static void stand_by_time(const struct order *o, struct story *n)
{
	stand(n, n->accepted_at, &o->done_before,
		o->done_after.id ? &o->done_after : first_below(o, SECTION_DONE));
}

/* Between two adjacent stories, one or both of them in the section. */
static void stand_between(
	struct outcome *out, struct story *n, const struct place *above, const struct place *below)
{
	int section = (int)scene_section(n->current_state);
	bool has_above = above->id && above->section == section;
	bool has_below = below->id && below->section == section;
	if (has_above && has_below && below->rank - above->rank <= 1)
		out->spread = (struct spread){ true, section, above->rank, above->id };
	stand(n,
		!has_above           ? below->rank - ORDER_GAP
			: !has_below ? above->rank + ORDER_GAP
				     : above->rank + (below->rank - above->rank) / 2,
		above, below);
}

int order_border(int section, int before)
{
	bool to_top = section == SECTION_ICEBOX ||
		(section == SECTION_BACKLOG && before != WORD_NONE && before < SECTION_BACKLOG);
	return to_top ? section : section + 1;
}

void order_arrive(const struct scene *s, struct story *n, const struct story *old)
{
	int section = (int)scene_section(n->current_state);
	int before = old ? (int)scene_section(old->current_state) : WORD_NONE;
	bool stays = section == before && n->project_id == old->project_id;
	if (section == SECTION_DONE) {
		if (!stays || n->accepted_at != old->accepted_at)
			stand_by_time(&s->order, n);
	} else if (!stays) {
		if (order_border(section, before) == section)
			stand_at_top(&s->order, n, section);
		else
			stand_at_bottom(&s->order, n, section);
	}
}

/* Goals --------------------------------------------------------------------------- */

/* The field that a refusal names. */
static const char *goal_field(const struct goal *goal)
{
	return goal->before_id != NIL ? "before_id" : goal->after_id != NIL ? "after_id" : "group";
}

static enum rc find_neighbour(struct outcome *out, const struct story *n, const char *field,
	int64_t id, const struct neighbour **found)
{
	*found = NULL;
	if (id == NIL)
		return RC_OK;
	if (id == n->id)
		return outcome_refuse_field(
			out, field, "A story cannot be placed before or after itself.");
	*found = objects_find(&out->scene->neighbours, id);
	if (*found)
		return RC_OK;
	return outcome_refuse_field(
		out, field, "Story with id=%lld does not exist within this project", (long long)id);
}

/* The section given by the neighbours: of two, the one nearer to the story's place. WORD_NONE:
   there is no neighbour. */
static int section_between(
	const struct story *n, const struct neighbour *before, const struct neighbour *after)
{
	int own = (int)scene_section(n->current_state);
	if (!before && !after)
		return WORD_NONE;
	if (!before)
		return (int)after->self.section;
	if (!after)
		return (int)before->self.section;
	int low = (int)after->self.section, high = (int)before->self.section;
	return own < low ? low : own > high ? high : own;
}

/*
 * The state that allows a story in a group, or next to stories of a section, if the request names
 * none: its current one if that is possible (contract 5.5), otherwise the group's.
 */
static int state_for(const struct scene *s, const struct story *n, int group, int section)
{
	if (group == GROUP_UNSCHEDULED || (group == WORD_NONE && section == SECTION_ICEBOX))
		return STATE_UNSCHEDULED;
	if (scene_section(n->current_state) == SECTION_WORK)
		return n->current_state;
	if (group == GROUP_SCHEDULED || (group == WORD_NONE && section == SECTION_BACKLOG))
		return STATE_UNSTARTED;
	/* Current: pulled from the top of the backlog, or planned by hand (contract 5.4). */
	bool plannable = n->story_type == TYPE_FEATURE || n->story_type == TYPE_BUG;
	return !s->project->automatic_planning && (group != WORD_NONE || plannable)
		? STATE_PLANNED
		: STATE_UNSTARTED;
}

static bool fits_group(const struct scene *s, int state, int group)
{
	if (group == GROUP_UNSCHEDULED)
		return state == STATE_UNSCHEDULED;
	if (state == STATE_UNSCHEDULED)
		return false;
	return group == GROUP_SCHEDULED || state != STATE_UNSTARTED ||
		s->project->automatic_planning;
}

/* The state comes first, since it determines the section. */
static enum rc take_state(struct outcome *out, struct story *n, const struct goal *goal,
	const struct neighbour *before, const struct neighbour *after)
{
	const struct scene *s = out->scene;
	int section = section_between(n, before, after);
	if (!goal->has_state) {
		if (goal->group != WORD_NONE || section != (int)scene_section(n->current_state))
			n->current_state = state_for(s, n, goal->group, section);
	} else if (goal->group != WORD_NONE && !fits_group(s, n->current_state, goal->group)) {
		return outcome_refuse_field(out, "group",
			"The group %s has no stories in the state %s.",
			words_story_groups[goal->group], words_story_states[n->current_state]);
	}
	return RC_OK;
}

static enum rc check_goal(struct outcome *out, const struct story *n, const struct goal *goal,
	const struct neighbour *before, const struct neighbour *after)
{
	if (n->current_state == STATE_ACCEPTED)
		return outcome_refuse_field(out, goal_field(goal),
			"Accepted stories stay in order of acceptance and cannot be moved.");
	if (before && before->self.section == SECTION_DONE)
		return outcome_refuse_field(out, "before_id",
			"Story %lld is accepted: no other story can be placed before it.",
			(long long)before->self.id);
	if (before && after && after->next.id != before->self.id)
		return outcome_refuse_field(out, "before_id",
			"Stories %lld and %lld are not next to each other: send only one of "
			"before_id and after_id, or two neighbours.",
			(long long)after->self.id, (long long)before->self.id);
	return RC_OK;
}

/* False: the goal names no place inside of the section. */
static bool take_place(struct outcome *out, struct story *n, const struct goal *goal,
	const struct neighbour *before, const struct neighbour *after)
{
	const struct order *o = &out->scene->order;
	int section = (int)scene_section(n->current_state);
	if (before && before->self.section == section)
		stand_between(out, n, &before->prev, &before->self);
	else if (after && after->self.section == section)
		stand_between(out, n, &after->self, &after->next);
	/* The neighbour is in another part of the project: goes as near as the state allows. */
	else if (before || after) {
		if ((before ? before : after)->self.section < section)
			stand_at_top(o, n, section);
		else
			stand_at_bottom(o, n, section);
	}
	/* The current iteration takes the top of the backlog. */
	else if (goal->group == GROUP_CURRENT && section == SECTION_BACKLOG)
		stand_at_top(o, n, section);
	else
		return false;
	return true;
}

enum rc order_place(struct outcome *out, struct story *n, const struct story *old,
	const struct goal *goal, bool *placed)
{
	const struct neighbour *before, *after;
	int64_t before_id = n->before_id, after_id = n->after_id;
	*placed = false;
	if (goal->before_id != NIL && goal->before_id == goal->after_id)
		return outcome_refuse_field(
			out, "before_id", "before_id and after_id cannot name the same story.");
	enum rc rc = find_neighbour(out, n, "before_id", goal->before_id, &before);
	if (!rc)
		rc = find_neighbour(out, n, "after_id", goal->after_id, &after);
	if (!rc)
		rc = check_goal(out, n, goal, before, after);
	if (!rc)
		rc = take_state(out, n, goal, before, after);
	if (rc)
		return rc;
	*placed = take_place(out, n, goal, before, after);
	/* The story is already there. Between the same two it may have entered another section,
	   which has ranks of its own. */
	if (*placed && old &&
		scene_section(old->current_state) == scene_section(n->current_state) &&
		n->before_id == before_id && n->after_id == after_id) {
		n->rank = old->rank;
		out->spread.wanted = false;
	}
	return RC_OK;
}
