/*
 * Read endpoints: list and get for any resource, which a route row names as its `act`. Each is one
 * pipeline and one transaction: who calls (gate.h), and the rows. Writes: command.h.
 */
#ifndef CRUD_H
#define CRUD_H

#include "model/fetch.h"
#include "http/route.h"
#include "db/sql.h"

enum rc crud_list(struct req *r) MUST_CHECK;
/* Few things of the caller alone, without pages and conditions: the statement takes no parameters. */
enum rc crud_list_own(struct req *r) MUST_CHECK;

/*
 * Conditions given by the caller (list.h). The search runs only after the gate has let the caller
 * in, because its duration would reveal to others what exists. `ahead` queues statements that are
 * sent with the gate; `take` takes their results after it, and may also look at the conditions.
 */
struct crud_where {
	void (*ahead)(struct req *);
	enum rc (*take)(struct req *);
	void (*more)(struct req *, struct sql *);
};
/* The gate, and what comes before the conditions. */
enum rc crud_pass(struct req *r, const struct crud_where *where) MUST_CHECK;
/* Null: a list without conditions. */
enum rc crud_list_where(struct req *r, const struct crud_where *where) MUST_CHECK;
enum rc crud_get(struct req *r) MUST_CHECK;

/* Parts, for the actions that are more than these ------------------------ */

/* Writes the answer: one object (row 0), or a list. */
void crud_render_one(struct req *r, const struct fetched *f);
void crud_render_list(struct req *r, const struct fetched *f);

/*
 * The end of a read. crud_flush sends what is queued, together with the commit if nothing is
 * nested in the answer. crud_fetch takes the nested objects of the answer's rows and ends the
 * transaction (stmt: see fetch_wrap); crud_fetch_objects does it for an answer that the program
 * worked out.
 */
void crud_flush(struct req *r);
enum rc crud_fetch(struct req *r, enum stmt stmt, struct rows *rows, struct fetched **f) MUST_CHECK;
enum rc crud_fetch_objects(struct req *r, struct objects objects, struct fetched **f) MUST_CHECK;

/* Both for the rows of the route's `read`, and writes them; no row for one: no such thing. */
enum rc crud_answer_one(struct req *r) MUST_CHECK;
enum rc crud_answer_list(struct req *r) MUST_CHECK;

/*
 * Queues the read of one object with the statement `read` (its parameters: id, then parent), takes it with everything nested, ends
 * the transaction and renders.
 */
struct crud_read {
	struct rows *rows;
	struct fieldset attached; /* fields whose rows were queried together with the root */
	int waves; /* nested waves still to come; 0: the transaction ends with this one */
};
void crud_send_read(struct req *r, struct crud_read *read, int64_t id, int64_t parent);
enum rc crud_take_read(struct req *r, struct crud_read *read) MUST_CHECK;

/* The path's last id, and the one before it (0: none). */
int64_t crud_id(const struct req *r);
int64_t crud_parent(const struct req *r);

#endif
