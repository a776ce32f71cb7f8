/* What db.c and db_rows.c share: a result and its place in the request's list. */
#ifndef DB_ROWS_H
#define DB_ROWS_H

#include <libpq-fe.h>

struct rows {
	PGresult *result;
	struct rows *next;
};

struct db;

/* A result that lives until db_end. */
struct rows *db_keep(struct db *db, PGresult *result);

#endif
