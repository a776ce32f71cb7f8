#include "domain/iteration_override.h"

#include <math.h>

#include "model/model.h"

enum { LENGTH_MAX = 99, STRENGTH_MAX = 10 };

static void tell(const struct outcome *out, struct iteration_override *o)
{
	o->told_length = o->length == NIL
		? STR("\"default\"")
		: arena_printf(out->scene->arena, "%lld", (long long)o->length);
	o->told_team_strength = isnan(o->team_strength) ? 1 : o->team_strength;
}

static enum rc take_length(struct outcome *out, struct iteration_override *n, int64_t length)
{
	if (length == out->scene->project->iteration_length)
		length = NIL;
	if (length != NIL && (length < 1 || length > LENGTH_MAX))
		return outcome_refuse_field(out, "length", "length can only be between 1 and 99.");
	if (length != NIL && n->id > out->scene->current_iteration)
		return outcome_refuse_field(out, "length",
			"length can only be set for the current iteration and for done ones.");
	n->length = length;
	return RC_OK;
}

static enum rc take_strength(struct outcome *out, struct iteration_override *n, double strength)
{
	if (strength < 0 || strength > STRENGTH_MAX)
		return outcome_refuse_field(
			out, "team_strength", "team_strength can only be between 0 and 10.");
	bool is_default = !(strength < 1) && !(strength > 1);
	n->team_strength = is_default ? NAN : strength;
	return RC_OK;
}

enum rc iteration_override_update(struct outcome *out, const struct wish *wish)
{
	const struct iteration_override *loaded = out->scene->object, *w = wish->object;
	if (loaded->id < 1 || loaded->id > out->scene->current_iteration + ITERATION_AHEAD_MAX)
		return RC_UNFOUND_RESOURCE;
	struct iteration_override *old =
		object_copy(out->scene->arena, &res_iteration_override, loaded);
	struct iteration_override *n =
		object_copy(out->scene->arena, &res_iteration_override, loaded);
	enum rc rc = RC_OK;
	if (wish_asks(wish, iteration_override, length))
		rc = take_length(out, n, w->length);
	if (!rc && wish_asks(wish, iteration_override, team_strength))
		rc = take_strength(out, n, w->team_strength);
	tell(out, old);
	tell(out, n);
	outcome_put(out, &res_iteration_override, old, n);
	out->subject = n;
	return rc;
}
