#include "db/db_connect.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "db/db.h"
#include "lib/buf.h"

/*
 * Over TCP, either side notices within half a minute when the other computer vanishes: a worker
 * does not wait for the database for hours, and the locks of a vanished worker or sender do not
 * outlive it. The connection string can override the settings before it.
 *
 * random_page_cost: the data of a request is in memory. With the default of 4, tables of up to
 * fifty pages were scanned for a few rows, in ten times the time that the index takes, and in large
 * tables an index was chosen for being small instead of for finding the row.
 */
enum { SETTINGS = 10 };

static void put_settings(const struct conf *conf, const char *to, const char *more, char *options,
	size_t size, const char *names[SETTINGS], const char *values[SETTINGS])
{
	static const char *const all[SETTINGS] = { "connect_timeout", "keepalives_idle",
		"keepalives_interval", "keepalives_count", "tcp_user_timeout", "application_name",
		"dbname", "options", "client_encoding", NULL };
	const char *const with[SETTINGS] = { "5", "10", "5", "3", "25000", "planwright", to,
		options, "UTF8", NULL };
	snprintf(options, size,
		"-c search_path=planwright -c timezone=UTC -c datestyle=ISO -c statement_timeout=%lld"
		" -c plan_cache_mode=force_generic_plan -c jit=off -c random_page_cost=1.1"
		" -c gin_pending_list_limit=256"
		" -c tcp_keepalives_idle=10 -c tcp_keepalives_interval=5 -c tcp_keepalives_count=3%s",
		(long long)conf->statement_timeout_ms, more);
	memcpy(names, all, sizeof all);
	memcpy(values, with, sizeof with);
}

PGconn *db_connect(const struct conf *conf)
{
	char options[1400];
	const char *names[SETTINGS], *values[SETTINGS];
	put_settings(conf, conf->database, "", options, sizeof options, names, values);
	return PQconnectdbParams(names, values, 1);
}

PGconn *db_connect_start(const struct conf *conf)
{
	char options[1400];
	const char *names[SETTINGS], *values[SETTINGS];
	put_settings(conf, conf->database, "", options, sizeof options, names, values);
	return PQconnectStartParams(names, values, 1);
}

/* A list of hosts or ports, from its nth member on, with those before it at the end; allocated. */
static char *rotate(const char *list, unsigned nth)
{
	unsigned members = 1;
	const char *from = list;
	for (const char *p = list; *p; p++)
		members += *p == ',';
	for (unsigned i = nth % members; i; i--)
		from = strchr(from, ',') + 1;
	size_t before = from > list ? (size_t)(from - list) - 1 : 0;
	struct buf b = { 0 };
	buf_put_z(&b, from);
	if (before) {
		buf_put_z(&b, ",");
		buf_put(&b, list, before);
	}
	buf_put(&b, "", 1);
	return b.p;
}

/* Puts the lists of a connection string after it, so that they replace its own. */
static int put_lists(const char *to, unsigned nth, const char *names[3], char *lists[3])
{
	static const char *const all[] = { "host", "hostaddr", "port" };
	int n = 0;
	PQconninfoOption *options = PQconninfoParse(to, NULL);
	for (const PQconninfoOption *o = options; o && o->keyword; o++)
		for (int i = 0; i < 3; i++)
			if (o->val && strchr(o->val, ',') && !strcmp(o->keyword, all[i])) {
				names[n] = all[i];
				lists[n++] = rotate(o->val, nth);
			}
	PQconninfoFree(options);
	return n;
}

PGconn *db_connect_start_reads(const struct conf *conf, unsigned nth)
{
	char options[1400], *lists[3] = { 0 };
	const char *names[SETTINGS + 3], *values[SETTINGS + 3];
	put_settings(conf, conf->database_reads, " -c client_connection_check_interval=1000",
		options, sizeof options, names, values);
	int n = put_lists(conf->database_reads, nth, names + SETTINGS - 1, lists);
	for (int i = 0; i < 3; i++)
		values[SETTINGS - 1 + i] = lists[i];
	names[SETTINGS - 1 + n] = NULL;
	PGconn *made = PQconnectStartParams(names, values, 1);
	for (int i = 0; i < n; i++)
		free(lists[i]);
	return made;
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
