/*
 * Presence: who is looking at which story of a project, and who is typing in it, as clients report. Pure: the caller
 * passes the time.
 *
 * Clients repeat their report while it lasts; a person whose client has not done so for LIVE_PRESENCE_SECONDS is gone.
 * Others get only changes, and at most one a second for a person and a story, however often that person's client
 * reports. There are limits per person and per project; reports beyond them are ignored.
 */
#ifndef LIVE_PRESENCE_H
#define LIVE_PRESENCE_H

#include <stddef.h>

#include "service/hint.h"

enum {
	LIVE_PRESENCE_SECONDS = 45,
	LIVE_PRESENCES_OF_PERSON =
		16,               /* in one project, with those who left within the seconds above */
	LIVE_PRESENCES_MAX = 200, /* the same for a project */
};

struct live_presence {
	int64_t person, story;
	enum hint_presence is;
	bool waits;     /* what it is now is not told yet */
	int64_t turn;   /* of all, when it was told last */
	int64_t told_s; /* the time then */
	int64_t ends_s; /* gone: it is forgotten then, as everybody has heard */
};

struct live_presences {
	struct live_presence *v; /* in no order */
	size_t n, cap;
	int64_t turn; /* rises with each that is told */
};

/* Somebody says so. True: it is to be told now. */
bool live_presence_take(struct live_presences *all, const struct hint *h, int64_t now_s);

/* Once a second. True: some are to be told now. */
bool live_presence_beat(struct live_presences *all, int64_t now_s);

/*
 * The next one, from `at` (first 0) on, that a stream of this person does not know, which was told all up to a turn
 * (-1: nothing yet). Null: there is none. Nobody hears of themselves, nor at first of those who have left.
 */
const struct live_presence *live_presence_next(
	const struct live_presences *all, size_t *at, int64_t person, int64_t turn);

void live_presence_free(struct live_presences *all);

#endif
