/*
 * Rules of project memberships (contract 2, P/memberships): stewards (owners of the project
 * and administrators of its account) change them, everybody their own wishes. Never a
 * project without an owner, unless it was made without one.
 */
#ifndef MEMBERSHIP_H
#define MEMBERSHIP_H

#include "domain/outcome.h"

enum rc membership_create(struct outcome *out, const struct wish *wish) MUST_CHECK;
enum rc membership_update(struct outcome *out, const struct wish *wish) MUST_CHECK;
enum rc membership_delete(struct outcome *out, const struct wish *none) MUST_CHECK;

/* A new one of that person and role. */
struct membership *membership_make(struct outcome *out, int64_t project, int64_t person, int role);

/* The person leaves the projects of the scene, each with its own version. */
enum rc membership_leave_all(struct outcome *out, int64_t person) MUST_CHECK;

#endif
