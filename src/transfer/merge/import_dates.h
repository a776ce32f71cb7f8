/* Checks the times of an import: corrects and tells those in the future or before the creation. */
#ifndef IMPORT_DATES_H
#define IMPORT_DATES_H

#include "transfer/settle/import_context.h"

/* Before anything is written: what is of the future is now. */
enum rc import_dates_check(struct import_context *w) MUST_CHECK;

/* Behind the stories: theirs, and those of epics. */
enum rc import_dates_tell(struct import_context *w) MUST_CHECK;

#endif
