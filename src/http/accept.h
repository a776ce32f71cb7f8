/*
 * FastCGI connections of a worker: the listening socket on file descriptor 0, shared with the
 * other workers, and the connections that the web server keeps open. One epoll set holds them
 * all; one request is served at a time.
 *
 * The web server does not know which worker has a kept connection, and may send a request to a
 * busy worker while others are idle. So connections move: they go back into the queue of the
 * listening socket (lib/pass.h), where the next free worker finds them as if they were new. A
 * worker gives back
 *   - all but the current one, when that takes longer than ACCEPT_PATIENCE_MS;
 *   - one, when at least two more requests wait for it than for another worker. Each worker shows
 *     how many are waiting by a lock on the listening socket, whose owner need not be known;
 *   - all, when it is asked to end. It never closes a connection that the web server may be
 *     using, and nothing is lost as long as some process holds the listening socket.
 * Connections that the web server wants closed after each request are closed.
 *
 * If connections cannot be passed (not a Unix socket, or its path is gone), a worker that is
 * asked to end answers requests that still arrive, says with each answer that it is the last one,
 * and waits at most ACCEPT_END_MS for the web server to close idle connections.
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
	ACCEPT_END_MS = 12000,   /* longer than nginx keeps idle connections (keepalive_timeout) */
};

struct accept {
	int epoll, signals;
	struct pass pass;
	int fds[ACCEPT_PLACES]; /* kept, or new and silent; without the current one */
	int n;
	struct epoll_event events[ACCEPT_PLACES]; /* what the last epoll_wait found … */
	int next, n_events;                       /* … and how much of it is handled */
	bool queued;                              /* the listening socket's queue has something */
	bool in_hand_is_known;                    /* the epoll set holds the current connection */
	int shown;                                /* how busy the others see us; -1: very */
	int64_t looked_at, queue_until;           /* monotonic ms, as are all times here */
	int64_t began_at;                         /* the current request */
	bool stopping;
	int64_t stop_at;
};

/*
 * Takes over SIGTERM, SIGINT and SIGUSR1, which stay blocked: during a read, a signal would
 * truncate a body. Ends the program if file descriptor 0 is not a listening socket.
 */
void accept_start(struct accept *a);

/*
 * Waits for a request and reads its parameters into f, which is zeroed the first time. http_send
 * has answered the previous request and left its connection in f or closed it. False: the worker
 * must end.
 */
bool accept_next(struct accept *a, FCGX_Request *f);

/*
 * For db_while_waiting: milliseconds until the patience with the current request ends; once it
 * has ended, gives the other connections back and returns -1.
 */
int accept_patience(void *a);

/* Another process has taken over the current connection with a copy: closes ours. */
void accept_let_go(struct accept *a, FCGX_Request *f);

/* Gives back all connections except the current one, because what follows takes long. */
void accept_give_back(struct accept *a);

#endif
