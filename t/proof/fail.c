/*
 * Preloaded into a program: its n-th call of a kind fails. Torture (t/proof/torture.py) sets the
 * process, the kind and the number in a mapped file, $FAIL_CONTROL, and reads there how many calls
 * there were. Never linked into what ships.
 *
 * STOP is not a fault: before its n-th message to or from the database or a client, the process
 * stops, so that torture can kill it, or its peer, between two messages. KILL kills it there.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <execinfo.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

/* The same numbers as in KINDS of faults.py. */
enum kind {
	NONE,
	MALLOC,
	READ,
	WRITE,
	SEND,
	RECV,
	OPEN,
	RENAME,
	FSYNC,
	FORK,
	UNLINK,
	MKDIR,
	STOP,
	KILL,
	COUNT /* none fails; the calls of each kind are counted */
};

struct control {
	_Atomic int32_t pid; /* or its children; ANY: all processes that have the file */
	_Atomic int32_t kind;
	_Atomic int64_t nth; /* counted from 1; 0: none fails */
	_Atomic int64_t seen;
	_Atomic int32_t stopped; /* which process */
	_Atomic int64_t calls[COUNT];
};

#define ANY (-1)

static struct control *control;
static pid_t ancestor; /* the first of those that forked this one; 0: it was started by exec */

/* Prints where it was; the symbols are for addr2line. */
static void crashed(int signal)
{
	void *at[64];
	backtrace_symbols_fd(at, backtrace(at, 64), STDERR_FILENO);
	raise(signal); /* as without this handler, which is already reset */
}

__attribute__((constructor)) static void begin(void)
{
	const char *path = getenv("FAIL_CONTROL");
	int fd = path ? open(path, O_RDWR | O_CLOEXEC) : -1;
	void *at = fd < 0 ? MAP_FAILED
			  : mmap(NULL, sizeof *control, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	if (at == MAP_FAILED)
		return;
	close(fd);
	void *first[1];
	backtrace(first, 1); /* loads the library that it needs */
	struct sigaction once = { .sa_handler = crashed, .sa_flags = (int)SA_RESETHAND };
	sigaction(SIGSEGV, &once, NULL);
	sigaction(SIGBUS, &once, NULL);
	control = at;
}

static bool fails(enum kind kind)
{
	struct control *c = control;
	if (!c || (c->kind != (int32_t)kind && c->kind != COUNT))
		return false;
	if (c->pid != ANY && c->pid != getpid() && c->pid != ancestor)
		return false;
	if (c->kind == COUNT) {
		c->calls[kind]++;
		return false;
	}
	return ++c->seen == c->nth;
}

static void stop(void)
{
	if (fails(KILL))
		raise(SIGKILL);
	if (!fails(STOP))
		return;
	control->stopped = getpid();
	raise(SIGSTOP);
}

#define REAL(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))

/* The C library's own, which dlsym needs, too. */
void *__libc_malloc(size_t n);
void *__libc_calloc(size_t n, size_t size);
void *__libc_realloc(void *p, size_t n);

static void *none(void)
{
	errno = ENOMEM;
	return NULL;
}

void *malloc(size_t n)
{
	return fails(MALLOC) ? none() : __libc_malloc(n);
}

void *calloc(size_t n, size_t size)
{
	return fails(MALLOC) ? none() : __libc_calloc(n, size);
}

void *realloc(void *p, size_t n)
{
	return fails(MALLOC) ? none() : __libc_realloc(p, n);
}

static int refuse(int error)
{
	errno = error;
	return -1;
}

ssize_t read(int fd, void *to, size_t n)
{
	return fails(READ) ? refuse(EIO) : REAL(read)(fd, to, n);
}

ssize_t write(int fd, const void *from, size_t n)
{
	stop();
	return fails(WRITE) ? refuse(ENOSPC) : REAL(write)(fd, from, n);
}

/* A broken connection stays broken. Datagram sockets cannot break like that. */
static int cut(int fd)
{
	int type = 0;
	socklen_t n = sizeof type;
	if (!getsockopt(fd, SOL_SOCKET, SO_TYPE, &type, &n) && type == SOCK_STREAM)
		shutdown(fd, SHUT_RDWR);
	return refuse(ECONNRESET);
}

ssize_t send(int fd, const void *from, size_t n, int flags)
{
	stop();
	return fails(SEND) ? cut(fd) : REAL(send)(fd, from, n, flags);
}

ssize_t recv(int fd, void *to, size_t n, int flags)
{
	stop();
	return fails(RECV) ? cut(fd) : REAL(recv)(fd, to, n, flags);
}

int open(const char *path, int flags, ...)
{
	va_list rest;
	va_start(rest, flags);
	mode_t mode = flags & (O_CREAT | __O_TMPFILE) ? va_arg(rest, mode_t) : 0;
	va_end(rest);
	return fails(OPEN) ? refuse(EMFILE) : REAL(open)(path, flags, mode);
}

int openat(int folder, const char *path, int flags, ...)
{
	va_list rest;
	va_start(rest, flags);
	mode_t mode = flags & (O_CREAT | __O_TMPFILE) ? va_arg(rest, mode_t) : 0;
	va_end(rest);
	return fails(OPEN) ? refuse(ENOSPC) : REAL(openat)(folder, path, flags, mode);
}

int rename(const char *from, const char *to)
{
	return fails(RENAME) ? refuse(EIO) : REAL(rename)(from, to);
}

int fsync(int fd)
{
	return fails(FSYNC) ? refuse(EIO) : REAL(fsync)(fd);
}

pid_t fork(void)
{
	pid_t above = ancestor ? ancestor : getpid();
	pid_t pid = fails(FORK) ? refuse(EAGAIN) : REAL(fork)();
	if (pid == 0)
		ancestor = above;
	return pid;
}

int unlink(const char *path)
{
	return fails(UNLINK) ? refuse(EIO) : REAL(unlink)(path);
}

int mkdir(const char *path, mode_t mode)
{
	return fails(MKDIR) ? refuse(ENOSPC) : REAL(mkdir)(path, mode);
}
