/* Dates of files that cannot stay as they are: each is told, and what was taken for it. */
#ifndef DATES_H
#define DATES_H

#include "transfer/work.h"

/* Before anything is written: what is of the future is now. */
enum rc dates_check(struct work *w) MUST_CHECK;

/* Behind the stories: theirs, and those of epics. */
enum rc dates_tell(struct work *w) MUST_CHECK;

#endif
