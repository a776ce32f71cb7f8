/*
 * Tickets for live updates, with which a worker hands a client over to planwright-live(8): who it
 * is, what it may listen to and the current versions, in a text that fits into a path. A ticket is
 * signed with a key derived from the setting `secret`, and valid for some seconds: whether the
 * rights last is then checked in the database.
 */
#ifndef TICKET_H
#define TICKET_H

#include "service/crypt.h"

enum { TICKET_PLACES_MAX = 100, TICKET_TEXT_MAX = 6000, TICKET_MS = 20000 };

/* What a client has shown. */
enum ticket_by {
	TICKET_BY_SESSION = 's', /* a cookie: the id of the session */
	TICKET_BY_TOKEN = 't',   /* a named token: its id */
	TICKET_BY_API_TOKEN =
		'a', /* the one of GET /me: the first bytes of its digest, as a number */
};

struct ticket_place {
	int64_t project, version;
	bool hears_presence; /* a member of it, who wants to know who looks at its stories */
};

struct ticket {
	int64_t person;
	enum ticket_by by;
	uint64_t credential;
	uint64_t network; /* of the client, as a number: where streams are counted */
	int64_t unread;   /* notifications */
	int64_t end_ms;   /* since 1970 */
	struct ticket_place *places;
	size_t n_places;
};

struct str ticket_write(const struct crypt *crypt, struct arena *a, const struct ticket *t);

/*
 * Reads one into the arena. False: it is none, was not signed with this secret, or its end is
 * before now_ms.
 */
bool ticket_read(const struct crypt *crypt, struct arena *a, struct str text, int64_t now_ms,
	struct ticket *t);

/* The number of a client's network (address_network). */
uint64_t ticket_network(struct arena *a, struct str address);

#endif
