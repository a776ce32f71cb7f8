/*
 * planwright-live(8): one thread that keeps the streams of all clients of a host. What each file does:
 *
 *	live_request   reads the heads of requests
 *	live_stream    the streams: opens, writes, closes them
 *	live_watch     what they listen to: projects and callers, and which streams listen to each
 *	live_presence  who is looking at a story
 *	live_poll      queries the database for changes of all these, once or at most twice a second
 *	live_secret    the secret that tickets are signed with, which may be replaced
 *	live_main      sockets, datagrams, the loop
 *
 * An event is a hint: a client that misses one is no worse off than one that polls. So a stream that
 * cannot take an event misses it, and gets the current numbers as soon as it can take them.
 */
#ifndef LIVE_H
#define LIVE_H

#include <stdint.h>
#include <sys/types.h>

#include "db/db_watch.h"
#include "programs/live/live_presence.h"
#include "service/ticket.h"

enum {
	LIVE_BEAT_SECONDS = 20, /* from one sign of life to the next */
	LIVE_READ_SECONDS = 5,  /* for the head of a request */
	LIVE_BUCKETS = 4096,
};

/* Things by a number: the first member of each is this. */
struct live_node {
	struct live_node *next;
	uint64_t key;
};

struct live_table {
	struct live_node *buckets[LIVE_BUCKETS];
};

/* A person, or a network, with the number of its streams. */
struct live_holder {
	struct live_node node;
	int n;
	bool is_doubted; /* may have other notifications than those that were counted */
};

struct live_project {
	struct live_node node;
	int64_t id, version;
	struct live_link *first;
	struct live_presences present;
};

/* Somebody by what they have shown: their streams hear of the same notifications. */
struct live_caller {
	struct live_node node;
	int64_t person;
	enum ticket_by by;
	uint64_t credential;
	int64_t unread;
	int64_t stamp; /* of the notifications that were counted, as the database tells; 0: none were */
	int refs;      /* streams, and a question that is asked about it */
	struct live_stream *first;
};

/* A stream and a project of which it hears. */
struct live_link {
	struct live_stream *stream;
	struct live_project *project;
	struct live_link *before, *after; /* of the project */
	int64_t told;                     /* -1: nothing yet */
	bool hears_presence;
	int64_t told_turn; /* of those who are present; -1: nothing yet */
};

struct live_stream {
	int fd;          /* -1: it is closed, and goes with the end of the event */
	bool is_open;    /* its request was read */
	bool is_late;    /* it could not take the last sign of life */
	bool is_watched; /* for room to write: `rest` is left */
	int64_t doubted_ms; /* its ticket was not ours then, and waits in `rest`; 0: it was not doubted */
	int slot;           /* of live.beats */
	struct live_stream *before, *after; /* of the slot */
	struct live_stream *before_of_caller,
		*after_of_caller; /* of the caller; closed: the next one */
	struct live_caller *caller;
	struct live_holder *person, *network;
	struct live_link *links;
	size_t n_links;
	int64_t told_unread; /* -1: nothing yet */
	int64_t ends_s;      /* by the monotonic clock */
	struct buf rest;     /* not yet read, or not yet written */
};

struct live_secret {
	struct crypt crypt, former;
	int64_t former_ends_ms; /* then tickets of the former are no longer valid */
	bool is_right;          /* the database's, as far as we know */
	bool is_doubted;        /* the database must be asked … */
	bool is_asked;          /* … and is */
	int64_t asked_ms;
};

struct live {
	struct conf conf;
	struct live_secret secret;
	struct arena arena; /* of one event of the loop */
	struct db_watch *db;
	struct live_poll *look;
	int epoll, listener, hints;
	struct live_table projects, callers, people, networks;
	struct live_stream *beats[LIVE_BEAT_SECONDS];
	struct live_stream *closed;
	int64_t second; /* of the monotonic clock */
	int n_streams, most_streams;
	int64_t last_id; /* of an event: the time in milliseconds, or one more than the one before */
};

/* live_stream.c ---------------------------------------------------------------- */

/* Takes all connections that wait. */
void live_stream_accept(struct live *l);

/* Its descriptor is ready for these events of epoll(7). */
void live_stream_ready(struct live *l, struct live_stream *s, uint32_t events);

/* Tells it all that it was not told yet. */
void live_stream_tell(struct live *l, struct live_stream *s);

/*
 * Closes it; also one that is closed already. Its memory stays until live_stream_bury: events of the
 * same moment may still name it.
 */
void live_stream_close(struct live *l, struct live_stream *s);
void live_stream_bury(struct live *l);

/* A second has passed: signs of life, and the ends of those that do not take any. */
void live_stream_beat(struct live *l);

/* Reads the tickets again that were doubted before this moment. */
void live_stream_again(struct live *l, int64_t before_ms);

/* live_watch.c ------------------------------------------------------------------ */

/* One more of these; false: there are too many already. */
bool live_watch_claim(
	struct live_table *t, uint64_t key, int64_t most, struct live_holder **holder);
void live_watch_release(struct live_table *t, struct live_holder *holder);

/* The stream gets events of what its ticket names from now on; and no longer. */
void live_watch_join(struct live *l, struct live_stream *s, const struct ticket *t);
void live_watch_leave(struct live *l, struct live_stream *s);

/* Null: nobody hears of it. */
struct live_project *live_watch_project(struct live *l, int64_t id);

/* It has another version. */
void live_watch_raise(struct live *l, struct live_project *p, int64_t version);

/* Somebody is present at a story, or has left it. */
void live_watch_meet(struct live *l, const struct hint *h);

/* A second has passed: those who have not said again that they are present have left. */
void live_watch_beat(struct live *l);

/* The person may have other notifications: they are counted by the next look. */
void live_watch_doubt(struct live *l, int64_t person);

void live_watch_drop(struct live *l, struct live_caller *c); /* one reference */

/* Calls for each; `each` may close streams, and nothing else. */
void live_watch_each(struct live_table *t, void (*each)(void *arg, struct live_node *), void *arg);

/* live_poll.c --------------------------------------------------------------------- */

struct live_poll *live_poll_new(void);
void live_poll_free(struct live *l);

/* Asks if it is time to, and takes what was answered. */
void live_poll_step(struct live *l);

/* Not to wait for the second. */
void live_poll_soon(struct live *l);

/* Milliseconds until live_poll_step has something to do; -1: never. */
int live_poll_wait(const struct live *l);

/* live_secret.c ------------------------------------------------------------------- */

/* The settings, without what is none of its business. */
bool live_secret_load(struct conf *conf, char *problem, size_t size);

/* False: OpenSSL cannot derive the keys. */
bool live_secret_begin(struct live *l, struct str secret);

/* Reads a ticket of our secret, or of the one before it for some seconds. */
bool live_secret_read(struct live *l, struct str text, struct ticket *t);

/* Perhaps ours was replaced: the database is asked; then live_stream_again is called. */
void live_secret_doubt(struct live *l);

/* As live_poll_step and live_poll_wait. */
void live_secret_step(struct live *l);
int live_secret_wait(const struct live *l);

/* live_main.c ---------------------------------------------------------------------- */

/* Of the monotonic clock. */
int64_t live_clock_ms(void);

#endif
