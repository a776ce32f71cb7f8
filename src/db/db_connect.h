/*
 * Connection settings of PostgreSQL: schema, times in UTC, one plan for any
 * values (db_send_values), which is not compiled (jit), the settings that functions in
 * the database look at, and how soon a computer that is gone is noticed.
 */
#ifndef DB_CONNECT_H
#define DB_CONNECT_H

#include <libpq-fe.h>

#include "service/conf.h"

/* As PQconnectdbParams: PQstatus says whether it is one; the caller ends it. */
PGconn *db_connect(const struct conf *conf);

#endif
