#include "api/gate.h"

enum { OWNER = 1 << ROLE_OWNER, MEMBER = 1 << ROLE_MEMBER, VIEWER = 1 << ROLE_VIEWER };

struct right {
	unsigned roles;
	bool admins;   /* of the account */
	bool visitors; /* everybody, of a public project */
	bool belongs;  /* whoever is of the account */
	bool self;     /* the one whom the path names */
};

static const struct right rights[] = {
	[NEED_VIEWER] = { OWNER | MEMBER | VIEWER, .visitors = true },
	[NEED_PARTNER] = { OWNER | MEMBER | VIEWER, .admins = true },
	[NEED_MEMBER] = { OWNER | MEMBER },
	[NEED_OWNER] = { OWNER },
	[NEED_STEWARD] = { OWNER, .admins = true },
	[NEED_ACCOUNT_MEMBER] = { 0, .belongs = true },
	[NEED_ACCOUNT_ADMIN] = { 0, .admins = true },
	[NEED_ACCOUNT_SELF] = { 0, .admins = true, .self = true },
};

enum rc gate_may(enum need need, const struct caller *c)
{
	const struct right *x = &rights[need];
	if (c->has_token && !c->person_id)
		return RC_INVALID_AUTHENTICATION;
	if (need == NEED_PERSON)
		return c->person_id ? RC_OK : RC_UNAUTHORIZED_OPERATION;
	if (!c->place_id)
		return RC_UNFOUND_RESOURCE;
	if ((c->role != WORD_NONE && x->roles & 1u << c->role) || (x->admins && c->administers) ||
		(x->belongs && c->belongs) || (x->self && c->belongs && c->is_self) ||
		(x->visitors && c->is_public))
		return RC_OK;
	return RC_UNAUTHORIZED_OPERATION;
}

size_t gate_roles(enum need need, struct str roles[3])
{
	size_t n = 0;
	for (int i = 0; words_roles[i]; i++)
		if (rights[need].roles & 1u << i)
			roles[n++] = str_of(words_roles[i]);
	return n;
}

bool gate_admits_admins(enum need need)
{
	return rights[need].admins;
}
