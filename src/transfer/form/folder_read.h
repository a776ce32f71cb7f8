/*
 * Reads a folder or an archive: a project's zip of the original, unpacked or not, with its
 * tables at the top and a folder of files for each story; this program's own export; replies of
 * the API as JSON; a dump in SQLite with its files.
 */
#ifndef FOLDER_READ_H
#define FOLDER_READ_H

#include "transfer/common/intake.h"
#include "transfer/read/tree.h"

/* RC_OK, also when it was refused by an INTAKE_ERROR; else what the intake returned. */
enum rc folder_read(struct intake *in, int file, struct tree *tree) MUST_CHECK;

#endif
