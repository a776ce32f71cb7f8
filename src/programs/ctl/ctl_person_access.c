/* planwrightctl person disable, enable, second-factor, password-sign-in and remove, and token revoke. */
#include <stdio.h>
#include <string.h>

#include "programs/ctl/ctl_audit_entry.h"

void ctl_person_disable(struct ctl *c)
{
	struct ctl_person person = ctl_find_person(c, c->word);

	ctl_query(c,
		"update person set token_mac = null, disabled_at = coalesce(disabled_at, now()) "
		"where id = $1",
		1, (struct db_param[]){ db_int(&c->arena, person.id) });
	ctl_end_sessions(c, person.id);
	if (!person.disabled)
		ctl_audit_entry_person(c, AUDIT_PERSON_DISABLE, person.id);
	ctl_commit(c);
	printf("%s is disabled: their tokens and password do not work, and they get no email; "
	       "planwrightctl person enable undoes this\n",
		person.username.p);
}

void ctl_person_enable(struct ctl *c)
{
	struct ctl_person person = ctl_find_person(c, c->word);
	struct str token = person.sealed.p
		? crypt_open(&c->crypt, &c->arena, person.id, person.sealed)
		: (struct str){ 0 };

	if (person.sealed.p && !token.p)
		ctl_fail(c,
			"the token of %s was encrypted with another secret: set that secret "
			"again",
			person.username.p);
	if (person.disabled) {
		ctl_query(c,
			"update person set token_mac = $2, disabled_at = null "
			"where id = $1 and disabled_at is not null",
			2,
			(struct db_param[]){ db_int(&c->arena, person.id),
				token.p ? db_bytes(crypt_mac(&c->crypt, &c->arena, token))
					: db_null() });
		ctl_audit_entry_person(c, AUDIT_PERSON_ENABLE, person.id);
	}
	ctl_commit(c);
	printf("%s is enabled, and can sign in as before\n", person.username.p);
}

void ctl_person_factor_off(struct ctl *c)
{
	struct ctl_person person = ctl_find_person(c, c->word);
	bool has_mail = conf_has_mail(&c->conf);
	const struct rows *rows = ctl_query(c, stmt_texts[STMT_SECOND_FACTOR_RESET].sql, 2,
		(struct db_param[]){ db_int(&c->arena, person.id), db_bool(&c->arena, has_mail) });

	if (db_count(rows) == 0 || !db_get_bool(rows, 0, 0))
		ctl_fail(c, "%s has no second factor: nothing was changed", person.username.p);
	ctl_audit_entry_person(c, AUDIT_FACTOR_OFF, person.id);
	ctl_commit(c);
	printf("the second factor of %s is off: their password alone is enough again; %s\n",
		person.username.p,
		has_mail ? "they are told by email" : "email is off, so tell them yourself");
}

void ctl_person_password_sign_in(struct ctl *c)
{
	struct ctl_person person = ctl_find_person(c, c->word);
	bool keeps = strstr(c->command, " on") != NULL;

	const struct rows *rows = ctl_query(c,
		"update person set keeps_password = $2 where id = $1 and keeps_password <> $2 returning id",
		2, (struct db_param[]){ db_int(&c->arena, person.id), db_bool(&c->arena, keeps) });
	struct audit_entry e = audit_entry_of_person(AUDIT_PASSWORD_SIGN_IN, person.id);
	audit_switch(&c->arena, &e, "password_sign_in", keeps);
	if (db_count(rows))
		ctl_audit_entry(c, &e);
	ctl_commit(c);
	printf("%s %s\n", person.username.p,
		keeps ? "can sign in with a password whatever the setting password_sign_in says"
		      : "can sign in with a password only if the setting password_sign_in is on");
}

/* Removal ------------------------------------------------------------------ */

/* Fails if there are rows, with the name and number of the first. */
static void refuse_if_any(struct ctl *c, const struct ctl_person *person, const char *sql,
	const char *what, const char *help)
{
	const struct db_param id = db_int(&c->arena, person->id);
	const struct rows *rows = ctl_query(c, sql, 1, &id);

	if (db_count(rows) == 0)
		return;
	struct str name = arena_str(&c->arena, db_get_text(rows, 0, 1));
	long long number = (long long)db_get_int(rows, 0, 0);
	ctl_fail(c, "%s %s %s (%lld)%s: %s", person->username.p, what, name.p, number,
		db_count(rows) > 1 ? arena_printf(&c->arena, " and %d more", db_count(rows) - 1).p
				   : "",
		help);
}

static void check_removable(struct ctl *c, const struct ctl_person *person)
{
	refuse_if_any(c, person,
		"select a.id, a.name from account_membership m join account a on a.id = m.account_id "
		"where m.person_id = $1 and m.owner order by a.id",
		"owns the account",
		"give it to somebody else with planwrightctl account give, or name an --heir");
	refuse_if_any(c, person,
		"select p.id, p.name from project_membership m join project p on p.id = m.project_id "
		"where m.person_id = $1 and m.role = 'owner' and not exists "
		"(select from project_membership o where o.project_id = m.project_id "
		"and o.person_id <> m.person_id and o.role = 'owner') order by p.id",
		"is the last owner of the project",
		"have an administrator of its account make somebody else an owner first, or name "
		"an --heir");
}

/* Leaves accounts and their projects, just as people do who leave by themselves. */
static void leave_accounts(struct ctl *c, int64_t person)
{
	struct arena arena = { 0 };
	struct buf out = { 0 };
	const struct db_param id = db_int(&c->arena, person);
	const struct rows *rows = ctl_query(c,
		"select account_id from account_membership where person_id = $1 order by account_id",
		1, &id);
	int n = db_count(rows);
	int64_t *accounts = arena_array(&c->arena, (size_t)n + 1, sizeof(*accounts));

	for (int i = 0; i < n; i++)
		accounts[i] = db_get_int(rows, i, 0);
	ctl_commit(c);
	for (int i = 0; i < n; i++) {
		const struct ctl_request request = { .person = person,
			.method = "DELETE",
			.path = arena_printf(&c->arena, "/accounts/%lld/memberships/%lld",
				(long long)accounts[i], (long long)person),
			.query = "",
			.body = STR("{}") };
		ctl_request(c, &request, &arena, &out);
	}
	arena_free(&arena);
	buf_free(&out);
}

/* Deletes what belongs to the person; their row stays, because of what they did. */
static void forget(struct ctl *c, int64_t person)
{
	static const char *const own[] = { "delete from letter where person_id = $1",
		"delete from sign_in_place where person_id = $1",
		"delete from session where person_id = $1", "delete from once where person_id = $1",
		"delete from token where person_id = $1",
		"delete from identity where person_id = $1",
		"delete from second_factor where person_id = $1",
		"delete from passkey where person_id = $1",
		"delete from sign_in_failure where login = 'person ' || $1::bigint",
		"delete from workspace where person_id = $1",
		"delete from saved_search where person_id = $1",
		"delete from notification where person_id = $1",
		"delete from imported_person where person_id = $1",
		"update story set follower_ids = array_remove(follower_ids, $1) "
		"where follower_ids @> array[$1::bigint]",
		"update epic set follower_ids = array_remove(follower_ids, $1) "
		"where follower_ids @> array[$1::bigint]",
		"update person set name = 'Former member', initials = 'FM', username = null, "
		"email = null, confirmed_email = null, said_email = null, time_zone = default, password_hash = null, token_mac = null, "
		"token_sealed = null, disabled_at = coalesce(disabled_at, now()), "
		"removed_at = now(), updated_at = now() where id = $1" };
	const struct db_param id = db_int(&c->arena, person);

	for (size_t i = 0; i < sizeof(own) / sizeof(own[0]); i++)
		ctl_query(c, own[i], 1, &id);
}

/* The person who gets what only this person owns; 0 if none was named. */
static int64_t find_heir(struct ctl *c, const struct ctl_person *person)
{
	if (!c->options[CTL_HEIR])
		return 0;
	struct ctl_person heir = ctl_find_recipient(c, c->options[CTL_HEIR]);
	if (heir.id == person->id)
		ctl_fail_usage(c, "person remove: %s cannot be their own heir: name somebody else",
			person->username.p);
	if (heir.disabled)
		ctl_fail(c, "%s is disabled: name somebody else as heir", heir.username.p);
	return heir.id;
}

void ctl_person_remove(struct ctl *c)
{
	struct ctl_person person = ctl_find_person(c, c->word);
	struct str question = arena_printf(&c->arena,
		"Remove %s (%s)? Their work is kept, under the name \"Former member\"; this "
		"cannot be undone.",
		person.username.p, person.name.p);

	int64_t heir = find_heir(c, &person);
	if (!heir)
		check_removable(c, &person);
	ctl_commit(c);
	ctl_confirm(c, question.p);
	ctl_requests_begin(c);
	if (heir)
		ctl_hand_over(c, person.id, heir);
	ctl_audit_entry_person(c, AUDIT_PERSON_DELETE, person.id);
	leave_accounts(c, person.id);
	forget(c, person.id);
	ctl_requests_commit(c);
	printf("%s is removed: person %lld is a former member\n", person.username.p,
		(long long)person.id);
}
