#include "lib/notify.h"

#include <fcntl.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "lib/str.h"

enum { FIRST_PASSED = 3 };

/* A number above 0 in the environment; 0: there is none. */
static int64_t number(const char *name)
{
	const char *text = getenv(name);
	int64_t n = 0;
	return text && str_to_int(str_of(text), &n) && n > 0 ? n : 0;
}

int notify_listening(void)
{
	bool is_ours = number("LISTEN_PID") == getpid() && number("LISTEN_FDS") > 0;
	return is_ours && fcntl(FIRST_PASSED, F_GETFD) >= 0 ? FIRST_PASSED : -1;
}

void notify_send(const char *state)
{
	const char *path = getenv("NOTIFY_SOCKET");
	struct sockaddr_un address = { .sun_family = AF_UNIX };
	size_t n = path ? strlen(path) : 0;
	if (n < 2 || n >= sizeof address.sun_path)
		return;
	memcpy(address.sun_path, path, n);
	if (*path == '@') /* an abstract name, not a file */
		address.sun_path[0] = '\0';
	int fd = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
	if (fd < 0)
		return;
	/* A failure is ignored: nothing helps if the service manager does not listen. */
	(void)!sendto(fd, state, strlen(state), MSG_NOSIGNAL, (const struct sockaddr *)&address,
		(socklen_t)(offsetof(struct sockaddr_un, sun_path) + n));
	close(fd);
}

int64_t notify_watchdog_ms(void)
{
	int64_t pid = number("WATCHDOG_PID"), us = number("WATCHDOG_USEC");
	return us > 0 && (pid == 0 || pid == getpid()) ? (us < 2000 ? 1 : us / 2000) : 0;
}

void notify_forget(void)
{
	static const char *const names[] = { "NOTIFY_SOCKET", "WATCHDOG_USEC", "WATCHDOG_PID",
		"LISTEN_FDS", "LISTEN_PID", "LISTEN_FDNAMES" };
	for (size_t i = 0; i < sizeof names / sizeof *names; i++)
		unsetenv(names[i]);
}
