#include "programs/parent.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "lib/log.h"
#include "lib/notify.h"
#include "lib/respawn.h"
#include "lib/str.h"
#include "lib/unconst.h"
#include "programs/parent_start.h"
#include "programs/settings.h"

#define READY_FD "PLANWRIGHT_READY_FD"

enum { LOOK_MS = 1000, CHILDREN_MAX = 3 * SETTINGS_WORKERS_MAX };

/*
 * A worker. The newest generation is wanted; older workers stay until their successor is ready.
 */
struct child {
	pid_t pid;
	int place, generation;
	int ready_fd; /* readable once it is ready; then -1 */
	int64_t started_ms;
	bool leaves; /* it was asked to exit */
};

struct parent {
	const struct parent_options *options;
	char program[PATH_MAX];
	const char *path; /* of a socket of our own; null: none */
	bool is_kept;     /* the socket: a client waiting there would restart us at once */
	int signals, wanted, generation, status;
	bool renews, stops, was_ready;
	struct settings settings;
	bool waits; /* for the settings to be right, with a stand-in */
	int64_t look_at;
	struct child stand_in; /* pid 0: none */
	int64_t watchdog_ms, watchdog_at;
	struct child children[CHILDREN_MAX];
	int n;
	struct {
		struct respawn respawn;
		int64_t start_at;
	} places[SETTINGS_WORKERS_MAX];
};

static int64_t now_ms(void)
{
	struct timespec t;
	clock_gettime(CLOCK_MONOTONIC, &t);
	return (int64_t)t.tv_sec * 1000 + t.tv_nsec / 1000000;
}

/* False if the settings are wrong; a problem that is not known yet is logged. */
static bool read_settings(struct parent *p, bool is_known)
{
	struct settings before = p->settings;
	bool is_right = settings_read(&p->settings, p->options->workers);
	if (is_right)
		p->wanted = p->settings.workers;
	else if (!is_known || strcmp(before.problem, p->settings.problem) != 0)
		log_error("%s", p->settings.problem);
	return is_right;
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

/* The worker of a slot that is to stay, of this generation or an older one. */
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

static _Noreturn void become_worker(
	const struct parent *p, const char *option, int ready, pid_t parent)
{
	char *const argv[] = { unconst(p->program), unconst(option), NULL };
	char number[16];
	sigset_t none;
	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
	/* Without its parent, nobody would end or renew it. */
	prctl(PR_SET_PDEATHSIG, SIGTERM);
	if (getppid() != parent)
		_exit(0);
	notify_forget();
	/* libpq pulls in GnuTLS, through LDAP: 0.6 MiB per worker once initialized, used or not. */
	setenv("GNUTLS_NO_IMPLICIT_INIT", "1", 0);
	setenv(READY_FD, str_print(number, sizeof number, "%d", ready).p, 1);
	execv(p->program, argv);
	log_error("%s cannot be started: %m", p->program);
	_exit(EXIT_FAILURE);
}

/* Starts it with this option. False if it cannot be started, which is logged. */
static bool start_child(struct parent *p, struct child *c, int place, const char *option)
{
	int ends[2];
	pid_t parent = getpid();
	if (pipe2(ends, O_CLOEXEC)) {
		log_error("a worker cannot be started: %m");
		return false;
	}
	*c = (struct child){ fork(), place, p->generation, ends[0], now_ms(), false };
	if (c->pid == 0) {
		fcntl(ends[1], F_SETFD, 0);
		become_worker(p, option, ends[1], parent);
	}
	close(ends[1]);
	if (c->pid > 0)
		return true;
	log_error("a worker cannot be started: %m");
	close(ends[0]);
	c->pid = 0;
	return false;
}

static void start_worker(struct parent *p, int place)
{
	p->places[place].start_at = now_ms() + RESPAWN_PAUSE_MAX_MS; /* if this fails */
	if (p->n < CHILDREN_MAX && start_child(p, &p->children[p->n], place, NULL))
		p->n++;
}

/*
 * Starts missing workers. Slots with an older worker are renewed one at a time. If the socket is
 * kept, the first worker shows whether they can run, so that an error is logged only once.
 */
static void start_missing(struct parent *p)
{
	int64_t now = now_ms();
	int wanted = p->is_kept && !p->was_ready && p->wanted > 1 ? 1 : p->wanted;
	bool one_is_new = false;
	for (int i = 0; i < p->n; i++)
		one_is_new |= is_waited_for(&p->children[i]) &&
			find(p, p->children[i].place, true) != NULL;
	for (int place = 0; place < wanted; place++) {
		bool has_old = find(p, place, true) != NULL;
		if (find(p, place, false) || (has_old && one_is_new) ||
			(!has_old && p->places[place].start_at > now))
			continue;
		start_worker(p, place);
		one_is_new |= has_old;
	}
}

/* Ends workers whose successor is ready, or whose slot is no longer wanted. */
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
		log_info("the workers were replaced");
	}
}

/* Workers already renewed stay, and so do the others. */
static void stop_renewing(struct parent *p)
{
	if (!p->renews)
		return;
	p->renews = false;
	for (int i = 0; i < p->n; i++)
		p->children[i].generation = p->generation;
	notify_send("READY=1");
	log_error("the workers were not replaced: the old ones keep running");
}

static void stop(struct parent *p, int status)
{
	for (int i = 0; i < p->n; i++)
		ask_to_end(&p->children[i]);
	if (p->stand_in.pid)
		ask_to_end(&p->stand_in);
	if (!p->stops)
		notify_send("STOPPING=1");
	p->stops = true;
	p->status = status;
}

/* Waiting for settings --------------------------------------------------------------- */

static void tell_status(const char *text)
{
	char state[700];
	notify_send(str_print(state, sizeof state, "STATUS=%s", text).p);
}

/*
 * No worker can run. If the socket is kept, ending would not help: the next request would start
 * us again, and so on. In that case we stay, and all requests are answered 503 until the settings
 * are right.
 */
static void wait_for_settings(struct parent *p)
{
	if (!p->is_kept) {
		stop(p, LOG_STATUS_CONFIG);
		return;
	}
	p->waits = true;
	p->was_ready = false;
	p->look_at = now_ms() + LOOK_MS;
	log_error("requests are answered 503 until the settings are right: changes to their files "
		  "are noticed, other changes need a reload");
	tell_status(*p->settings.problem
			? p->settings.problem
			: "503: the workers cannot run with the settings; see the log");
}

static void stop_waiting(struct parent *p)
{
	p->waits = false;
	for (int place = 0; place < p->wanted; place++)
		p->places[place].start_at = 0;
	log_info("the settings have changed: %d workers", p->wanted);
}

/* Stops waiting if the settings changed, and are right as far as seen without a worker. */
static void look_at_settings(struct parent *p)
{
	struct settings before = p->settings;
	int64_t now = now_ms();
	if (!p->waits || p->stops || now < p->look_at)
		return;
	p->look_at = now + LOOK_MS;
	if (!read_settings(p, true))
		tell_status(p->settings.problem);
	else if (*before.problem || p->settings.stamp != before.stamp)
		stop_waiting(p);
}

static void start_stand_in(struct parent *p)
{
	/* The service manager has not been told yet that we are ready. */
	if (p->waits && !p->stand_in.pid && start_child(p, &p->stand_in, -1, "--unavailable"))
		notify_send("READY=1");
}

static void end_stand_in(struct parent *p)
{
	if (p->stand_in.pid && !p->stand_in.leaves)
		ask_to_end(&p->stand_in);
	tell_status("");
}

/* Events -------------------------------------------------------------------------- */

static void log_end(const struct child *c, int status)
{
	if (WIFSIGNALED(status))
		log_error("worker %d was ended by signal %d (%s)", (int)c->pid, WTERMSIG(status),
			strsignal(WTERMSIG(status)));
	else if (WEXITSTATUS(status))
		log_error("worker %d exited with status %d", (int)c->pid, WEXITSTATUS(status));
}

/* A worker has ended without being asked to. */
static void replace(struct parent *p, const struct child *c, int status)
{
	int64_t now = now_ms();
	bool was_ready = c->ready_fd < 0;
	if (p->renews && !was_ready && find(p, c->place, true)) {
		stop_renewing(p);
		return;
	}
	if (p->waits)
		return;
	if (!was_ready && WIFEXITED(status) && WEXITSTATUS(status) == LOG_STATUS_CONFIG &&
		!count(p, serves)) {
		wait_for_settings(p);
		return;
	}
	p->places[c->place].start_at =
		now + respawn_pause_ms(&p->places[c->place].respawn, now - c->started_ms);
}

static void bury_stand_in(struct parent *p, int status)
{
	log_end(&p->stand_in, status);
	close(p->stand_in.ready_fd);
	p->stand_in.pid = 0;
}

static void bury(struct parent *p)
{
	int status;
	pid_t pid;
	while ((pid = waitpid(-1, &status, WNOHANG)) > 0) {
		if (pid == p->stand_in.pid)
			bury_stand_in(p, status);
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
}

static void renew(struct parent *p)
{
	if (!read_settings(p, false)) {
		log_error("the workers were not replaced: the old ones keep running");
		return;
	}
	char text[80];
	if (p->waits) {
		stop_waiting(p);
		return;
	}
	notify_send(str_print(
		text, sizeof text, "RELOADING=1\nMONOTONIC_USEC=%lld", (long long)now_ms() * 1000)
			.p);
	p->generation++;
	p->renews = true;
	/* A worker of an unfinished renewal is not ready yet: the oldest in its slot stays. */
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
	/* Otherwise it has ended, and SIGCHLD arrives as well. */
	if (!is_ready)
		return;
	close(c->ready_fd);
	c->ready_fd = -1;
	/* When stopping, nobody would ask a worker started now to exit. */
	if (p->was_ready || p->stops)
		return;
	p->was_ready = true;
	end_stand_in(p);
	start_missing(p);
	notify_send("READY=1");
}

static int64_t next_start(const struct parent *p)
{
	int64_t next = INT64_MAX;
	if (p->waits)
		return p->look_at;
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
	const int n = p->n; /* take_ready() may start more */
	fds[0] = (struct pollfd){ .fd = p->signals, .events = POLLIN };
	for (int i = 0; i < n; i++)
		fds[i + 1] = (struct pollfd){ .fd = p->children[i].ready_fd, .events = POLLIN };
	if (p->watchdog_ms && p->watchdog_at < next)
		next = p->watchdog_at;
	int64_t ms = next == INT64_MAX ? -1 : next > now ? next - now : 0;
	if (poll(fds, (nfds_t)n + 1, (int)ms) < 0 && errno != EINTR)
		log_die("poll: %m");
	for (int i = 0; i < n; i++)
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

int parent_run(const struct parent_options *options, const char *argv0)
{
	static struct parent p;
	p.options = options;
	bool is_right = read_settings(&p, false);
	parent_start_find_program(argv0, p.program, sizeof p.program);
	p.path = parent_start_take_socket(options->socket, &p.is_kept);
	if (!is_right && !p.is_kept)
		return p.settings.may_pass ? EXIT_FAILURE : LOG_STATUS_CONFIG;
	p.signals = parent_start_take_signals();
	prctl(PR_SET_NAME, "planwright");
	p.watchdog_ms = notify_watchdog_ms();
	if (is_right)
		log_info("planwright %s: %d workers", PACKAGE_VERSION, p.wanted);
	else
		wait_for_settings(&p);
	while (!p.stops || p.n > 0 || p.stand_in.pid) {
		tell_watchdog(&p);
		look_at_settings(&p);
		if (!p.stops && p.waits) {
			start_stand_in(&p);
		} else if (!p.stops) {
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
