/*
 * Preloaded into PostgreSQL: after "rollback" has arrived, a process cancels itself at one of its next reads of the
 * clock, a different one each time: before, in and after the rollback.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <signal.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <unistd.h>

enum { LOOKS_MOST = 12 };

static int looks_left;

ssize_t recv(int fd, void *into, size_t most, int flags)
{
	static ssize_t (*real)(int, void *, size_t, int);
	static unsigned turn;
	if (!real)
		real = (ssize_t(*)(int, void *, size_t, int))dlsym(RTLD_NEXT, "recv");
	ssize_t n = real(fd, into, most, flags);
	if (n > 0 && memmem(into, (size_t)n, "rollback", strlen("rollback")))
		looks_left = 1 + (int)(((unsigned)getpid() + turn++) % LOOKS_MOST);
	return n;
}

int gettimeofday(struct timeval *restrict into, void *restrict zone)
{
	static int (*real)(struct timeval *, void *);
	if (!real)
		real = (int (*)(struct timeval *, void *))dlsym(RTLD_NEXT, "gettimeofday");
	if (looks_left > 0 && --looks_left == 0)
		raise(SIGINT);
	return real(into, zone);
}
