/*
 * The people that an import makes. They get their user names and addresses at its very end: these are
 * unique on the server, so whoever needs one of them waits until the import has ended.
 */
#ifndef PEOPLE_NEW_H
#define PEOPLE_NEW_H

#include "db/db.h"
#include "transfer/people/people_choose.h"

/* Whether a new person is made of this one: several in the files may be the same. */
bool people_new_is_made(const struct someone *s);
/* The name; a blank one is none. */
struct str people_new_name(const struct someone *s);

/* Makes them; each has an id by now. */
enum rc people_new_make(struct db *db, struct arena *a, const struct people_options *o,
	struct someone *people, size_t n) MUST_CHECK;
/* Gives them their user names and addresses, and records them in the audit log. */
enum rc people_new_call(struct db *db, struct arena *a, const struct people_options *o,
	const struct someone *people, size_t n) MUST_CHECK;

#endif
