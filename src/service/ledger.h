/*
 * Fair use: how many workers and processes each person occupies on this host, whatever token,
 * cookie or password is used; requests without a person are counted by address. The processes
 * share a small file in memory. Each has one row in it, and a kernel lock says whose row it is: a
 * killed process leaves neither a row nor a lock.
 *
 *	slow requests   at most half of the workers that run, and at least one
 *	quick ones      as many as there are workers; but the time that they take of workers beyond
 *	                that half is drawn from a credit while somebody else is here, too
 *	exports, files,
 *	sign-ins        a process each, outside the workers: so many of one person, so many in all
 *
 * People are numbers other than 0 here.
 */
#ifndef LEDGER_H
#define LEDGER_H

#include <stdbool.h>
#include <stdint.h>

enum {
	LEDGER_TOLD_MS = 5000,
	/*
	 * For each worker beyond the half, refilled in LEDGER_REFILL_MS. With half of this, a
	 * board that was loading on a busy machine, some fifteen requests at once, was refused.
	 */
	LEDGER_CREDIT_MS = 1000,
	LEDGER_REFILL_MS = 10000,
	LEDGER_ALONE_MS = 1000, /* nobody else was active for this long: nothing is drawn */
};

/* What a process does, which is what its row counts for. */
enum ledger_part { LEDGER_WORKER, LEDGER_EXPORT, LEDGER_PICTURE, LEDGER_SIGN_IN };

struct ledger_file;

struct ledger {
	char name[64];
	int fd;                   /* has the locks */
	struct ledger_file *file; /* null: there is none, and nobody is refused */
	int mine;                 /* number of this process's row */
};

/*
 * Takes a row in the shared memory of that name ("/planwright-…"), which is created if missing. A
 * failure is logged; the functions below then do nothing.
 */
void ledger_open(struct ledger *l, const char *name, enum ledger_part part);

/* Leaves; the last one takes the file along. */
void ledger_close(struct ledger *l);

/* Workers ------------------------------------------------------------------------- */

/*
 * A request of theirs begins. False: it would be beyond the half of the workers, and their credit
 * is used up.
 */
bool ledger_begin(struct ledger *l, uint64_t who);

/* The request turned out to be somebody else's all along. */
void ledger_move(struct ledger *l, uint64_t who);

/* It is a slow one. False: as many workers as may be are busy with slow ones for them. */
bool ledger_claim_slow(struct ledger *l);

/*
 * Whether they were refused within the last LEDGER_TOLD_MS, and there is still no free slot: a
 * client that keeps sending does not get a second each time, or others would wait behind all its
 * requests.
 */
bool ledger_was_told(struct ledger *l);

/* It ends; also one that has not begun. */
void ledger_end(struct ledger *l);

/* The person of a credential, by a number derived from it with a secret; 0: not known yet. */
uint64_t ledger_find(const struct ledger *l, uint64_t credential);

/* Remembers that for later requests; 0: it is nobody's now. */
void ledger_learn(struct ledger *l, uint64_t credential, uint64_t who);

/* Processes outside them ----------------------------------------------------------- */

/* Whether one is free for `who`: somebody looks before they make a process for it. */
bool ledger_has_place(
	const struct ledger *l, enum ledger_part part, uint64_t who, int own, int most);

/* Takes a place for `who`, when they have fewer than `own` of this part and all fewer than `most`. */
bool ledger_claim(struct ledger *l, uint64_t who, int own, int most);

/* Places are served in the order of their claims: whether all before this one had their turn. */
bool ledger_is_next(const struct ledger *l);

/* This one has it now. */
void ledger_note_turn(struct ledger *l);

/* Whether anybody of that part waits for a turn. */
bool ledger_has_waiting(const struct ledger *l, enum ledger_part part);

/* Gives the place back. */
void ledger_release(struct ledger *l);

#endif
