#include "http/accept.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/signalfd.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

#include "http/http.h"
#include "lib/log.h"

enum { LISTENING = 0, QUEUE_MS = 20 };

static int64_t now_ms(void)
{
	struct timespec t;
	clock_gettime(CLOCK_MONOTONIC, &t);
	return (int64_t)t.tv_sec * 1000 + t.tv_nsec / 1000000;
}

/* Start -------------------------------------------------------------------- */

static bool watch(struct accept *a, int fd, uint32_t events)
{
	struct epoll_event e = { .events = events, .data.fd = fd };
	return epoll_ctl(a->epoll, EPOLL_CTL_ADD, fd, &e) == 0;
}

void accept_start(struct accept *a)
{
	int listens = 0, flags = fcntl(LISTENING, F_GETFL);
	socklen_t n = sizeof listens;
	sigset_t signals;
	*a = (struct accept){ .shown = -1, .stop_at = INT64_MAX };
	signal(SIGPIPE, SIG_IGN);
	sigemptyset(&signals);
	sigaddset(&signals, SIGTERM);
	sigaddset(&signals, SIGINT);
	sigaddset(&signals, SIGUSR1);
	sigprocmask(SIG_BLOCK, &signals, NULL);
	if (getsockopt(LISTENING, SOL_SOCKET, SO_ACCEPTCONN, &listens, &n) || !listens)
		log_die_config(
			"file descriptor 0 is not a listening socket: start this program with --workers, or from spawn-fcgi or a web server");
	if (FCGX_Init())
		log_die("libfcgi cannot be initialized");
	pass_find(&a->pass, LISTENING);
	a->epoll = epoll_create1(EPOLL_CLOEXEC);
	a->signals = signalfd(-1, &signals, SFD_NONBLOCK | SFD_CLOEXEC);
	/* Non-blocking, since another worker may be faster. */
	if (fcntl(LISTENING, F_SETFL, flags | O_NONBLOCK) || a->epoll < 0 || a->signals < 0 ||
		!watch(a, a->signals, EPOLLIN) || !watch(a, LISTENING, EPOLLIN | EPOLLEXCLUSIVE))
		log_die("the listening socket cannot be watched: %m");
}

/* The table ------------------------------------------------------------------ */

static bool forget(struct accept *a, int fd)
{
	for (int i = 0; i < a->n; i++)
		if (a->fds[i] == fd) {
			a->fds[i] = a->fds[--a->n];
			return true;
		}
	return false;
}

/* `known`: the epoll set already contains it. */
static void remember(struct accept *a, int fd, bool known)
{
	if (a->n == ACCEPT_PLACES || (!known && !watch(a, fd, EPOLLIN)))
		close(fd);
	else
		a->fds[a->n++] = fd;
}

static bool give(struct accept *a, int fd, bool known)
{
	if (!pass_give(&a->pass, fd))
		return false;
	/* The set refers to the connection, not to our descriptor of it. */
	if (known)
		epoll_ctl(a->epoll, EPOLL_CTL_DEL, fd, NULL);
	close(fd);
	return true;
}

/* How busy each worker is ----------------------------------------------------- */

/* A worker with n waiting requests holds a shared lock on all bytes from n on. */
static void show(struct accept *a, int n)
{
	struct flock lock = { .l_type = F_RDLCK, .l_start = n };
	if (n == a->shown)
		return;
	if (n < 0) {
		lock.l_type = F_UNLCK;
		lock.l_start = 0;
	} else if (a->shown >= 0 && n > a->shown) {
		lock.l_type = F_UNLCK;
		lock.l_start = a->shown;
		lock.l_len = n - a->shown;
	}
	fcntl(LISTENING, F_SETLK, &lock);
	a->shown = n;
}

/* Whether some other worker has at most n waiting requests. */
static bool has_others(int n)
{
	struct flock lock = { .l_type = F_WRLCK, .l_start = n, .l_len = 1 };
	return n >= 0 && fcntl(LISTENING, F_GETLK, &lock) == 0 && lock.l_type != F_UNLCK;
}

void accept_give_back(struct accept *a)
{
	show(a, -1);
	while (a->n > 0 && give(a, a->fds[a->n - 1], true))
		a->n--;
}

void accept_let_go(struct accept *a, FCGX_Request *f)
{
	/* The set keeps the connection as long as any process has it open. */
	if (a->in_hand_is_known)
		epoll_ctl(a->epoll, EPOLL_CTL_DEL, f->ipcFd, NULL);
	FCGX_Detach(f);
	FCGX_Free(f, true);
	f->keepConnection = HTTP_CLOSE;
	f->ipcFd = -1;
}

/*
 * Passes a waiting connection to a worker with fewer waiting; our current one does not count,
 * theirs does.
 */
static void share(struct accept *a)
{
	int waiting = a->n_events - a->next;
	if (waiting <= 0 || !has_others(waiting - 1 - waiting / 4))
		return;
	int fd = a->events[a->n_events - 1].data.fd;
	if (!forget(a, fd))
		return;
	if (give(a, fd, true))
		a->n_events--;
	else
		remember(a, fd, true);
}

int accept_patience(void *arg)
{
	struct accept *a = arg;
	int64_t left = a->began_at + ACCEPT_PATIENCE_MS - now_ms();
	if (left > 0) {
		share(a);
		return (int)left;
	}
	accept_give_back(a);
	return -1;
}

/* Requests ------------------------------------------------------------------- */

/* Reads a request that has begun to arrive. On failure its connection is closed. */
static bool read_request(struct accept *a, FCGX_Request *f, int fd)
{
	const struct timeval patience = { .tv_sec = ACCEPT_READ_SECONDS };
	setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
	a->began_at = now_ms();
	f->ipcFd = fd;
	/* Otherwise libfcgi closes it before it begins. */
	f->keepConnection = HTTP_KEEP;
	/*
	 * libfcgi closes broken connections without waiting for the other side, and cannot
	 * accept.
	 */
	FCGX_Detach(f);
	f->listen_sock = -1;
	if (FCGX_Accept_r(f) < 0)
		return false;
	FCGX_Attach(f);
	if (f->keepConnection && (a->n >= ACCEPT_KEPT_MAX || a->stopping))
		f->keepConnection = HTTP_LAST;
	return true;
}

/*
 * Checks a connection that may be readable and is not in the table. True: it has a request, which
 * is in f.
 */
static bool look(struct accept *a, FCGX_Request *f, int fd, bool known)
{
	char first;
	ssize_t n = recv(fd, &first, 1, MSG_PEEK | MSG_DONTWAIT);
	if (n < 0 && errno == EAGAIN) {
		remember(a, fd, known);
		return false;
	}
	if (n == 1 && first != PASS_MARK) {
		a->in_hand_is_known = known;
		return read_request(a, f, fd);
	}
	int passed = n == 1 ? pass_take(fd) : -1;
	close(fd);
	return passed >= 0 && look(a, f, passed, false);
}

/* Takes connections from the queue until one has a request, or none is left. */
static bool take_queued(struct accept *a, FCGX_Request *f)
{
	for (;;) {
		int fd = accept4(LISTENING, NULL, NULL, SOCK_CLOEXEC);
		if (fd >= 0 && look(a, f, fd, false))
			return true;
		if (fd >= 0 || errno == ECONNABORTED || errno == EINTR)
			continue;
		if (errno != EAGAIN) {
			log_error("cannot accept a connection: %m");
			a->stopping = true;
		}
		a->queued = false;
		return false;
	}
}

/* Ending --------------------------------------------------------------------- */

static void take_signal(struct accept *a)
{
	struct signalfd_siginfo info;
	if (read(a->signals, &info, sizeof info) != sizeof info)
		return;
	/* A second signal ends the wait. */
	if (a->stopping)
		a->stop_at = 0;
	a->stopping = true;
}

static void leave(struct accept *a)
{
	int fd = accept4(LISTENING, NULL, NULL, SOCK_CLOEXEC);
	epoll_ctl(a->epoll, EPOLL_CTL_DEL, LISTENING, NULL);
	/*
	 * We may be the only one woken for the queue: putting a connection back wakes another
	 * worker.
	 */
	if (fd >= 0 && !give(a, fd, false))
		remember(a, fd, false);
	accept_give_back(a);
	a->queued = false;
	a->stop_at = now_ms() + ACCEPT_END_MS;
}

static bool has_ended(struct accept *a)
{
	if (a->stop_at == INT64_MAX)
		leave(a);
	return a->n == 0 || now_ms() >= a->stop_at;
}

/* The loop ------------------------------------------------------------------- */

/* Takes back the connection of the last request if http_send has kept it. */
static void settle(struct accept *a, FCGX_Request *f)
{
	int fd = f->ipcFd;
	if (!f->keepConnection || fd < 0)
		return;
	f->ipcFd = -1;
	remember(a, fd, a->in_hand_is_known);
}

/* Waits until something is readable. */
static void wait_for_events(struct accept *a)
{
	int64_t left = a->stopping ? a->stop_at - now_ms() : -1;
	show(a, a->stopping ? -1 : 0);
	a->next = 0;
	a->queued = false;
	a->queue_until = 0;
	a->n_events = epoll_wait(
		a->epoll, a->events, ACCEPT_PLACES, a->stopping && left < 0 ? 0 : (int)left);
	if (a->n_events < 0) {
		if (errno != EINTR)
			log_die("epoll_wait: %m");
		a->n_events = 0;
	}
	a->looked_at = now_ms();
	if (!a->stopping)
		show(a, a->n_events);
}

/*
 * Serves the queue after the connections found waiting here, until it is empty, but not for
 * longer than those took: more may be waiting here meanwhile.
 */
static bool has_time_for_queue(struct accept *a)
{
	int64_t now = now_ms();
	if (a->queue_until == 0) {
		int64_t took = now - a->looked_at;
		a->queue_until = now + (took > QUEUE_MS ? took : QUEUE_MS);
	}
	return now < a->queue_until;
}

bool accept_next(struct accept *a, FCGX_Request *f)
{
	settle(a, f);
	for (;;) {
		if (a->stopping && has_ended(a))
			return false;
		if (a->next < a->n_events) {
			int fd = a->events[a->next++].data.fd;
			if (fd == a->signals)
				take_signal(a);
			else if (fd == LISTENING)
				a->queued = true;
			else if (forget(a, fd) && look(a, f, fd, true))
				return true;
		} else if (a->queued && has_time_for_queue(a)) {
			if (take_queued(a, f))
				return true;
		} else {
			wait_for_events(a);
		}
	}
}
