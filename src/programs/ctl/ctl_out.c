#include "programs/ctl/ctl_out.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "service/files.h"

void ctl_out_fail(struct ctl *c, const char *name, int why)
{
	ctl_fail(c, "%s: cannot write %s: %s: name another place", c->command, name, strerror(why));
}

static bool put(struct sink *sink, struct str bytes)
{
	struct ctl_out *o = (struct ctl_out *)sink;

	if (!o->failed && !files_write(o->fd, bytes.p, bytes.n))
		o->failed = errno;
	if (!o->failed)
		o->size += (int64_t)bytes.n;
	return !o->failed;
}

void ctl_out_open(struct ctl *c, struct ctl_out *o, const char *name)
{
	struct stat st;

	*o = (struct ctl_out){ .sink = { put }, .fd = STDOUT_FILENO, .name = "standard output" };
	if (strcmp(name, "-") == 0)
		return;
	if (lstat(name, &st) == 0 && !S_ISREG(st.st_mode))
		ctl_fail(c, "%s: %s is not a regular file: name another one", c->command, name);
	o->name = name;
	o->temporary = arena_printf(&c->arena, "%s.part", name).p;
	/* A new file each time: an old one may be open to others. */
	unlink(o->temporary);
	o->fd = open(o->temporary, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
	if (o->fd < 0)
		ctl_out_fail(c, o->temporary, errno);
	c->unfinished = o->temporary;
}

void ctl_out_close(struct ctl *c, struct ctl_out *o)
{
	if (!o->temporary)
		return;
	if (fsync(o->fd) || close(o->fd) || rename(o->temporary, o->name))
		ctl_out_fail(c, o->name, errno);
	c->unfinished = NULL;
}
