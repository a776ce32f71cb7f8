/*
 * Rules of provider accounts: whom one signs in (contract 1.19). A person is (issuer, subject),
 * never an address: an address counts only where the provider confirms it and the settings trust
 * it, and not for people who gave it to themselves.
 */
#ifndef IDENTITY_H
#define IDENTITY_H

#include <stdbool.h>
#include <stdint.h>

#include "lib/str.h"

/* What is known when somebody comes back from a provider; ids are 0 where there is nobody. */
struct identity_scene {
	bool is_allowed;    /* one of the groups that may come is theirs */
	bool links;         /* the signed-in person wants to link it: … */
	int64_t linker;     /* … this person, … */
	bool session_ended; /* … whose session has ended by now */
	int64_t owner;      /* whose it is */
	bool owner_disabled;
	bool has_address;       /* the provider confirms one: … */
	int64_t addressee;      /* … this person's, … */
	bool same_address;      /* … but for the case of ASCII letters; … */
	bool addressee_claims;  /* … who gave it to themselves; … */
	bool addressee_closed;  /* … disabled, or a placeholder of an import */
	bool addressee_invited; /* … a member of the account below who was never here, has
	                           no way to sign in, and does not administer it */
	bool trusts_address;    /* _trust_email */
	bool takes_new;         /* _new_people, and that account is there */
};

enum identity_act {
	IDENTITY_SIGN_IN, /* its owner */
	IDENTITY_LINK,    /* to `person`, who signs in */
	IDENTITY_NEW,     /* a new person */
	/* Refusals. */
	IDENTITY_NOT_ALLOWED,
	IDENTITY_DISABLED,
	IDENTITY_OF_ANOTHER, /* linked with somebody else */
	IDENTITY_TAKEN,      /* its address is somebody else's */
	IDENTITY_NO_ADDRESS, /* nobody new comes without one */
	IDENTITY_UNKNOWN,
	IDENTITY_ENDED, /* the session of who links it */
};

struct identity_verdict {
	enum identity_act act;
	int64_t person; /* IDENTITY_SIGN_IN, IDENTITY_LINK */
	int64_t claimer; /* IDENTITY_TAKEN, IDENTITY_UNKNOWN: who gave that address to themselves; 0: nobody */
};

struct identity_verdict identity_decide(const struct identity_scene *s);

/*
 * Whether a browser may be sent there after a sign-in: a path of this server, from one slash on,
 * printable ASCII without a backslash, of at most 1000 bytes.
 */
bool identity_is_target(struct str path);

#endif
