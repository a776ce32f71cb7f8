/*
 * Connection settings for PostgreSQL: schema, times in UTC, one plan for all values
 * (db_send_values), no compiled plans (jit), the settings that functions in the database use, and
 * how soon a vanished computer is noticed.
 */
#ifndef DB_CONNECT_H
#define DB_CONNECT_H

#include <libpq-fe.h>

#include "service/conf.h"

/* Like PQconnectdbParams: check PQstatus; the caller closes it. */
PGconn *db_connect(const struct conf *conf);

#endif
