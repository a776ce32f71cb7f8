/* planwright-live(8): the sockets and the loop. */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "lib/about.h"
#include "lib/listen.h"
#include "lib/log.h"
#include "lib/notify.h"
#include "lib/stop.h"
#include "programs/live/live.h"

enum {
	EVENTS = 256,
	FILES_BESIDE = 32,
	STATUS_OFF = 77, /* the unit counts this as success, and does not restart it */
};

int64_t live_clock_ms(void)
{
	struct timespec t;
	clock_gettime(CLOCK_MONOTONIC, &t);
	return (int64_t)t.tv_sec * 1000 + t.tv_nsec / 1000000;
}

/* Hints -------------------------------------------------------------------------- */

static void take_hint(struct live *l, const struct hint *h)
{
	struct live_project *p;
	switch (h->kind) {
	case HINT_PROJECT:
		/* Datagrams of two processes may not arrive in the order of their commits. */
		if ((p = live_watch_project(l, h->id)) && p->version < h->version)
			live_watch_raise(l, p, h->version);
		break;
	case HINT_PERSON: live_watch_doubt(l, h->id); break;
	case HINT_LOOK: live_poll_soon(l); break;
	case HINT_PRESENCE: live_watch_meet(l, h); break;
	}
}

static void take_hints(struct live *l)
{
	char datagram[HINT_DATAGRAM_MAX + 1];
	ssize_t n;
	while ((n = recv(l->hints, datagram, sizeof datagram, MSG_DONTWAIT)) >= 0) {
		struct hints hints;
		if (!hint_read((struct str){ datagram, (size_t)n }, &hints))
			log_warn("a datagram of %zd bytes is not a hint", n);
		for (int i = 0; i < hints.n; i++)
			take_hint(l, &hints.v[i]);
	}
}

/* Only one process may listen here: whoever gets the hints is the one to tell the clients. */
static int bind_hints(const char *path)
{
	const struct hint_target to = hint_target(path);
	struct stat st;
	int fd = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
	if (hint_has_listener(&to))
		log_die("another planwright-live is listening on %s: stop it first", path);
	if (!lstat(path, &st) && S_ISSOCK(st.st_mode))
		unlink(path);
	mode_t before = umask(0117);
	if (fd < 0 || bind(fd, (const struct sockaddr *)&to.address, sizeof to.address))
		log_die("cannot listen on %s: %m", path);
	umask(before);
	return fd;
}

/* The loop ---------------------------------------------------------------------------- */

/* The event tags of the descriptors that are not streams. */
static char of_listener, of_hints, of_database;

static void watch(struct live *l, int how, int fd, uint32_t events, void *what)
{
	struct epoll_event e = { .events = events, .data.ptr = what };
	/* The database's descriptor changes at times, perhaps to one with the same number. */
	if (epoll_ctl(l->epoll, how, fd, &e) &&
		(errno != ENOENT || epoll_ctl(l->epoll, EPOLL_CTL_ADD, fd, &e)))
		log_die("epoll: %m");
}

/* poll(2) and epoll(7) have the same numbers for these. */
static void watch_database(struct live *l)
{
	int fd = db_watch_fd(l->db);
	if (fd >= 0)
		watch(l, EPOLL_CTL_MOD, fd, (uint32_t)db_watch_events(l->db), &of_database);
}

static void act(struct live *l, const struct epoll_event *e)
{
	if (e->data.ptr == &of_listener)
		live_stream_accept(l);
	else if (e->data.ptr == &of_hints)
		take_hints(l);
	else if (e->data.ptr == &of_database)
		db_watch_step(l->db, true);
	else
		live_stream_ready(l, e->data.ptr, e->events);
}

static void tick(struct live *l)
{
	int64_t second = live_clock_ms() / 1000;
	if (l->n_streams)
		db_watch_step(l->db, false);
	bool is_next = l->second < second;
	for (; l->second < second; l->second++)
		live_stream_beat(l);
	if (is_next)
		live_watch_beat(l);
}

static int patience(const struct live *l)
{
	int wait = (int)(1000 - live_clock_ms() % 1000);
	const int others[] = { live_poll_wait(l), live_secret_wait(l) };
	for (int i = 0; i < 2; i++)
		if (others[i] >= 0 && others[i] < wait)
			wait = others[i];
	return wait;
}

static void run(struct live *l)
{
	char state[64];
	struct epoll_event events[EVENTS];
	int64_t watchdog = notify_watchdog_ms(), told = 0;
	while (!stop_asked()) {
		watch_database(l);
		int n = epoll_wait(l->epoll, events, EVENTS, patience(l));
		for (int i = 0; i < n; i++)
			act(l, &events[i]);
		tick(l);
		live_poll_step(l);
		live_secret_step(l);
		live_stream_bury(l);
		arena_reset(&l->arena);
		if (watchdog && live_clock_ms() >= told + watchdog) {
			told = live_clock_ms();
			notify_send(str_print(
				state, sizeof state, "WATCHDOG=1\nSTATUS=%d streams", l->n_streams)
					.p);
		}
	}
}

/* Start ---------------------------------------------------------------------------------- */

static void load(struct live *l)
{
	char problem[512];
	if (!live_secret_load(&l->conf, problem, sizeof problem))
		conf_die(problem);
	if (!conf_live(&l->conf)) {
		log_info("the setting live is off: there is nothing to do");
		notify_send("READY=1");
		exit(STATUS_OFF);
	}
	if (!live_secret_begin(l, str_of(l->conf.secret)))
		log_die("OpenSSL cannot derive the keys");
}

/* Raises the limit of open files as far as it may, and returns how many streams that allows. */
static int most_streams(void)
{
	struct rlimit limit;
	if (getrlimit(RLIMIT_NOFILE, &limit))
		log_die("cannot read the limit of open files: %m");
	limit.rlim_cur = limit.rlim_max;
	(void)!setrlimit(RLIMIT_NOFILE, &limit);
	getrlimit(RLIMIT_NOFILE, &limit);
	return limit.rlim_cur > 1 << 20 ? 1 << 20 : (int)limit.rlim_cur - FILES_BESIDE;
}

static int listen_to(const char *where)
{
	char problem[512];
	int fd = notify_listening();
	if (fd < 0 && where)
		fd = listen_open(where, problem, sizeof problem);
	else if (fd < 0)
		log_die_config("there is no socket: start it through its unit, or with --socket "
			       "PATH");
	if (fd < 0)
		log_die("%s", problem);
	return fd;
}

static void start(struct live *l, const char *where)
{
	load(l);
	l->most_streams = most_streams();
	l->second = live_clock_ms() / 1000;
	l->look = live_poll_new();
	l->db = db_watch_new(&l->conf);
	l->epoll = epoll_create1(EPOLL_CLOEXEC);
	l->listener = listen_to(where);
	l->hints = bind_hints(conf_live(&l->conf));
	if (fcntl(l->listener, F_SETFL, fcntl(l->listener, F_GETFL) | O_NONBLOCK))
		log_die("the socket cannot be used: %m");
	watch(l, EPOLL_CTL_ADD, l->listener, EPOLLIN, &of_listener);
	watch(l, EPOLL_CTL_ADD, l->hints, EPOLLIN, &of_hints);
	srandom((unsigned)(live_clock_ms() ^ getpid()));
	notify_send("READY=1");
}

static const char usage[] =
	"planwright-live [--socket PATH]\n"
	"    Stream live updates to clients, on the socket that systemd passes, or on PATH, until a\n"
	"    signal ends it: planwright-live(8).\n"
	"planwright-live --help\n"
	"planwright-live --version";

int main(int argc, char **argv)
{
	static struct live l;
	const char *where = NULL;
	about_answer(argc, argv, "planwright-live", usage);
	if (argc == 3 && !strcmp(argv[1], "--socket"))
		where = argv[2];
	else if (argc > 1)
		log_die_config("unknown argument %s: see planwright-live --help", argv[1]);
	stop_prepare();
	start(&l, where);
	run(&l);
	/* Connections end with the process; clients reconnect. */
	live_poll_free(&l);
	db_watch_free(l.db);
	arena_free(&l.arena);
	conf_free(&l.conf);
	return EXIT_SUCCESS;
}
