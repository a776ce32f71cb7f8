/* Moves a sequence past ids that files brought along, in the open transaction. */
#ifndef RAISE_IDS_H
#define RAISE_IDS_H

#include "db/db.h"

/* Whoever moves a sequence takes this lock before it reads the position. */
#define RAISE_IDS_LOCK "select pg_advisory_xact_lock(1::bigint << 56)"

/*
 * What the sequence gives from now on, to anybody, is above `highest`, even if the transaction is
 * rolled back. It never goes back, whoever else moves it or takes ids of it at the same time.
 */
enum rc raise_ids(struct db *db, struct arena *a, struct str sequence, int64_t highest) MUST_CHECK;

#endif
