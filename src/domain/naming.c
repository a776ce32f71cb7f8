#include "domain/naming.h"

#include "model/words.h"

/* Addresses cannot be guessed, and their owners are notified; ids can be guessed, which a server
   may accept; names can be guessed. */
static bool may_add(const struct namer *who, enum naming_by by, const struct named *whom)
{
	switch (by) {
	case NAMING_BY_ADDRESS: return who->may_add;
	case NAMING_BY_ID: return who->may_add && (!who->only_seen || whom->seen);
	case NAMING_BY_NAME: return who->may_add && whom->seen;
	}
	return false;
}

bool naming_may(
	const struct namer *who, enum naming_for what, enum naming_by by, const struct named *whom)
{
	if (by == NAMING_BY_ADDRESS && whom->claims)
		return false;
	if (who->is_operator)
		return true;
	switch (what) {
	case NAMING_ADD: return may_add(who, by, whom);
	case NAMING_USE: return whom->in_project;
	case NAMING_CREDIT:
		return whom->in_project || whom->settled ||
			(whom->in_account && may_add(who, by, whom));
	}
	return false;
}

struct namer naming_actor(const struct scene *s)
{
	return (struct namer){ .may_add = s->me->role == ROLE_OWNER || s->administers,
		.only_seen = s->only_seen };
}

bool naming_may_use(const struct scene *s, enum naming_by by, int64_t person)
{
	const struct namer who = naming_actor(s);
	const struct named whom = { .in_project = scene_member(s, person) };
	return naming_may(&who, NAMING_USE, by, &whom);
}
