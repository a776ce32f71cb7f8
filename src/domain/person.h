/* Rules of people: which person a request names, and how a new one is created (contract 1.4). */
#ifndef PERSON_H
#define PERSON_H

#include "domain/outcome.h"

/* Whom a wish names: by id (NIL: none), or by address, with name and initials for a new one. */
struct person_ref {
	int64_t id;
	struct str email, name, initials;
};

/* The one of a wish for a membership. */
#define PERSON_REF(w) ((struct person_ref){ (w)->person_id, (w)->email, (w)->name, (w)->initials })

/* That person, created if nobody has the address. */
enum rc person_named(
	struct outcome *out, const struct person_ref *ref, const struct person **person) MUST_CHECK;

/* A new person; initials and user name may be absent, then they are made up. */
const struct person *person_make(
	struct outcome *out, const struct person_ref *ref, struct str username);

/*
 * Whether a text can be an address: one @ with something on both sides, no blank, no comma, and neither of
 * the two letters outside of ASCII that PostgreSQL turns into an "i" or a "k" in lower case: two
 * addresses that differ only in these would be one here, and elsewhere those of two people.
 */
bool person_is_address(struct str s);

/*
 * Whether it can be a user name: no spaces, no @, and no colon, which separates it from a
 * password.
 */
bool person_is_username(struct str s);

/* The user name derived from an address, with a number appended if it is taken. */
struct str person_base(struct arena *a, struct str email);
enum { PERSON_NUMBERS = 999 };

/* What is left of the name's words for initials. */
struct str person_letters(struct arena *a, struct str name);

#endif
