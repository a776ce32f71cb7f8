/*
 * Permission to name people (contract 1.11): who may add a person to a project or an account,
 * make them owner, requester, follower, reviewer or author, or mention them. Commands and imports
 * ask here and nowhere else. Nobody, not even an operator, means by an address the one who merely
 * claims it: what is meant for its owner would be theirs.
 */
#ifndef NAMING_H
#define NAMING_H

#include "domain/scene.h"

/* How the person is named. A name is one that people can guess: the full one, or a user name. */
enum naming_by { NAMING_BY_ID, NAMING_BY_ADDRESS, NAMING_BY_NAME };

enum naming_for {
	NAMING_ADD,    /* they become a member */
	NAMING_USE,    /* owner, requester, follower, reviewer, author, or mentioned with @ */
	NAMING_CREDIT, /* the same in imported files: what they did according to the files */
};

/* The person who names others. */
struct namer {
	bool is_operator; /* planwrightctl: anybody, but for that */
	bool may_add;     /* owns the project, or administers the account */
	bool only_seen;   /* the setting add_people_by_id is "seen" */
};

/* Whom they name. */
struct named {
	bool seen;       /* shares an account or a project with who names, or is that person */
	bool in_project; /* that of the command */
	bool in_account; /* its account, or one of its projects */
	bool settled;    /* an import into this project had them before */
	bool claims;     /* gave their address to themselves, and nothing has confirmed it */
};

bool naming_may(
	const struct namer *who, enum naming_for what, enum naming_by by, const struct named *whom);

/* The performer of a command. */
struct namer naming_actor(const struct scene *s);

/* Whether a command may use that person in the scene's project. */
bool naming_may_use(const struct scene *s, enum naming_by by, int64_t person);

#endif
