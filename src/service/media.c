#include "service/media.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "lib/log.h"
#include "lib/str.h"

/* planwright-media gives itself three seconds; starting it takes a little, too. */
enum { SECONDS = 4 };
#define UNKNOWN "application/octet-stream"

static int64_t monotonic_ms(void)
{
	struct timespec t;
	clock_gettime(CLOCK_MONOTONIC, &t);
	return (int64_t)t.tv_sec * 1000 + t.tv_nsec / 1000000;
}

const char *media_picture_type(const char *type)
{
	return !strcmp(type, "image/jpeg") ? "image/jpeg" : "image/png";
}

/*
 * planwright-media in the folder of this program, by the path it was started with, because an
 * absolute path may lead through folders that are closed to this user. Otherwise where it is
 * installed: planwrightctl is in another folder.
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

/* The program's output until it ends or the time is up. */
static size_t listen_to(int fd, char *text, size_t size)
{
	size_t n = 0;
	struct pollfd p = { .fd = fd, .events = POLLIN };
	int64_t end = monotonic_ms() + SECONDS * 1000, left;
	while (n < size - 1 && (left = end - monotonic_ms()) > 0 && poll(&p, 1, (int)left) > 0) {
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

/*
 * Copies are made above all descriptors that the program gets, so that none overwrites another.
 */
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

/* Its output counts even if the file then crashed it. */
static void take(const char *text, int status, struct media *m)
{
	struct media found = { 0 };
	int made = 0;
	int n = sscanf(text, "%127s %d %d %d", found.type, &found.width, &found.height, &made);
	const char *end = WIFSIGNALED(status) ? strsignal(WTERMSIG(status)) : "it failed";
	if (n < 3 || !is_type(found.type) || found.width < 0 || found.height < 0) {
		log_warn("planwright-media cannot examine a file: %s", end);
		return;
	}
	if (n < 4)
		log_warn("planwright-media cannot make thumbnails of a file: %s", end);
	*m = found;
	m->thumbnailable = made == 1 && m->width > 0;
}

static void look(const int fds[3], struct media *m)
{
	char text[256];
	int out[2], status;
	if (pipe2(out, O_CLOEXEC))
		return;
	pid_t pid = start_with((const int[]){ fds[0], fds[1], fds[2], out[1] });
	close(out[1]);
	if (pid > 0) {
		listen_to(out[0], text, sizeof text);
		kill(pid, SIGKILL);
		while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
			;
		take(text, status, m);
	} else {
		log_error("planwright-media cannot be started: uploads get no type");
	}
	close(out[0]);
}

/* One at a time -------------------------------------------------------------------- */

/* The kernel releases the lock of a killed process; -1: there is no such file. */
static int open_turns(void)
{
	char name[64];
	struct stat st;
	snprintf(name, sizeof name, "/planwright-media-%u", (unsigned)geteuid());
	int fd = shm_open(name, O_RDWR | O_CREAT, 0600);
	if (fd >= 0 && (fstat(fd, &st) || st.st_uid != geteuid() || st.st_mode & 077)) {
		close(fd);
		fd = -1;
		errno = EPERM;
	}
	if (fd < 0)
		log_warn(
			"several planwright-media run at once, because the shared memory %s cannot be used: %m",
			name);
	return fd;
}

bool media_try_turn(struct media_turn *turn)
{
	turn->fd = open_turns();
	if (turn->fd < 0 || !flock(turn->fd, LOCK_EX | LOCK_NB) ||
		(errno != EWOULDBLOCK && errno != EINTR))
		return true;
	close(turn->fd);
	return false;
}

void media_look_in_turn(struct media_turn *turn, int file, int small, int big, struct media *m)
{
	*m = (struct media){ .type = UNKNOWN };
	look((const int[]){ file, small, big }, m);
	if (turn->fd >= 0)
		close(turn->fd);
}

void media_look_away(struct media *m)
{
	*m = (struct media){ .type = UNKNOWN };
	log_warn("a file waited %d s for planwright-media and was kept without a type",
		MEDIA_WAIT_SECONDS);
}

void media_look(int file, int small, int big, struct media *m)
{
	const struct timespec pause = { .tv_nsec = MEDIA_PAUSE_MS * 1000000 };
	int64_t end = monotonic_ms() + MEDIA_WAIT_SECONDS * 1000;
	struct media_turn turn;
	while (!media_try_turn(&turn)) {
		if (monotonic_ms() > end) {
			media_look_away(m);
			return;
		}
		nanosleep(&pause, NULL);
	}
	media_look_in_turn(&turn, file, small, big, m);
}
