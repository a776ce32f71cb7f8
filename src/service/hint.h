/*
 * Change hints for planwright-live(8), sent after a commit: which projects have a new version,
 * whose notifications changed, or that somebody may have lost a right. One datagram per commit, to
 * a local socket. Nobody waits for it, and it is lost if nobody listens or the queue is full:
 * planwright-live queries the database once a second for whatever it missed.
 *
 * Presence (who is looking at a story) travels the same way, without a commit: it is not in the
 * database, and the next report makes up for a lost datagram (live_presence.h).
 */
#ifndef HINT_H
#define HINT_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/un.h>

#include "lib/str.h"

enum hint_kind {
	HINT_PROJECT,  /* it has this version now */
	HINT_PERSON,   /* they have other notifications, or read some */
	HINT_LOOK,     /* a right may have ended, or there is too much to say: ask the database */
	HINT_PRESENCE, /* a person looks at a story of the project, types in it, or has left it */
};

/* What somebody does at a story, and its words: null ended. */
enum hint_presence { PRESENCE_GONE, PRESENCE_LOOKING, PRESENCE_TYPING };
extern const char *const hint_presences[];

struct hint {
	enum hint_kind kind;
	enum hint_presence presence; /* HINT_PRESENCE; otherwise 0, like story and person */
	int64_t id;                  /* of the project or the person; HINT_LOOK: 0 */
	int64_t version;             /* HINT_PROJECT; otherwise 0 */
	int64_t story, person;
};

enum { HINTS_MAX = 24, HINT_DATAGRAM_MAX = HINTS_MAX * 96 };

/* Those of one commit. */
struct hints {
	struct hint v[HINTS_MAX];
	int n;
};

/* Adds one. Of a project the highest version stays; those that are too many become a HINT_LOOK. */
void hint_add(struct hints *hints, enum hint_kind kind, int64_t id, int64_t version);

/*
 * As a datagram: lines "project ID VERSION", "person ID", "look" and "presence PROJECT STORY PERSON
 * WORD". Returns its length.
 */
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
