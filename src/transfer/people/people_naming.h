/*
 * Permission to name people in an import (domain/naming.h), and how those join its project: by
 * the command that memberships use, with its news.
 */
#ifndef PEOPLE_NAMING_H
#define PEOPLE_NAMING_H

#include "db/db.h"
#include "transfer/people/people_choose.h"

/* Takes away whom the importer may not name: what is known of them is as if they were not here. */
enum rc people_naming_look(struct db *db, struct arena *a, const struct people_options *options,
	struct someone *people, size_t n) MUST_CHECK;

/* Those of person_map who are no members of the project become that; *joined is how many. */
enum rc people_naming_join(struct db *db, struct arena *a, const struct people_options *options,
	int64_t project, int *joined) MUST_CHECK;

#endif
