#include "db/db_connect.h"

#include <stdio.h>
#include <stdlib.h>

#include "db/db.h"

/*
 * Over TCP, either side notices within half a minute when the other computer vanishes: a worker
 * does not wait for the database for hours, and the locks of a vanished worker or sender do not
 * outlive it. Settings in front of the connection string can be overridden by it.
 *
 * random_page_cost: the data of a request is in memory. With the default of 4, tables of up to
 * fifty pages were scanned for a few rows, in ten times the time that the index takes, and in
 * large tables an index was chosen for being small instead of for finding the row.
 */
PGconn *db_connect(const struct conf *conf)
{
	char options[1400];
	snprintf(options, sizeof options,
		"-c search_path=planwright -c timezone=UTC -c datestyle=ISO -c statement_timeout=%lld"
		" -c plan_cache_mode=force_generic_plan -c jit=off -c random_page_cost=1.1"
		" -c gin_pending_list_limit=256"
		" -c tcp_keepalives_idle=10 -c tcp_keepalives_interval=5 -c tcp_keepalives_count=3",
		(long long)conf->statement_timeout_ms);
	const char *const names[] = { "connect_timeout", "keepalives_idle", "keepalives_interval",
		"keepalives_count", "tcp_user_timeout", "application_name", "dbname", "options",
		"client_encoding", NULL };
	const char *const values[] = { "5", "10", "5", "3", "25000", "planwright", conf->database,
		options, "UTF8", NULL };
	return PQconnectdbParams(names, values, 1);
}

bool db_environment(const struct conf *conf)
{
	bool ok = true;
	PQconninfoOption *options = PQconninfoParse(conf->database, NULL);
	/* A value that is not a connection string is a database name. */
	if (!options)
		return !setenv("PGDATABASE", conf->database, 1);
	for (const PQconninfoOption *o = options; o->keyword; o++)
		if (o->val && o->envvar)
			ok &= !setenv(o->envvar, o->val, 1);
	PQconninfoFree(options);
	return ok;
}
