/*
 * List parameters, pagination and totals: the parameters of the query become conditions (one row
 * of the route's `params` each), limit and offset the page, and the total its headers. The total
 * counts the rows that match the conditions, except those that name a place in the order.
 */
#ifndef LIST_H
#define LIST_H

#include "http/route.h"
#include "db/sql.h"

struct list {
	enum stmt stmt;
	bool counted; /* the pipeline includes a query for the total; otherwise the gate provides it */
};

/*
 * Parameters that every query may have: fields, envelope, date_format, _method, token; then those
 * of the route. Notes errors with req_refuse.
 */
void list_check_query(struct req *r);

/* limit, offset and the values of the route's parameters. Notes faults with req_refuse. */
void list_check(struct req *r);

/* The same without limit and offset, for lists without pages. */
void list_check_params(struct req *r);

/* The offset for a statement: its sum with any limit still fits a bigint. */
int64_t list_offset(const struct req *r);

/*
 * Queues the statement of the page, and the one of the total when the page is
 * counted. A template gets the conditions of all parameters that were given;
 * `more` (may be null) adds conditions of the caller's own.
 */
void list_send(struct req *r, struct list *list, void (*more)(struct req *, struct sql *));

/* Takes their answers; fills r->page. */
enum rc list_take(struct req *r, struct list *list, struct rows **rows) MUST_CHECK;

/* The value of a parameter of the query, by its row's type; null: not given. */
const struct body *list_value(struct req *r, const char *name);

#endif
