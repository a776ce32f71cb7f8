#include "programs/importer/importer_pool.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "lib/log.h"
#include "lib/respawn.h"
#include "lib/stop.h"
#include "lib/when.h"

enum { LOOK_MS = 100 };

struct one {
	pid_t pid; /* 0: not running */
	int64_t begun_us, next_us;
	struct respawn respawn;
};

/* Returns true in the new process. */
static bool begin(struct one *x)
{
	pid_t parent = getpid();
	x->begun_us = when_now();
	x->pid = fork();
	if (x->pid > 0)
		return false;
	if (x->pid < 0) {
		log_error("cannot start a process for imports: %m");
		x->pid = 0;
		x->next_us = x->begun_us + RESPAWN_PAUSE_MAX_MS * INT64_C(1000);
		return false;
	}
	/*
	 * Otherwise it would outlive a parent that is killed now, or was killed before this call.
	 */
	if (prctl(PR_SET_PDEATHSIG, SIGTERM) || getppid() != parent)
		_exit(EXIT_FAILURE);
	return true;
}

static void note_end(struct one *all, int n, pid_t pid)
{
	for (int i = 0; i < n; i++) {
		struct one *x = all + i;
		if (x->pid != pid)
			continue;
		int64_t now = when_now();
		int64_t lived_ms = (now - x->begun_us) / 1000;
		x->pid = 0;
		x->next_us = now + respawn_pause_ms(&x->respawn, lived_ms) * 1000;
	}
}

static void end_all(const struct one *all, int n)
{
	for (int i = 0; i < n; i++)
		if (all[i].pid)
			kill(all[i].pid, SIGTERM);
	for (int i = 0; i < n; i++)
		while (all[i].pid && waitpid(all[i].pid, NULL, 0) < 0 && errno == EINTR)
			;
}

bool importer_pool(int n)
{
	struct one all[IMPORTER_POOL_MAX] = { 0 };
	while (!stop_asked()) {
		for (int i = 0; i < n; i++)
			if (!all[i].pid && when_now() >= all[i].next_us && begin(all + i))
				return true;
		for (pid_t pid; (pid = waitpid(-1, NULL, WNOHANG)) > 0;)
			note_end(all, n, pid);
		nanosleep(&(struct timespec){ .tv_nsec = LOOK_MS * 1000000L }, NULL);
	}
	end_all(all, n);
	return false;
}
