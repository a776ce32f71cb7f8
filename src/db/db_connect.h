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

/* The same without waiting: as PQconnectStartParams. */
PGconn *db_connect_start(const struct conf *conf);

/*
 * The same for the setting database_reads, without waiting: as PQconnectStartParams. If it names
 * several hosts, the nth is tried first, so that workers use all of them, and one that is gone
 * without a word does not hide the others. There a statement also ends when the connection does.
 */
PGconn *db_connect_start_reads(const struct conf *conf, unsigned nth);

#endif
