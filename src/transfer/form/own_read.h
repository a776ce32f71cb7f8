/*
 * This program's own export: the folder planwright/ in the zip of a project, which has all of
 * it as lines of JSON. The table for other programs beside it is not read, and attached files
 * are found by what the lines say.
 */
#ifndef OWN_READ_H
#define OWN_READ_H

#include "transfer/common/intake.h"
#include "transfer/read/tree.h"

enum { OWN_FORMAT = 1 };

/*
 * Reads it whole; `top`: the folder in the tree that has the folder planwright/, with a '/'
 * behind it, or "". Every file is compared with its check sum. RC_OK, also when it was refused
 * by an INTAKE_ERROR; else what the intake returned.
 */
enum rc own_read(struct intake *in, int file, struct tree *tree, const char *top) MUST_CHECK;

#endif
