/*
 * The staged tables of an import: what readers put (intake.h) is checked against the table of the
 * kind's fields and copied to a temporary table of the import's transaction, staged_<kind>.
 * What a field cannot be is left out and remarked; texts are cut to the limits of contract
 * 1.14, and stand whole in the remark.
 *
 * Columns of each table: n (bigint, a number of its own, rising as records came), at_file,
 * at_line and at_row (where it stood), said (bigint: bit i is set when the record has field i
 * of the table, null included), and those of the fields.
 */
#ifndef STAGE_H
#define STAGE_H

#include "db/db.h"
#include "transfer/common/report.h"
#include "transfer/settle/stage_kinds.h"

struct stage;

/* Makes the tables in the transaction that is open. */
enum rc stage_open(struct stage **stage, struct db *db, struct report *report) MUST_CHECK;

/* As intake's put(). */
enum rc stage_put(struct stage *s, enum intake_kind kind, struct intake_place at,
	const struct record *record) MUST_CHECK;

/* All is put: what waits goes to the tables, and staged_person is made and filled. */
enum rc stage_finish(struct stage *s) MUST_CHECK;

/* How many records of that kind were put. */
int64_t stage_count(const struct stage *s, enum intake_kind kind);

/* Null is allowed. */
void stage_close(struct stage *s);

#endif
