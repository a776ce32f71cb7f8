/*
 * What a process tells planwright-live(8) when it has committed: which projects have another version,
 * whose notifications changed, or that somebody may have lost a right. One datagram for a commit, to
 * a local socket. Nobody waits for it, and it is lost when nobody listens or the queue is full: live
 * asks the database once a second for whatever it was not told.
 */
#ifndef HINT_H
#define HINT_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/un.h>

#include "lib/str.h"

enum hint_kind {
	HINT_PROJECT, /* it has this version now */
	HINT_PERSON,  /* they have other notifications, or read some */
	HINT_LOOK,    /* a right may have ended, or there is too much to say: ask the database */
};

struct hint {
	enum hint_kind kind;
	int64_t id;      /* of the project or the person; HINT_LOOK: 0 */
	int64_t version; /* HINT_PROJECT; otherwise 0 */
};

enum { HINTS_MAX = 24, HINT_DATAGRAM_MAX = HINTS_MAX * 64 };

/* Those of one commit. */
struct hints {
	struct hint v[HINTS_MAX];
	int n;
};

/* Adds one. Of a project the highest version stays; those that are too many become a HINT_LOOK. */
void hint_add(struct hints *hints, enum hint_kind kind, int64_t id, int64_t version);

/* As a datagram: lines "project ID VERSION", "person ID" and "look". Returns its length. */
size_t hint_write(const struct hints *hints, char to[HINT_DATAGRAM_MAX]);

/* The reverse. False: it is none, and nothing of it counts. */
bool hint_read(struct str datagram, struct hints *hints);

/* Where they go: the path of a socket; a null or empty one: nowhere. */
struct hint_target {
	struct sockaddr_un address;
	bool is_on;
	int fd; /* made by the first hint_send; 0: not yet */
};
struct hint_target hint_target(const char *path);

/* Sends them, if there are any, and forgets them. */
void hint_send(struct hint_target *to, struct hints *hints);

/* Whether anybody listens there. */
bool hint_has_listener(const struct hint_target *to);

#endif
