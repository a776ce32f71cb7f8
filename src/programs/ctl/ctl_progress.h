/*
 * Progress display of long commands, on standard error: a bar on a terminal, otherwise a line now
 * and then.
 */
#ifndef CTL_PROGRESS_H
#define CTL_PROGRESS_H

#include <stdbool.h>
#include <stdint.h>

struct ctl_progress {
	bool is_terminal, is_shown;
	char what[64];
	int64_t shown_ms; /* by the monotonic clock; or when it began */
};

void ctl_progress_begin(struct ctl_progress *p);
/* done of all; all 0: not known. The first argument is a struct ctl_progress. */
/* Never ends the import that it shows. */
bool ctl_progress_show(void *arg, const char *what, int64_t done, int64_t all);
/* Takes the bar away. */
void ctl_progress_end(struct ctl_progress *p);

#endif
