/* Rules of projects (contract 1.4, 2.5): settings, names, accounts. */
#ifndef PROJECT_H
#define PROJECT_H

#include "domain/outcome.h"

/* The names of those that a new project has. */
enum { PROJECT_REVIEW_TYPES = 4 };
extern const char *const project_review_types[PROJECT_REVIEW_TYPES];

enum rc project_create(struct outcome *out, const struct wish *wish) MUST_CHECK;
enum rc project_update(struct outcome *out, const struct wish *wish) MUST_CHECK;
enum rc project_delete(struct outcome *out, const struct wish *none) MUST_CHECK;

/* Why it is not a valid point scale, as a sentence; null: it is valid. */
const char *project_scale_problem(struct arena *a, struct str scale);

/* Why a project or a person cannot be in that time zone, likewise; the scene knows whether the
   database has it. */
const char *project_zone_problem(const struct scene *s, struct str zone);

#endif
