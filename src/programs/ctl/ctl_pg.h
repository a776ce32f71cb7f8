/*
 * Running pg_dump and its like on the database of the settings, with a pipe to or from this
 * program.
 */
#ifndef CTL_PG_H
#define CTL_PG_H

#include <sys/types.h>

#include "lib/sink.h"
#include "programs/ctl/ctl.h"

struct ctl_pg {
	struct sink
		sink; /* takes the program's input; first member, so that the struct is found from it */
	const char *program;
	pid_t pid;
	int fd; /* of the pipe */
};

/* Starts argv[0], found as the shell does; is_read: this program reads what that one writes. */
void ctl_pg_start(struct ctl *c, struct ctl_pg *p, char *const argv[], bool is_read);

/* Passes all that it writes to the sink; false: the sink accepts no more. */
bool ctl_pg_read(struct ctl *c, struct ctl_pg *p, struct sink *to);

/* Waits for it to end; a failure, which the program has reported itself, ends the command. */
void ctl_pg_end(struct ctl *c, struct ctl_pg *p);

#endif
