/*
 * Reads that a standby answers (setting database_reads). The leader still answers the gate: who
 * calls, whether they may, and which version the project has. The rows come from a standby, which
 * is queried at the same time, and first for its own copy of the gate: if that is older, the whole
 * read is repeated on the leader. So nobody sees an older version than the leader has, and people
 * see their own changes in the next answer.
 *
 * This is possible where the version of a project covers whatever is read (struct resource,
 * is_versioned). Lists of members, feeds, exports and history stay on the leader.
 */
#ifndef STANDBY_H
#define STANDBY_H

#include "http/req.h"

enum { STANDBY_PLACES = 64 };

struct standby {
	struct db *db; /* null: there is none */
	/* Projects that it was behind with, each in a place of its own, and until when they stay
	   on the leader: µs of when_now. */
	struct {
		int64_t project, until;
	} behind[STANDBY_PLACES];
};

/* How a read was answered, for the counters of operators. */
enum standby_use {
	STANDBY_UNUSED,
	STANDBY_USED,
	STANDBY_BEHIND, /* asked twice, as the standby was behind */
	STANDBY_FAILED, /* asked twice, as it did not answer, or failed */
};

/* Without the setting, nothing is opened, and everything is read on the leader. */
void standby_open(struct standby *s, const struct conf *conf, const struct db *leader);

/* Runs the act of the request's route, on r->standby if possible; sets r->standby_use. */
enum rc standby_act(struct req *r) MUST_CHECK;

/* Ends the request there: before guard_end, and again the leader's after it. */
void standby_end(struct req *r);
void standby_let_go(struct req *r);

/*
 * Between the two answers to the gate's question: whether the standby, whose row is the second one,
 * has what the leader has. False: r->is_behind, and the read ends with RC_UNAVAILABLE.
 */
bool standby_fits(struct req *r, const struct rows *leader, const struct rows *standby);

/* How long it is waited for the first result of a standby. */
enum { STANDBY_PATIENCE_MS = 250 };

#endif
