#include "lib/listen.h"

#include <errno.h>
#include <netdb.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include "lib/str.h"

/* A short queue makes the web server answer 502 under load. */
enum { QUEUE = 1024, HOST_MAX = 255 };

struct problem {
	char *text;
	size_t size;
};

static int fail(struct problem *p, const char *format, ...) __attribute__((format(printf, 2, 3)));

static int fail(struct problem *p, const char *format, ...)
{
	va_list args;
	va_start(args, format);
	vsnprintf(p->text, p->size, format, args);
	va_end(args);
	return -1;
}

static int fail_fd(struct problem *p, int fd, const char *where)
{
	fail(p, "cannot listen on %s: %m", where);
	if (fd >= 0)
		close(fd);
	return -1;
}

bool listen_is_path(const char *where)
{
	return strchr(where, '/') != NULL;
}

/* Whether somebody is listening there; removes a socket on which nobody is. */
static bool is_taken(const struct sockaddr_un *address)
{
	struct stat st;
	int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
	bool refused = fd >= 0 && connect(fd, (const struct sockaddr *)address, sizeof *address) &&
		errno == ECONNREFUSED;
	bool taken = fd >= 0 && !refused && errno != ENOENT;
	if (refused && !lstat(address->sun_path, &st) && S_ISSOCK(st.st_mode))
		unlink(address->sun_path);
	if (fd >= 0)
		close(fd);
	return taken;
}

static int open_path(const char *path, struct problem *p)
{
	struct sockaddr_un address = { .sun_family = AF_UNIX };
	if (strlen(path) >= sizeof address.sun_path)
		return fail(p, "a socket path can have at most %zu bytes: %s is longer",
			sizeof address.sun_path - 1, path);
	memcpy(address.sun_path, path, strlen(path));
	errno = 0;
	if (is_taken(&address))
		return fail(p, "another process is listening on %s: stop it, or use another path",
			path);
	int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
	mode_t before = umask(0117); /* restricted from the first moment */
	bool bound = fd >= 0 && !bind(fd, (const struct sockaddr *)&address, sizeof address);
	int error = errno;
	umask(before);
	errno = error;
	return bound && !listen(fd, QUEUE) ? fd : fail_fd(p, fd, path);
}

static int listen_at(const struct addrinfo *a)
{
	const int on = 1;
	int fd = socket(a->ai_family, a->ai_socktype | SOCK_CLOEXEC, a->ai_protocol);
	if (fd < 0)
		return -1;
	setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
	if (!bind(fd, a->ai_addr, a->ai_addrlen) && !listen(fd, QUEUE))
		return fd;
	int error = errno;
	close(fd);
	errno = error;
	return -1;
}

static int open_port(const char *where, struct problem *p)
{
	const struct addrinfo hints = { .ai_socktype = SOCK_STREAM, .ai_flags = AI_PASSIVE };
	struct addrinfo *list = NULL;
	char host[HOST_MAX + 1];
	const char *port = strrchr(where, ':');
	size_t n = port ? (size_t)(port - where) : 0;
	int64_t number;
	if (!port || !str_to_int(str_of(port + 1), &number) || number < 1 || number > 65535 ||
		n == 0 || n > HOST_MAX)
		return fail(
			p, "cannot listen on %s: give a path with a slash, or host:port", where);
	bool bracketed = where[0] == '[' && where[n - 1] == ']';
	memcpy(host, where + bracketed, n - 2 * bracketed);
	host[n - 2 * bracketed] = '\0';
	int code = getaddrinfo(host, port + 1, &hints, &list);
	if (code)
		return fail(p, "%s is not an address here: %s", host, gai_strerror(code));
	int fd = listen_at(list);
	freeaddrinfo(list);
	return fd >= 0 ? fd : fail_fd(p, fd, where);
}

int listen_open(const char *where, char *problem, size_t size)
{
	struct problem p = { problem, size };
	return listen_is_path(where) ? open_path(where, &p) : open_port(where, &p);
}
