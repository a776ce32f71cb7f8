/* Listening sockets: Unix and TCP. */
#ifndef LISTEN_H
#define LISTEN_H

#include <stdbool.h>
#include <stddef.h>

/*
 * A listening socket at `where`: the path of a Unix socket, which has a slash in it, or
 * host:port, also [::1]:9000. A Unix socket is for its user and group (0660); one that
 * nobody listens on is replaced. -1: problem (size bytes) has one line.
 */
int listen_open(const char *where, char *problem, size_t size);

/* Whether `where` names a file, which is removed when nobody listens any longer. */
bool listen_is_path(const char *where);

#endif
