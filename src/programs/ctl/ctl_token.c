/* planwrightctl token list and revoke: a person's tokens, including the named ones. */
#include <stdio.h>

#include "model/object.h"
#include "programs/ctl/ctl_audit_entry.h"

#define TIME(column) "to_char(" column " at time zone 'UTC', 'YYYY-MM-DD\"T\"HH24:MI:SS\"Z\"')"

void ctl_token_list(struct ctl *c)
{
	enum { COLUMNS = 7 };
	struct ctl_person person = ctl_find_person(c, c->word);
	const struct db_param id = db_int(&c->arena, person.id);
	const struct rows *rows = ctl_query(c,
		"select id::text, scope, coalesce(array_to_string(project_ids, ','), 'all' || "
		"coalesce(' but of account ' || array_to_string(not_account_ids, ','), '')), " TIME(
			"created_at") ", " TIME("expires_at") ", " TIME("last_used_at") ", name "
											"from api.token where person_id = $1 order by id",
		1, &id);

	for (int i = 0; i < db_count(rows); i++)
		for (int column = 0; column < COLUMNS; column++)
			printf("%s%c", ctl_line(c, rows, i, column),
				column < COLUMNS - 1 ? '\t' : '\n');
	ctl_commit(c);
}

static void revoke_one(struct ctl *c, const struct ctl_person *person, int64_t token)
{
	const struct db_param params[] = { db_int(&c->arena, token),
		db_int(&c->arena, person->id) };

	const struct rows *rows = ctl_query(c, stmt_texts[STMT_TOKEN_END].sql, 2, params);

	if (db_count(rows) == 0)
		ctl_fail(c, "%s has no token %lld: see planwrightctl token list",
			person->username.p, (long long)token);
	struct audit_entry e = audit_entry_of_person(AUDIT_TOKEN_DELETE, person->id);
	e.kind = "token";
	e.id = token;
	e.name = db_get_text(rows, 0, 1);
	e.accounts = object_ids(&c->arena, rows, 0, db_column(rows, "account_ids"));
	if (e.accounts.n)
		e.member = NIL;
	ctl_audit_entry(c, &e);
	ctl_commit(c);
	printf("token %lld of %s is invalid\n", (long long)token, person->username.p);
}

static void revoke_all(struct ctl *c, const struct ctl_person *person)
{
	const struct db_param id = db_int(&c->arena, person->id);

	ctl_query(c,
		"update person set token_mac = null, token_sealed = null, updated_at = now() "
		"where id = $1",
		1, &id);
	ctl_query(c, "delete from token where person_id = $1", 1, &id);
	ctl_query(c, "delete from passkey where person_id = $1", 1, &id);
	ctl_end_sessions(c, person->id);
	struct audit_entry e = audit_entry_of_person(AUDIT_TOKEN_DELETE, person->id);
	e.new = audit_text(&c->arena, "tokens", STR("all"));
	ctl_audit_entry(c, &e);
	ctl_audit_entry_person(c, AUDIT_API_TOKEN, person->id);
	ctl_commit(c);
	printf("all tokens and passkeys of %s are invalid, and all sessions are ended: signing "
	       "in with the password, or planwrightctl token show, creates a new token\n",
		person->username.p);
}

void ctl_token_revoke(struct ctl *c)
{
	struct ctl_person person = ctl_find_person(c, c->word);
	int64_t token = ctl_number(c->options[CTL_TOKEN]);

	if (token)
		revoke_one(c, &person, token);
	else
		revoke_all(c, &person);
}
