/*
 * Query builder for the few statements that depend on the request: the column list of a
 * write and the conditions of a list. Text can only be added from constants of
 * the program; values become parameters ($1, $2 …).
 */
#ifndef SQL_H
#define SQL_H

#include "lib/arena.h"
#include "lib/buf.h"
#include "db/db.h"
#include "db/db_names.h"

struct sql {
	struct arena *arena;
	struct buf text;
	struct db_param params[DB_PARAMS_MAX];
	int n_params;
	struct db_names names;
	bool for_values; /* conditions that users choose: planned for the values */
	bool once;       /* their shape is seldom repeated: not worth preparing */
};

void sql_init(struct sql *q, struct arena *a);

/* Constant text: a literal, or a member of a constant table, with names of db_caller. Never input. */
void sql_put(struct sql *q, const char *constant);
void sql_put_part(struct sql *q, const char *constant, size_t n);

/* A parameter: adds the value and writes its $n. */
void sql_param(struct sql *q, struct db_param p);

/* Constant text in which each %s is the parameter p. */
void sql_put_with(struct sql *q, const char *constant, struct db_param p);

/* Adds a value without writing it: for templates that begin with fixed parameters. */
void sql_reserve(struct sql *q, struct db_param p);

/* Sends the built statement. */
void sql_send(struct sql *q, struct db *db);

#endif
