#include "programs/parent_start.h"

#include <signal.h>
#include <string.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <unistd.h>

#include "lib/listen.h"
#include "lib/log.h"
#include "lib/notify.h"
#include "lib/str.h"

enum { LISTENING = 0 };

static bool listens(int fd)
{
	int yes = 0;
	socklen_t n = sizeof yes;
	return getsockopt(fd, SOL_SOCKET, SO_ACCEPTCONN, &yes, &n) == 0 && yes;
}

const char *parent_start_take_socket(const char *where, bool *is_kept)
{
	char problem[300];
	const char *path = NULL;
	int fd = LISTENING;
	*is_kept = false;
	if (where) {
		fd = listen_open(where, problem, sizeof problem);
		if (fd < 0)
			log_die_config("%s", problem);
		path = listen_is_path(where) ? where : NULL;
	} else if (notify_listening() >= 0) {
		fd = notify_listening();
		*is_kept = true;
	}
	if (!listens(fd))
		log_die_config(
			"there is no socket to listen on: name one with --socket, or let systemd or spawn-fcgi pass it");
	if (fd == LISTENING)
		return path;
	if (dup2(fd, LISTENING) < 0)
		log_die("cannot pass on the listening socket: %m");
	close(fd);
	return path;
}

int parent_start_take_signals(void)
{
	static const int numbers[] = { SIGTERM, SIGINT, SIGUSR1, SIGHUP, SIGCHLD };
	sigset_t set;
	sigemptyset(&set);
	for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
		sigaddset(&set, numbers[i]);
		signal(numbers[i], SIG_DFL); /* ignored signals would not arrive */
	}
	sigprocmask(SIG_BLOCK, &set, NULL);
	int fd = signalfd(-1, &set, SFD_NONBLOCK | SFD_CLOEXEC);
	if (fd < 0)
		log_die("cannot receive signals: %m");
	return fd;
}

void parent_start_find_program(const char *argv0, char *path, size_t size)
{
	if (strchr(argv0, '/')) {
		str_print(path, size, "%s", argv0);
		return;
	}
	ssize_t n = readlink("/proc/self/exe", path, size - 1);
	if (n < 0)
		log_die("cannot find the path of this program: %m");
	path[n] = '\0';
}
