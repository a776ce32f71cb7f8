/*
 * Whom a wish names by id or by address: what the rule of person.h needs to know of them,
 * for the route's project or account.
 */
#ifndef API_PERSON_H
#define API_PERSON_H

#include "api/command.h"
#include "domain/person.h"

void person_load(struct command *c, const struct person_ref *ref);

#endif
