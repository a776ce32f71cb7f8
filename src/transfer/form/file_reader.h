/*
 * Reads a file, whose format is recognised by its content and never by its name: stories, history
 * and members as CSV; the project's zip; this program's own export; three layouts of SQLite; JSON
 * and JSON lines of the API's answers, and folders of them.
 */
#ifndef FILE_READER_H
#define FILE_READER_H

#include "transfer/common/intake.h"

/*
 * Reads the file or folder at that path, number `file` of the command, into the intake.
 * RC_OK, also when what it is was remarked as INTAKE_ERROR (then the import is refused);
 * else what intake functions returned.
 */
enum rc reader_read(struct intake *in, int file, const char *path) MUST_CHECK;

#endif
