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

const char *iteration_override_length_fault(int64_t length)
{
	return length == NIL || (length >= 1 && length <= LENGTH_MAX)
		? NULL
		: "length can only be between 1 and 99.";
}

const char *iteration_override_strength_fault(double strength)
{
	return strength < 0 || strength > STRENGTH_MAX
		? "team_strength can only be between 0 and 10."
		: NULL;
}

void iteration_override_settle(struct iteration_override *o, int64_t iteration_length)
{
	if (o->length == iteration_length)
		o->length = NIL;
	if (!(o->team_strength < 1) && !(o->team_strength > 1))
		o->team_strength = NAN;
}

static enum rc check(struct outcome *out, const struct iteration_override *n, bool has_length)
{
	const char *fault = iteration_override_length_fault(n->length);
	if (fault)
		return outcome_refuse_field(out, "length", "%s", fault);
	if (has_length && n->length != NIL && n->id > out->scene->current_iteration)
		return outcome_refuse_field(out, "length",
			"length can only be set for the current iteration and for done ones.");
	fault = iteration_override_strength_fault(n->team_strength);
	return fault ? outcome_refuse_field(out, "team_strength", "%s", fault) : RC_OK;
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
	bool has_length = wish_asks(wish, iteration_override, length);
	struct iteration_override asked = *w; /* what is not asked for stays as it is */
	iteration_override_settle(&asked, out->scene->project->iteration_length);
	if (has_length)
		n->length = asked.length;
	if (wish_asks(wish, iteration_override, team_strength))
		n->team_strength = asked.team_strength;
	enum rc rc = check(out, n, has_length);
	tell(out, old);
	tell(out, n);
	outcome_put(out, &res_iteration_override, old, n);
	out->subject = n;
	return rc;
}
