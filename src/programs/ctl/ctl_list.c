/* planwrightctl: people and accounts, as lists and one by one. */
#include <stdio.h>

#include "programs/ctl/ctl.h"

/* What a person is, in a word. */
#define STATE                                                                                      \
	"case when p.removed_at is not null then 'removed' when p.disabled_at is not null then "   \
	"'disabled' when p.placeholder then 'placeholder' else 'active' end"

static const char *text(struct ctl *c, const struct rows *rows, int row, int column)
{
	return db_is_null(rows, row, column)
		? "-"
		: arena_str(&c->arena, db_get_text(rows, row, column)).p;
}

static long long number(const struct rows *rows, int row, int column)
{
	return (long long)db_get_int(rows, row, column);
}

/* People ------------------------------------------------------------------- */

void ctl_person_list(struct ctl *c)
{
	const struct rows *rows = ctl_query(c,
		"select p.id, " STATE ", p.username, p.email, p.name from person p order by p.id",
		0, NULL);

	for (int i = 0; i < db_count(rows); i++)
		printf("%lld\t%s\t%s\t%s\t%s\n", number(rows, i, 0), text(c, rows, i, 1),
			ctl_line(c, rows, i, 2), ctl_line(c, rows, i, 3), ctl_line(c, rows, i, 4));
	ctl_commit(c);
}

static void show_places(struct ctl *c, int64_t person)
{
	const struct db_param id = db_int(&c->arena, person);
	const struct rows *rows = ctl_query(c,
		"select a.id, a.name, case when m.owner then 'owner' when m.admin then 'administrator' "
		"else 'member' end || case when m.project_creator then ', makes projects' else '' end "
		"from account_membership m join account a on a.id = m.account_id "
		"where m.person_id = $1 order by a.id",
		1, &id);

	for (int i = 0; i < db_count(rows); i++)
		printf("account     %lld  %s (%s)\n", number(rows, i, 0), ctl_line(c, rows, i, 1),
			text(c, rows, i, 2));
	rows = ctl_query(c,
		"select p.id, p.name, m.role from project_membership m "
		"join project p on p.id = m.project_id where m.person_id = $1 order by p.id",
		1, &id);
	for (int i = 0; i < db_count(rows); i++)
		printf("project     %lld  %s (%s)\n", number(rows, i, 0), ctl_line(c, rows, i, 1),
			text(c, rows, i, 2));
}

void ctl_person_show(struct ctl *c)
{
	static const char *const titles[] = { "id", "state", "name", "initials", "user name",
		"address", "time zone", "password", "factor", "token", "added", "invited",
		"signed in", "unconfirmed" };
	struct ctl_person person = ctl_find_person(c, c->word);
	const struct rows *rows = ctl_query(c,
		"select p.id::text, " STATE
		", p.name, p.initials, p.username, p.email, p.time_zone, "
		"case when p.password_hash is null then 'no' else 'yes' end, "
		"case when exists (select from second_factor f where f.person_id = p.id "
		"and f.confirmed_at is not null) then 'yes' else 'no' end, "
		"case when p.token_sealed is null then 'no' else 'yes' end, "
		"to_char(p.created_at, 'YYYY-MM-DD\"T\"HH24:MI:SS\"Z\"'), "
		"coalesce(to_char(p.invited_at, 'YYYY-MM-DD\"T\"HH24:MI:SS\"Z\"'), 'no'), "
		"case when p.met_at is null then 'never' else 'yes' end, "
		"coalesce(nullif(concat_ws(', ', case when p.email_claimed then 'address' end, "
		"case when p.username_claimed then 'user name' end), ''), 'no') "
		"from person p where p.id = $1",
		1, (struct db_param[]){ db_int(&c->arena, person.id) });

	for (int i = 0; i < (int)(sizeof(titles) / sizeof(titles[0])); i++)
		printf("%-11s %s\n", titles[i], ctl_line(c, rows, 0, i));
	show_places(c, person.id);
	ctl_commit(c);
}

/* Accounts ----------------------------------------------------------------- */

void ctl_account_list(struct ctl *c)
{
	const struct rows *rows = ctl_query(c,
		"select a.id, p.username, "
		"(select count(*) from account_membership m where m.account_id = a.id), "
		"(select count(*) from project j where j.account_id = a.id), a.name from account a "
		"left join account_membership o on o.account_id = a.id and o.owner "
		"left join person p on p.id = o.person_id order by a.id",
		0, NULL);

	for (int i = 0; i < db_count(rows); i++)
		printf("%lld\t%s\t%lld people\t%lld projects\t%s\n", number(rows, i, 0),
			ctl_line(c, rows, i, 1), number(rows, i, 2), number(rows, i, 3),
			ctl_line(c, rows, i, 4));
	ctl_commit(c);
}

static void show_people(struct ctl *c, struct db_param account)
{
	const struct rows *rows = ctl_query(c,
		"select p.id, coalesce(p.username, '-'), p.name, "
		"case when m.owner then 'owner' when m.admin then 'administrator' else 'member' end"
		" || case when m.project_creator then ', makes projects' else '' end"
		" || case when p.disabled_at is not null then ', disabled' else '' end "
		"from account_membership m join person p on p.id = m.person_id "
		"where m.account_id = $1 order by p.id",
		1, &account);

	for (int i = 0; i < db_count(rows); i++)
		printf("person      %lld  %s  %s (%s)\n", number(rows, i, 0),
			ctl_line(c, rows, i, 1), ctl_line(c, rows, i, 2), text(c, rows, i, 3));
}

static void show_projects(struct ctl *c, struct db_param account)
{
	const struct rows *rows = ctl_query(c,
		"select id, name, case when public then 'public' else 'private' end from project "
		"where account_id = $1 order by id",
		1, &account);

	for (int i = 0; i < db_count(rows); i++)
		printf("project     %lld  %s (%s)\n", number(rows, i, 0), ctl_line(c, rows, i, 1),
			text(c, rows, i, 2));
}

void ctl_account_show(struct ctl *c)
{
	int64_t id = ctl_number(c->word);
	const struct db_param param = db_int(&c->arena, id);
	const struct rows *rows = ctl_query(c,
		"select name, to_char(created_at, 'YYYY-MM-DD\"T\"HH24:MI:SS\"Z\"') from account "
		"where id = $1",
		1, &param);

	if (db_count(rows) == 0)
		ctl_fail(c, "there is no account %lld: see planwrightctl account list",
			(long long)id);
	printf("%-11s %lld\n%-11s %s\n%-11s %s\n", "id", (long long)id, "name",
		ctl_line(c, rows, 0, 0), "added", text(c, rows, 0, 1));
	show_people(c, param);
	show_projects(c, param);
	ctl_commit(c);
}
