#include "lib/media.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "lib/log.h"
#include "lib/str.h"

enum { SECONDS = 20 };

const char *media_picture_type(const char *type)
{
	return !strcmp(type, "image/jpeg") ? "image/jpeg" : "image/png";
}

/*
 * planwright-media in the folder of this program: as it was started, for the whole
 * path of a relative one may lead through folders that are closed to this user. Else
 * where it is installed: planwrightctl has another folder.
 */
static bool find_program(char *path, size_t size)
{
	static const char name[] = "planwright-media";
	static const char installed[] = PLANWRIGHTDIR "/planwright-media";
	ssize_t n;
	if (strchr(program_invocation_name, '/'))
		n = (ssize_t)str_print(path, size, "%s", program_invocation_name).n;
	else
		n = readlink("/proc/self/exe", path, size);
	if (n <= 0 || (size_t)n >= size - sizeof name)
		return false;
	path[n] = '\0';
	strcpy(strrchr(path, '/') + 1, name);
	if (access(path, X_OK) && sizeof installed <= size)
		strcpy(path, installed);
	return true;
}

static pid_t start(int file, int small, int big, int out)
{
	char path[1024], *argv[] = { path, NULL }, *environment[] = { NULL };
	posix_spawn_file_actions_t actions;
	posix_spawnattr_t attributes;
	sigset_t none;
	pid_t pid = -1;
	if (!find_program(path, sizeof path))
		return -1;
	sigemptyset(&none);
	posix_spawnattr_init(&attributes);
	posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK);
	posix_spawnattr_setsigmask(&attributes, &none);
	posix_spawn_file_actions_init(&actions);
	posix_spawn_file_actions_adddup2(&actions, file, 0);
	posix_spawn_file_actions_adddup2(&actions, out, 1);
	posix_spawn_file_actions_adddup2(&actions, small, 3);
	posix_spawn_file_actions_adddup2(&actions, big, 4);
	if (posix_spawn(&pid, path, &actions, &attributes, argv, environment))
		pid = -1;
	posix_spawn_file_actions_destroy(&actions);
	posix_spawnattr_destroy(&attributes);
	return pid;
}

/* What the program says until it ends or the time is over. */
static size_t listen_to(int fd, char *text, size_t size)
{
	size_t n = 0;
	struct pollfd p = { .fd = fd, .events = POLLIN };
	while (n < size - 1 && poll(&p, 1, SECONDS * 1000) > 0) {
		ssize_t got = read(fd, text + n, size - 1 - n);
		if (got <= 0)
			break;
		n += (size_t)got;
	}
	text[n] = '\0';
	return n;
}

static bool is_type(const char *z)
{
	return strspn(z, "abcdefghijklmnopqrstuvwxyz0123456789.+-/_") == strlen(z) &&
		strchr(z, '/');
}

/* Copies stand above all numbers that the program gets: no copy overwrites another. */
static pid_t start_with(const int fds[4])
{
	int copies[4];
	pid_t pid = -1;
	for (int i = 0; i < 4; i++)
		copies[i] = fcntl(fds[i], F_DUPFD_CLOEXEC, 16);
	if (copies[0] >= 0 && copies[1] >= 0 && copies[2] >= 0 && copies[3] >= 0)
		pid = start(copies[0], copies[1], copies[2], copies[3]);
	for (int i = 0; i < 4; i++)
		if (copies[i] >= 0)
			close(copies[i]);
	return pid;
}

void media_look(int file, int small, int big, struct media *m)
{
	char text[256];
	int out[2], made = 0, status;
	*m = (struct media){ .type = "application/octet-stream" };
	if (pipe2(out, O_CLOEXEC))
		return;
	pid_t pid = start_with((const int[]){ file, small, big, out[1] });
	close(out[1]);
	if (pid > 0) {
		struct media found = { 0 };
		listen_to(out[0], text, sizeof text);
		kill(pid, SIGKILL);
		while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
			;
		if (sscanf(text, "%127s %d %d %d", found.type, &found.width, &found.height,
			    &made) == 4 &&
			is_type(found.type) && found.width >= 0 && found.height >= 0)
			*m = found;
		else
			log_warn("planwright-media says nothing of a file: %s",
				WIFSIGNALED(status) ? strsignal(WTERMSIG(status)) : "it failed");
		m->thumbnailable = made == 1 && m->width > 0;
	} else {
		log_error("planwright-media cannot be started: what is uploaded has no type");
	}
	close(out[0]);
}
