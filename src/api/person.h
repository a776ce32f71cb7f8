/*
 * Loading for commands that name people by id or by address (domain/person.h), for the route's
 * project or account.
 */
#ifndef API_PERSON_H
#define API_PERSON_H

#include "api/command.h"
#include "domain/person.h"

void person_load(struct command *c, const struct person_ref *ref);

/* The fields by which a body names who is to be added, in a struct that has them all. */
#define PERSON_FIELDS(holder)                                                                      \
	{ "person_id", FT_INT, F_CREATE | F_PERSON, AT(holder, person_id),                         \
		.doc = "An existing person." },                                                    \
		{ "email", FT_STRING, F_CREATE, AT(holder, email), .max = 255,                     \
			.doc = "Email address of an existing or new person." },                    \
		{ "name", FT_STRING, F_CREATE, AT(holder, name), .max = 255,                       \
			.doc = "Name of a new person." },                                          \
		{ "initials", FT_STRING, F_CREATE, AT(holder, initials), .max = 10,                \
			.doc = "Initials of a new person." }

#endif
