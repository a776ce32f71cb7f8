/* planwrightctl session: where people are signed in from browsers. */
#include <stdio.h>

#include "programs/ctl/ctl_audit_entry.h"

void ctl_session_list(struct ctl *c)
{
	struct ctl_person person = ctl_find_person(c, c->word);
	const struct db_param param = db_int(&c->arena, person.id);
	struct rows *rows = ctl_query(c,
		"select id, to_char(created_at at time zone 'UTC', 'YYYY-MM-DD\"T\"HH24:MI:SS\"Z\"'), "
		"to_char(used_at at time zone 'UTC', 'YYYY-MM-DD\"T\"HH24:MI:SS\"Z\"'), "
		"regexp_replace(agent, '[[:cntrl:]]', ' ', 'g') from session where person_id = $1 "
		"and expires_at > now() and used_at > now() - interval '30 days' "
		"order by used_at desc, id desc",
		1, &param);

	for (int i = 0; i < db_count(rows); i++) {
		printf("%lld", (long long)db_get_int(rows, i, 0));
		for (int column = 1; column < 4; column++) {
			struct str s = db_get_text(rows, i, column);
			printf("\t%.*s", (int)s.n, s.p);
		}
		putchar('\n');
	}
	ctl_commit(c);
}

void ctl_session_end(struct ctl *c)
{
	struct ctl_person person = ctl_find_person(c, c->word);
	int64_t session = ctl_number(c->options[CTL_SESSION]);
	const struct db_param params[] = { db_int(&c->arena, session),
		db_int(&c->arena, person.id) };

	if (!session)
		ctl_end_sessions(c, person.id);
	else if (db_count(ctl_query(c, stmt_texts[STMT_SESSION_END].sql, 2, params)) == 0)
		ctl_fail(c, "%s has no session %lld: see planwrightctl session list",
			person.username.p, (long long)session);
	ctl_audit_entry_person(c, AUDIT_SESSION_END, person.id);
	ctl_commit(c);
	printf(session ? "the session of %s was ended\n" : "all sessions of %s were ended\n",
		person.username.p);
}
