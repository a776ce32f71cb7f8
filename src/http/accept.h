/*
 * FastCGI connections of a worker: the listening socket on file descriptor 0, which
 * it shares with the other workers, and those that the web server keeps open. One
 * epoll set holds them all; one request is served at a time.
 *
 * The web server does not know which kept connection is whose, and sends a request
 * to a worker that is busy while others have nothing to do. So connections move:
 * they go back into the queue of the listening socket (lib/pass.h), where the next
 * worker that has time finds them as if they were new. A worker gives back
 *   - all but the one in hand, when that takes longer than ACCEPT_PATIENCE_MS;
 *   - one, when more requests wait for it than for another by two. Each worker shows
 *     how many do by a lock on the listening socket, whose owner need not be known;
 *   - all, when it is asked to end. It closes none that the web server may use, and
 *     nothing is lost as long as somebody holds the listening socket.
 * What the web server wants closed after each request is closed.
 *
 * Where nothing can be passed (no Unix socket, or its path is gone), a worker that
 * is asked to end answers what still comes, says with each answer that it is the
 * last, and waits ACCEPT_END_MS at most for the web server to close what is idle.
 */
#ifndef ACCEPT_H
#define ACCEPT_H

#include <stdbool.h>
#include <stdint.h>

#include <fcgiapp.h>
#include <sys/epoll.h>

#include "lib/pass.h"

enum {
	ACCEPT_KEPT_MAX = 64, /* kept connections; more are closed after their answer */
	ACCEPT_PLACES = 512,  /* with what others have given back */
	ACCEPT_PATIENCE_MS = 10,
	ACCEPT_READ_SECONDS = 5, /* for each piece of a request that has begun */
	ACCEPT_END_MS = 12000,   /* longer than nginx keeps what is idle (keepalive_timeout) */
};

struct accept {
	int epoll, signals;
	struct pass pass;
	int fds[ACCEPT_PLACES]; /* kept, or new and silent; without the one in hand */
	int n;
	struct epoll_event events[ACCEPT_PLACES]; /* what the last look found … */
	int next, n_events;                       /* … and how much of it is done */
	bool queued;                              /* the listening socket's queue has something */
	bool in_hand_is_known;                    /* the epoll set holds the one in hand */
	int shown;                                /* how busy the others see us; -1: very */
	int64_t looked_at, queue_until;           /* monotonic ms, as are all times here */
	int64_t began_at;                         /* the request in hand */
	bool stopping;
	int64_t stop_at;
};

/*
 * Takes over SIGTERM, SIGINT and SIGUSR1, which stay blocked: inside a read a
 * signal would cut a body, as if it ended there. Ends the program if file
 * descriptor 0 is no listening socket.
 */
void accept_start(struct accept *a);

/*
 * Waits for a request and reads its parameters into f, which is zero the first time.
 * The one before it has been answered by http_send, which left its connection in f or
 * closed it. False: the worker shall end.
 */
bool accept_next(struct accept *a, FCGX_Request *f);

/*
 * For db_while_waiting: milliseconds until the patience with the request in hand
 * ends; when it has ended, gives the other connections back, and is -1.
 */
int accept_patience(void *a);

/* The connection in hand is another process's now, which has a copy of it: ours goes. */
void accept_let_go(struct accept *a, FCGX_Request *f);

/* Gives back all connections but the one in hand: what follows takes long. */
void accept_give_back(struct accept *a);

#endif
