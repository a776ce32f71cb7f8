#include "programs/parent.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "lib/conf.h"
#include "lib/listen.h"
#include "lib/log.h"
#include "lib/notify.h"
#include "lib/respawn.h"
#include "lib/str.h"

#define READY_FD "PLANWRIGHT_READY_FD"

enum { LISTENING = 0, CHILDREN_MAX = 3 * PARENT_WORKERS_MAX };

/* A worker. The newest generation is wanted; older ones are there until theirs is ready. */
struct child {
	pid_t pid;
	int place, generation;
	int ready_fd; /* something to read, when it is ready; then -1 */
	int64_t started_ms;
	bool leaves; /* it was asked to end */
};

struct parent {
	const struct parent_options *options;
	char program[PATH_MAX];
	const char *path; /* of a socket of our own; null: none */
	int signals, wanted, generation, status;
	bool renews, stops, was_ready;
	int64_t watchdog_ms, watchdog_at;
	struct child children[CHILDREN_MAX];
	int n;
	struct {
		struct respawn respawn;
		int64_t start_at;
	} places[PARENT_WORKERS_MAX];
};

static int64_t now_ms(void)
{
	struct timespec t;
	clock_gettime(CLOCK_MONOTONIC, &t);
	return (int64_t)t.tv_sec * 1000 + t.tv_nsec / 1000000;
}

/* A number of workers, from 0; 0: two for each processor that we may use. */
static int count_of(int64_t told)
{
	cpu_set_t cpus;
	if (told > 0)
		return (int)told;
	int n = sched_getaffinity(0, sizeof cpus, &cpus) ? 1 : CPU_COUNT(&cpus);
	return 2 * n < PARENT_WORKERS_MAX ? 2 * n : PARENT_WORKERS_MAX;
}

/* False: the settings are wrong, and it is logged how. */
static bool read_settings(struct parent *p)
{
	struct conf conf;
	char problem[512];
	int64_t n;
	if (!conf_load(&conf, NULL, problem, sizeof problem)) {
		log_error("%s", problem);
		return false;
	}
	n = conf.workers;
	conf_free(&conf);
	if (p->options->workers &&
		(!str_to_int(str_of(p->options->workers), &n) || n < 0 || n > PARENT_WORKERS_MAX)) {
		log_error("--workers takes a number from 0 to %d", PARENT_WORKERS_MAX);
		return false;
	}
	p->wanted = count_of(n);
	return true;
}

/* Children ---------------------------------------------------------------------- */

static bool is_waited_for(const struct child *c)
{
	return c->ready_fd >= 0 && !c->leaves;
}

static bool serves(const struct child *c)
{
	return c->ready_fd < 0 && !c->leaves;
}

/* The one of a place that is to stay, of this generation or of an older one. */
static struct child *find(struct parent *p, int place, bool is_old)
{
	for (int i = 0; i < p->n; i++) {
		struct child *c = &p->children[i];
		if (c->place == place && !c->leaves && (c->generation < p->generation) == is_old)
			return c;
	}
	return NULL;
}

static int count(const struct parent *p, bool (*is)(const struct child *))
{
	int n = 0;
	for (int i = 0; i < p->n; i++)
		n += is(&p->children[i]);
	return n;
}

static void ask_to_end(struct child *c)
{
	c->leaves = true;
	kill(c->pid, SIGTERM);
}

static _Noreturn void become_worker(const struct parent *p, int ready, pid_t parent)
{
	char *const argv[] = { (char *)p->program, NULL };
	char number[16];
	sigset_t none;
	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
	/* Nobody would end or renew it. */
	prctl(PR_SET_PDEATHSIG, SIGTERM);
	if (getppid() != parent)
		_exit(0);
	notify_forget();
	setenv(READY_FD, str_print(number, sizeof number, "%d", ready).p, 1);
	execv(p->program, argv);
	log_error("%s cannot be started: %m", p->program);
	_exit(EXIT_FAILURE);
}

static void start_child(struct parent *p, int place)
{
	int ends[2];
	pid_t parent = getpid();
	struct child *c = &p->children[p->n];
	p->places[place].start_at = now_ms() + RESPAWN_PAUSE_MAX_MS; /* unless it is started */
	if (p->n == CHILDREN_MAX)
		return;
	if (pipe2(ends, O_CLOEXEC)) {
		log_error("a worker cannot be started: %m");
		return;
	}
	*c = (struct child){ fork(), place, p->generation, ends[0], now_ms(), false };
	if (c->pid == 0) {
		fcntl(ends[1], F_SETFD, 0);
		become_worker(p, ends[1], parent);
	}
	close(ends[1]);
	if (c->pid > 0) {
		p->n++;
		return;
	}
	log_error("a worker cannot be started: %m");
	close(ends[0]);
}

/* Starts who is missing. Where an older one serves, one at a time is made anew. */
static void start_missing(struct parent *p)
{
	int64_t now = now_ms();
	bool one_is_new = false;
	for (int i = 0; i < p->n; i++)
		one_is_new |= is_waited_for(&p->children[i]) &&
			find(p, p->children[i].place, true) != NULL;
	for (int place = 0; place < p->wanted; place++) {
		bool has_old = find(p, place, true) != NULL;
		if (find(p, place, false) || (has_old && one_is_new) ||
			(!has_old && p->places[place].start_at > now))
			continue;
		start_child(p, place);
		one_is_new |= has_old;
	}
}

/* Ends those whose successor is ready, and whose place is no longer wanted. */
static void end_superfluous(struct parent *p)
{
	bool all_ready = true;
	for (int place = 0; place < p->wanted; place++) {
		struct child *new = find(p, place, false), *old = find(p, place, true);
		if (old && new && serves(new))
			ask_to_end(old);
		all_ready = all_ready && new && serves(new);
	}
	for (int i = 0; i < p->n; i++)
		if (p->children[i].place >= p->wanted && !p->children[i].leaves)
			ask_to_end(&p->children[i]);
	if (p->renews && all_ready) {
		p->renews = false;
		notify_send("READY=1");
		log_info("the workers are renewed");
	}
}

/* What has begun anew stays, and so does what has not. */
static void stop_renewing(struct parent *p)
{
	if (!p->renews)
		return;
	p->renews = false;
	for (int i = 0; i < p->n; i++)
		p->children[i].generation = p->generation;
	notify_send("READY=1");
	log_error("the workers are not renewed: those that serve go on");
}

static void stop(struct parent *p, int status)
{
	for (int i = 0; i < p->n; i++)
		ask_to_end(&p->children[i]);
	if (!p->stops)
		notify_send("STOPPING=1");
	p->stops = true;
	p->status = status;
}

/* Events -------------------------------------------------------------------------- */

static void log_end(const struct child *c, int status)
{
	if (WIFSIGNALED(status))
		log_error("worker %d was ended by signal %d (%s)", (int)c->pid, WTERMSIG(status),
			strsignal(WTERMSIG(status)));
	else if (WEXITSTATUS(status))
		log_error("worker %d ended with status %d", (int)c->pid, WEXITSTATUS(status));
}

/* One that was not asked to has ended. */
static void replace(struct parent *p, const struct child *c, int status)
{
	int64_t now = now_ms();
	bool was_ready = c->ready_fd < 0;
	if (p->renews && !was_ready && find(p, c->place, true)) {
		stop_renewing(p);
		return;
	}
	if (!was_ready && WIFEXITED(status) && WEXITSTATUS(status) == LOG_STATUS_CONFIG &&
		!count(p, serves)) {
		stop(p, LOG_STATUS_CONFIG);
		return;
	}
	p->places[c->place].start_at =
		now + respawn_pause_ms(&p->places[c->place].respawn, now - c->started_ms);
}

static void bury(struct parent *p)
{
	int status;
	pid_t pid;
	while ((pid = waitpid(-1, &status, WNOHANG)) > 0)
		for (int i = 0; i < p->n; i++) {
			struct child c = p->children[i];
			if (c.pid != pid)
				continue;
			p->children[i] = p->children[--p->n];
			log_end(&c, status);
			if (!c.leaves)
				replace(p, &c, status);
			if (c.ready_fd >= 0)
				close(c.ready_fd);
			break;
		}
}

static void renew(struct parent *p)
{
	if (!read_settings(p)) {
		log_error("the workers are not renewed: those that serve go on");
		return;
	}
	char text[80];
	notify_send(str_print(
		text, sizeof text, "RELOADING=1\nMONOTONIC_USEC=%lld", (long long)now_ms() * 1000)
			.p);
	p->generation++;
	p->renews = true;
	/* One of a renewal that has not ended is not ready yet: the oldest of its place stays. */
	for (int i = 0; i < p->n; i++)
		if (is_waited_for(&p->children[i]))
			ask_to_end(&p->children[i]);
}

static void take_signals(struct parent *p)
{
	struct signalfd_siginfo info;
	while (read(p->signals, &info, sizeof info) == sizeof info) {
		if (info.ssi_signo == SIGCHLD)
			bury(p);
		else if (info.ssi_signo != SIGHUP)
			stop(p, p->status);
		else if (!p->stops)
			renew(p);
	}
}

static void take_ready(struct parent *p, struct child *c)
{
	char told;
	bool is_ready = read(c->ready_fd, &told, 1) == 1;
	/* Otherwise it has ended: SIGCHLD comes, too. */
	if (!is_ready)
		return;
	close(c->ready_fd);
	c->ready_fd = -1;
	if (!p->was_ready)
		notify_send("READY=1");
	p->was_ready = true;
}

static int64_t next_start(const struct parent *p)
{
	int64_t next = INT64_MAX;
	for (int place = 0; !p->stops && place < p->wanted; place++) {
		bool is_there = false;
		for (int i = 0; i < p->n; i++)
			is_there |= p->children[i].place == place && !p->children[i].leaves;
		if (!is_there && p->places[place].start_at < next)
			next = p->places[place].start_at;
	}
	return next;
}

static void wait_for_events(struct parent *p)
{
	struct pollfd fds[CHILDREN_MAX + 1];
	int64_t now = now_ms(), next = next_start(p);
	fds[0] = (struct pollfd){ .fd = p->signals, .events = POLLIN };
	for (int i = 0; i < p->n; i++)
		fds[i + 1] = (struct pollfd){ .fd = p->children[i].ready_fd, .events = POLLIN };
	if (p->watchdog_ms && p->watchdog_at < next)
		next = p->watchdog_at;
	int64_t ms = next == INT64_MAX ? -1 : next > now ? next - now : 0;
	if (poll(fds, (nfds_t)p->n + 1, (int)ms) < 0 && errno != EINTR)
		log_die("poll: %m");
	for (int i = 0; i < p->n; i++)
		if (fds[i + 1].revents & POLLIN)
			take_ready(p, &p->children[i]);
	if (fds[0].revents)
		take_signals(p);
}

static void tell_watchdog(struct parent *p)
{
	int64_t now = now_ms();
	if (!p->watchdog_ms || now < p->watchdog_at)
		return;
	notify_send("WATCHDOG=1");
	p->watchdog_at = now + p->watchdog_ms;
}

/* Start ---------------------------------------------------------------------------- */

static bool listens(int fd)
{
	int yes = 0;
	socklen_t n = sizeof yes;
	return getsockopt(fd, SOL_SOCKET, SO_ACCEPTCONN, &yes, &n) == 0 && yes;
}

static void take_socket(struct parent *p)
{
	char problem[300];
	int fd = LISTENING;
	if (p->options->socket) {
		fd = listen_open(p->options->socket, problem, sizeof problem);
		if (fd < 0)
			log_die_config("%s", problem);
		p->path = listen_is_path(p->options->socket) ? p->options->socket : NULL;
	} else if (notify_listening() >= 0) {
		fd = notify_listening();
	}
	if (!listens(fd))
		log_die_config("there is no socket to listen on: name one by --socket, or let "
			       "systemd or spawn-fcgi pass it");
	if (fd == LISTENING)
		return;
	if (dup2(fd, LISTENING) < 0)
		log_die("the listening socket cannot be passed on: %m");
	close(fd);
}

static void take_signals_over(struct parent *p)
{
	static const int numbers[] = { SIGTERM, SIGINT, SIGUSR1, SIGHUP, SIGCHLD };
	sigset_t set;
	sigemptyset(&set);
	for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
		sigaddset(&set, numbers[i]);
		signal(numbers[i], SIG_DFL); /* what was ignored would not come */
	}
	sigprocmask(SIG_BLOCK, &set, NULL);
	p->signals = signalfd(-1, &set, SFD_NONBLOCK | SFD_CLOEXEC);
	if (p->signals < 0)
		log_die("signals cannot be received: %m");
}

/* By the path at which a newer one will stand, when it is installed. */
static void find_program(struct parent *p, const char *argv0)
{
	if (strchr(argv0, '/')) {
		str_print(p->program, sizeof p->program, "%s", argv0);
		return;
	}
	ssize_t n = readlink("/proc/self/exe", p->program, sizeof p->program - 1);
	if (n < 0)
		log_die("the path of this program is not known: %m");
	p->program[n] = '\0';
}

int parent_run(const struct parent_options *options, const char *argv0)
{
	static struct parent p;
	p.options = options;
	if (!read_settings(&p))
		return LOG_STATUS_CONFIG;
	find_program(&p, argv0);
	take_socket(&p);
	take_signals_over(&p);
	prctl(PR_SET_NAME, "planwright");
	p.watchdog_ms = notify_watchdog_ms();
	log_info("planwright %s: %d workers", PACKAGE_VERSION, p.wanted);
	while (!p.stops || p.n > 0) {
		tell_watchdog(&p);
		if (!p.stops) {
			end_superfluous(&p);
			start_missing(&p);
		}
		wait_for_events(&p);
	}
	if (p.path)
		unlink(p.path);
	return p.status;
}

/* Workers ---------------------------------------------------------------------------- */

void parent_tell_ready(void)
{
	const char *text = getenv(READY_FD);
	int64_t fd;
	if (!text || !str_to_int(str_of(text), &fd) || fd < 3 || fd > INT_MAX)
		return;
	(void)!write((int)fd, "", 1);
	close((int)fd);
	unsetenv(READY_FD);
}
