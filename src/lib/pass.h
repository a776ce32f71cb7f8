/*
 * Descriptor passing: gives an open connection to another process of the same service, through the
 * Unix socket on which all of them listen: it goes, as a descriptor (SCM_RIGHTS),
 * over a new connection to that socket. The process that accepts this one gets the other,
 * with all that was sent on it and not yet read. What nobody has accepted when the
 * listening socket is closed for good is closed.
 */
#ifndef PASS_H
#define PASS_H

#include <stdbool.h>
#include <sys/socket.h>
#include <sys/un.h>

/* The first byte on a connection that brings another. FastCGI's is its version, 1. */
enum { PASS_MARK = 'p' };

struct pass {
	struct sockaddr_un address;
	socklen_t length; /* 0: nothing can be passed */
};

/* The way to those who listen on a socket; none unless it is a Unix socket with a name. */
void pass_find(struct pass *p, int listening);

/*
 * True: fd is on its way, and the caller closes its descriptor. It waits for nobody:
 * false if nobody listens there any longer, or the queue is full.
 */
bool pass_give(const struct pass *p, int fd);

/*
 * Takes what a connection brings, which begins with the mark; -1: nothing, or not from a
 * process of this user. The caller closes `from`.
 */
int pass_take(int from);

#endif
