/*
 * Dumps of projects in SQLite, by the tables that they have: storyexporter's,
 * pivotal-tracker-dump's and EastAgileTracker's. Opened read-only; of what a file brings
 * along, only its plain tables are looked at.
 */
#ifndef SQLITE_READ_H
#define SQLITE_READ_H

#include "transfer/common/intake.h"
#include "transfer/read/tree.h"

/*
 * Reads the database at that path; `tree`: the folder in which its files lie, null when only
 * the database was named. RC_OK, also when it was refused by an INTAKE_ERROR; else what the
 * intake returned.
 */
enum rc sqlite_read(struct intake *in, int file, const char *path, struct tree *tree) MUST_CHECK;

#endif
