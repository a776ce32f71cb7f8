#include "domain/identity.h"

enum { TARGET_MAX = 1000 };

static struct identity_verdict refuse(enum identity_act act)
{
	return (struct identity_verdict){ act, 0, 0 };
}

static struct identity_verdict link_own(const struct identity_scene *s)
{
	if (s->session_ended)
		return refuse(IDENTITY_ENDED);
	if (s->owner && s->owner != s->linker)
		return refuse(IDENTITY_OF_ANOTHER);
	return (struct identity_verdict){ s->owner ? IDENTITY_SIGN_IN : IDENTITY_LINK, s->linker,
		0 };
}

static struct identity_verdict arrive(const struct identity_scene *s)
{
	bool is_known = s->has_address && s->addressee;
	bool is_theirs = is_known && s->same_address && !s->addressee_claims &&
		(s->trusts_address || (s->takes_new && s->addressee_invited));
	int64_t claimer = is_known && s->addressee_claims ? s->addressee : 0;
	if (is_theirs)
		return s->addressee_closed
			? refuse(IDENTITY_DISABLED)
			: (struct identity_verdict){ IDENTITY_LINK, s->addressee, 0 };
	if (!s->takes_new)
		return (struct identity_verdict){ IDENTITY_UNKNOWN, 0, claimer };
	if (!s->has_address)
		return refuse(IDENTITY_NO_ADDRESS);
	return (struct identity_verdict){ is_known ? IDENTITY_TAKEN : IDENTITY_NEW, 0, claimer };
}

struct identity_verdict identity_decide(const struct identity_scene *s)
{
	if (!s->is_allowed)
		return refuse(IDENTITY_NOT_ALLOWED);
	if (s->links)
		return link_own(s);
	if (!s->owner)
		return arrive(s);
	return s->owner_disabled ? refuse(IDENTITY_DISABLED)
				 : (struct identity_verdict){ IDENTITY_SIGN_IN, s->owner, 0 };
}

bool identity_is_target(struct str path)
{
	if (path.n == 0 || path.n > TARGET_MAX || path.p[0] != '/' ||
		(path.n > 1 && path.p[1] == '/'))
		return false;
	for (size_t i = 0; i < path.n; i++)
		if (path.p[i] <= ' ' || path.p[i] > '~' || path.p[i] == '\\')
			return false;
	return true;
}
