/* planwrightctl account give, project list and delete: ownership and deletion. */
#include <stdio.h>

#include "programs/ctl/ctl_audit_entry.h"

/* Accounts ------------------------------------------------------------------ */

/*
 * The previous owner stays an administrator; the new one may be new to the account. Requests that
 * change account memberships take the same lock.
 */
static void give_account(struct ctl *c, int64_t account, int64_t to)
{
	const struct db_param params[] = { db_int(&c->arena, account), db_int(&c->arena, to) };

	ctl_query(c, "select pg_advisory_xact_lock((1::bigint << 60) | $1::bigint)", 1, params);
	const struct rows *before = ctl_query(c,
		"update account_membership set owner = false, admin = true, project_creator = true, "
		"updated_at = now() where account_id = $1 and owner returning person_id",
		1, params);
	int64_t from = db_count(before) ? db_get_int(before, 0, 0) : 0;
	ctl_query(c,
		"insert into account_membership (account_id, person_id, owner, admin, "
		"project_creator) values ($1, $2, true, true, true) "
		"on conflict (account_id, person_id) do update set owner = true, admin = true, "
		"project_creator = true, updated_at = now()",
		2, params);
	struct audit_entry e = audit_entry(AUDIT_ACCOUNT_CHANGE);
	e.accounts = (struct ids){ &account, 1 };
	e.kind = "account";
	e.id = account;
	e.old = from ? arena_printf(&c->arena, "{\"owner_id\":%lld}", (long long)from)
		     : STR("{\"owner_id\":null}");
	e.new = arena_printf(&c->arena, "{\"owner_id\":%lld}", (long long)to);
	if (from != to)
		ctl_audit_entry(c, &e);
}

static void must_be_there(struct ctl *c, int64_t account)
{
	const struct db_param param = db_int(&c->arena, account);

	if (db_count(ctl_query(c, "select from account where id = $1", 1, &param)) == 0)
		ctl_fail(c, "there is no account %lld: see planwrightctl account list",
			(long long)account);
}

void ctl_account_give(struct ctl *c)
{
	int64_t id = ctl_number(c->word);
	struct ctl_person owner = ctl_find_recipient(c, c->options[CTL_OWNER]);

	must_be_there(c, id);
	if (owner.disabled)
		ctl_fail(c, "%s is disabled: give the account to somebody else", owner.username.p);
	give_account(c, id, owner.id);
	ctl_commit(c);
	printf("account %lld belongs to %s\n", (long long)id, owner.username.p);
}

/* Projects ------------------------------------------------------------------ */

void ctl_project_list(struct ctl *c)
{
	int64_t account = ctl_number(c->options[CTL_ACCOUNT]);
	const struct db_param param = db_int_or_null(&c->arena, account, 0);

	if (account)
		must_be_there(c, account);
	struct rows *rows = ctl_query(c,
		"select p.id, p.account_id, (select coalesce(sum(n), 0)::bigint from "
		"unnest(p.story_counts) n), case when p.public then 'public' else 'private' end, "
		"p.name from project p where p.account_id = coalesce($1::bigint, p.account_id) "
		"order by p.id",
		1, &param);

	for (int i = 0; i < db_count(rows); i++)
		printf("%lld\t%lld\t%lld\t%s\t%s\n", (long long)db_get_int(rows, i, 0),
			(long long)db_get_int(rows, i, 1), (long long)db_get_int(rows, i, 2),
			ctl_line(c, rows, i, 3), ctl_line(c, rows, i, 4));
	ctl_commit(c);
}

static void request(
	struct ctl *c, int64_t person, const char *method, struct str path, struct str body)
{
	struct arena arena = { 0 };
	struct buf out = { 0 };
	const struct ctl_request r = { person, method, path, "", body };

	ctl_request(c, &r, &arena, &out);
	arena_free(&arena);
	buf_free(&out);
}

/* Makes a person an owner of a project, in the name of its account's owner. */
static void make_owner(struct ctl *c, int64_t project, int64_t person)
{
	const struct db_param params[] = { db_int(&c->arena, project), db_int(&c->arena, person) };
	struct rows *rows = ctl_query(c,
		"select a.person_id, m.id from project p join account_membership a "
		"on a.account_id = p.account_id and a.owner left join project_membership m "
		"on m.project_id = p.id and m.person_id = $2 where p.id = $1",
		2, params);

	if (db_count(rows) == 0)
		ctl_fail(c, "the account of project %lld has no owner: give it to somebody first",
			(long long)project);
	int64_t steward = db_get_int(rows, 0, 0);
	bool is_member = !db_is_null(rows, 0, 1);
	struct str path = is_member
		? arena_printf(&c->arena, "/projects/%lld/memberships/%lld", (long long)project,
			  (long long)db_get_int(rows, 0, 1))
		: arena_printf(&c->arena, "/projects/%lld/memberships", (long long)project);
	struct str body = is_member
		? STR("{\"role\":\"owner\"}")
		: arena_printf(
			  &c->arena, "{\"person_id\":%lld,\"role\":\"owner\"}", (long long)person);
	request(c, steward, is_member ? "PUT" : "POST", path, body);
}

/* Whom a query about a project finds first; 0: nobody. */
static int64_t find_person(struct ctl *c, const char *query, int64_t project)
{
	const struct db_param param = db_int(&c->arena, project);
	struct rows *rows = ctl_query(c, query, 1, &param);

	return db_count(rows) ? db_get_int(rows, 0, 0) : 0;
}

/* An owner of a project. */
static int64_t find_owner(struct ctl *c, int64_t project)
{
	return find_person(c,
		"select m.person_id from project_membership m where m.project_id = $1 "
		"and m.role = 'owner' order by m.id limit 1",
		project);
}

/* The owner of a project's account. */
static int64_t find_steward(struct ctl *c, int64_t project)
{
	return find_person(c,
		"select a.person_id from project p join account_membership a "
		"on a.account_id = p.account_id and a.owner where p.id = $1",
		project);
}

void ctl_project_delete(struct ctl *c)
{
	int64_t id = ctl_number(c->word);
	const struct db_param param = db_int(&c->arena, id);
	struct rows *rows = ctl_query(c, "select name from project where id = $1", 1, &param);

	if (db_count(rows) == 0)
		ctl_fail(c, "there is no project %lld: see planwrightctl project list",
			(long long)id);
	const char *name = ctl_line(c, rows, 0, 0);
	ctl_commit(c);
	ctl_confirm(c,
		arena_printf(&c->arena,
			"Delete project %lld, \"%s\", with everything in it? This cannot be undone.",
			(long long)id, name)
			.p);
	ctl_requests_begin(c);
	int64_t owner = find_owner(c, id);
	if (!owner) { /* as in a project created with no_owner */
		owner = find_steward(c, id);
		make_owner(c, id, owner);
	}
	request(c, owner, "DELETE", arena_printf(&c->arena, "/projects/%lld", (long long)id),
		STR("{}"));
	ctl_requests_commit(c);
	printf("project %lld is deleted\n", (long long)id);
}

/* Handing over -------------------------------------------------------------- */

static int64_t *ids_of(struct ctl *c, const char *sql, int64_t person, int *n)
{
	const struct db_param param = db_int(&c->arena, person);
	struct rows *rows = ctl_query(c, sql, 1, &param);

	*n = db_count(rows);
	int64_t *ids = arena_array(&c->arena, (size_t)*n + 1, sizeof(*ids));
	for (int i = 0; i < *n; i++)
		ids[i] = db_get_int(rows, i, 0);
	return ids;
}

void ctl_hand_over(struct ctl *c, int64_t from, int64_t to)
{
	int n;
	const int64_t *accounts = ids_of(c,
		"select account_id from account_membership where person_id = $1 and owner "
		"order by account_id",
		from, &n);

	for (int i = 0; i < n; i++)
		give_account(c, accounts[i], to);
	const int64_t *projects = ids_of(c,
		"select project_id from project_membership m where person_id = $1 and role = 'owner' "
		"and not exists (select from project_membership o where o.project_id = m.project_id "
		"and o.person_id <> m.person_id and o.role = 'owner') order by project_id",
		from, &n);
	for (int i = 0; i < n; i++)
		make_owner(c, projects[i], to);
}
