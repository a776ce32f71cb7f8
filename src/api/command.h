/*
 * Write endpoints: a command runs from the request to the answer in two waves: one brings who
 * calls, the project under its lock and what the rule needs, the rule decides, the other saves and
 * commits. What a route's row names: `load` asks for what the rule needs beyond the project and
 * the things of the path, `decide` is the rule.
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
	struct objects target; /* what the path's last id names, by the row's `find` */
	struct outcome out;
	bool again;             /* it came second: others made meanwhile what there can be once */
	int64_t into;           /* the project that the wish moves the story to; NIL: it stays */
	bool barred;            /* from that one */
	struct db_param listed; /* R_LIST: the first parameter of the row's `read` */
};

/* The act of routes whose rows have `decide`. */
enum rc command_run(struct req *r) MUST_CHECK;

/* What the answer says of a rule's refusal; returns rc. */
enum rc command_refuse(struct req *r, const struct outcome *out, enum rc rc);

/* Helps for `load`. */
const void *command_wish(const struct command *c); /* the wish's object */

#endif
