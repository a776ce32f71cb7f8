/*
 * Write endpoints: a command runs from the request to the answer in two waves. The first loads
 * the caller, the locked project and what the rule needs; then the rule decides; the second saves
 * and commits. A route's row names two functions: `load` queues what the rule needs beyond the
 * project and the objects of the path, and `decide` is the rule.
 */
#ifndef COMMAND_H
#define COMMAND_H

#include "domain/outcome.h"
#include "http/req.h"
#include "store/load.h"

struct command {
	struct req *r;
	struct load load;
	struct scene scene;
	struct wish *wish;     /* of POST and PUT */
	struct objects target; /* the object of the path's last id, found by the row's `find` */
	struct outcome out;
	bool again;             /* lost a race: somebody else made the unique object meanwhile */
	int64_t into;           /* the project that the wish moves the story to; NIL: it stays */
	bool barred;            /* from that one */
	struct db_param listed; /* R_LIST: the first parameter of the row's `read` */
};

/* The `act` of routes that have a `decide`. */
enum rc command_run(struct req *r) MUST_CHECK;

/* Puts a rule's refusal into the answer; returns rc. */
enum rc command_refuse(struct req *r, const struct outcome *out, enum rc rc);

/* Helps for `load`. */
const void *command_wish(const struct command *c); /* the wish's object */

#endif
