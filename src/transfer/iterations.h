/* Whether accepted stories come out in the iterations that the files say, and why not. */
#ifndef ITERATIONS_H
#define ITERATIONS_H

#include "transfer/work.h"

/* One remark for the import, when all stories are written. */
enum rc iterations_tell(struct work *w) MUST_CHECK;

#endif
