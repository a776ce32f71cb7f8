/* Candidates for a person whose name is ambiguous, with what tells them apart. */
#ifndef PEOPLE_CANDIDATES_H
#define PEOPLE_CANDIDATES_H

#include "db/db.h"
#include "transfer/people/people_choose.h"

/* Fills `candidates` of those who are ambiguous; people stand in the order of their names. */
enum rc people_candidates_look(struct db *db, struct arena *a, const struct people_options *options,
	struct someone *people, size_t n) MUST_CHECK;

#endif
