/* Contents of attached files on their way to their places (spool.h). */
#ifndef ATTACH_H
#define ATTACH_H

#include "transfer/work.h"

/* Puts the files of merged_file_attachment that are new into their places; not in a dry run. */
enum rc attach_place(struct work *w) MUST_CHECK;

#endif
