#include "programs/ctl/ctl_pg.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "service/files.h"

enum { NOT_THERE = 127, PIECE = 64 * 1024 };

static bool put(struct sink *sink, struct str bytes)
{
	const struct ctl_pg *p = (struct ctl_pg *)sink;

	return files_write(p->fd, bytes.p, bytes.n);
}

static void become(struct ctl *c, char *const argv[], int fd, bool is_read)
{
	signal(SIGPIPE, SIG_DFL);
	if (dup2(fd, is_read ? STDOUT_FILENO : STDIN_FILENO) < 0 || !db_environment(&c->conf))
		_exit(EXIT_FAILURE);
	execvp(argv[0], argv);
	_exit(NOT_THERE);
}

void ctl_pg_start(struct ctl *c, struct ctl_pg *p, char *const argv[], bool is_read)
{
	int ends[2];

	signal(SIGPIPE, SIG_IGN);
	if (pipe2(ends, O_CLOEXEC))
		ctl_fail(c, "%s: cannot make a pipe: %m", c->command);
	*p = (struct ctl_pg){ .sink = { put }, .program = argv[0], .pid = fork() };
	if (p->pid < 0)
		ctl_fail(c, "%s: %s cannot be started: %m", c->command, argv[0]);
	if (p->pid == 0)
		become(c, argv, ends[is_read], is_read);
	close(ends[is_read]);
	p->fd = ends[!is_read];
}

bool ctl_pg_read(struct ctl *c, struct ctl_pg *p, struct sink *to)
{
	static char piece[PIECE];

	for (;;) {
		ssize_t n = read(p->fd, piece, sizeof(piece));
		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			ctl_fail(c, "%s: %s: %m", c->command, p->program);
		if (n == 0)
			return true;
		if (!to->put(to, (struct str){ piece, (size_t)n }))
			return false;
	}
}

void ctl_pg_end(struct ctl *c, struct ctl_pg *p)
{
	int status = 0;

	close(p->fd);
	while (waitpid(p->pid, &status, 0) < 0 && errno == EINTR)
		;
	if (WIFEXITED(status) && WEXITSTATUS(status) == NOT_THERE)
		ctl_fail(c, "%s: there is no program %s: install the package postgresql-client",
			c->command, p->program);
	if (!WIFEXITED(status) || WEXITSTATUS(status) != 0)
		ctl_fail(c, "%s: %s failed: see the lines above", c->command, p->program);
}
