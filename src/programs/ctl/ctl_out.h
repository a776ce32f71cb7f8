/*
 * Output files of commands: readable only by the owner, and given their name once they are
 * complete; until then, the data is in a temporary file next to it.
 */
#ifndef CTL_OUT_H
#define CTL_OUT_H

#include "lib/sink.h"
#include "programs/ctl/ctl.h"

struct ctl_out {
	struct sink sink; /* first, so that it is found from there */
	int fd, failed;   /* failed: errno then */
	int64_t size;
	const char *name, *temporary;
};

/* "-": standard output. These end the command when the file cannot be written. */
void ctl_out_open(struct ctl *c, struct ctl_out *o, const char *name);
void ctl_out_close(struct ctl *c, struct ctl_out *o);

void ctl_out_fail(struct ctl *c, const char *name, int why) __attribute__((noreturn));

#endif
