/*
 * Loading for commands that name people by id or by address (domain/person.h), for the route's
 * project or account.
 */
#ifndef API_PERSON_H
#define API_PERSON_H

#include "api/command.h"
#include "domain/person.h"

void person_load(struct command *c, const struct person_ref *ref);

#endif
