/* Claims a placeholder of an import: a person gets everything of it, and it is removed. */
#ifndef CLAIM_H
#define CLAIM_H

#include "db/db.h"

struct claim {
	int64_t from, to; /* the placeholder, and the person */
	struct str from_name, to_name;
	bool enters; /* the person takes the placeholder's memberships, too */
	/* Afterwards: what it was. */
	int stories, comments;
	size_t projects;
};

/* In the transaction that is open; who may is decided by then. Rows live until db_end. */
enum rc claim_run(struct db *db, struct arena *a, struct claim *claim) MUST_CHECK;

#endif
