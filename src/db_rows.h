/* What db.c and db_rows.c share: a result and its place in the request's list. */
#ifndef DB_ROWS_H
#define DB_ROWS_H

#include <libpq-fe.h>

struct rows {
	PGresult *result;
	struct rows *next;
};

#endif
