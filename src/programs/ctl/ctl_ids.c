/* planwrightctl: where the ids of new things begin. */
#include <stdio.h>

#include "programs/ctl/ctl.h"
#include "domain/arrival.h"
#include "store/raise_ids.h"

/* Above this, clients that keep ids in 32 bits would soon get one that does not fit. */
enum { FROM_MAX = 2000000000 };

/*
 * Moves sequences that are below `from`, and returns the names and positions of the others. A
 * position is the last assigned id, and counts as assigned: a fresh sequence looks like a moved
 * one.
 */
static struct rows *move(struct ctl *c, int64_t from)
{
	struct db_param param = db_int(&c->arena, from - 1);

	ctl_query(c, RAISE_IDS_LOCK, 0, NULL);
	ctl_query(c,
		"select setval(format('%I.%I', schemaname, sequencename)::regclass, $1::bigint) "
		"from pg_sequences where schemaname = 'planwright' "
		"and coalesce(last_value, 0) < $1::bigint",
		1, &param);
	return ctl_query(c,
		"select sequencename::text, last_value from pg_sequences "
		"where schemaname = 'planwright' and last_value > $1::bigint order by 1",
		1, &param);
}

void ctl_ids_settle(struct ctl *c)
{
	struct db_param param = db_int(&c->arena, ARRIVAL_IDS_FROM - 1);
	struct rows *rows = ctl_query(c,
		"select last_value is null and not exists (select from planwright.account) "
		"or last_value >= $1::bigint as wanted from pg_sequences "
		"where schemaname = 'planwright' and sequencename = 'person_id_seq'",
		1, &param);

	if (db_count(rows) > 0 && !db_is_null(rows, 0, 0) && db_get_bool(rows, 0, 0))
		move(c, ARRIVAL_IDS_FROM);
	ctl_commit(c);
}

void ctl_ids(struct ctl *c)
{
	int64_t from;

	if (!str_to_int(str_of(c->options[CTL_FROM]), &from) || from < 2 || from > FROM_MAX)
		ctl_fail_usage(c, "ids: %s is not a number from 2 to %d: give one like %d",
			c->options[CTL_FROM], FROM_MAX, ARRIVAL_IDS_FROM);
	struct rows *rows = move(c, from);
	printf("ids of new objects start at %lld\n", (long long)from);
	for (int i = 0; i < db_count(rows); i++) {
		struct str name = db_get_text(rows, i, 0);
		printf("those of %.*s are above it already, and continue after %lld\n", (int)name.n,
			name.p, (long long)db_get_int(rows, i, 1));
	}
	ctl_commit(c);
}
