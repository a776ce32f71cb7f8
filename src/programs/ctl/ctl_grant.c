/*
 * planwrightctl grant: two roles. One owns the schema and changes it (the setting owner_database,
 * for migrate); the other one, used by the workers, only reads and writes rows.
 */
#include <stdio.h>

#include "programs/ctl/ctl.h"

/* The role of the workers, quoted as a name in SQL. */
static struct str ask_role(struct ctl *c)
{
	struct rows *rows = ctl_query(c, "select quote_ident(current_user)", 0, NULL);
	struct str role = arena_str(&c->arena, db_get_text(rows, 0, 0));

	ctl_commit(c);
	return role;
}

struct str ctl_become_owner(struct ctl *c)
{
	char *own = c->conf.database;

	if (!*c->conf.owner_database)
		return STR("");
	const char *role = ask_role(c).p;
	db_free(c->db);
	c->conf.database = c->conf.owner_database;
	c->conf.owner_database = own;
	c->db = db_new(&c->conf, false);
	ctl_connect(c);
	return arena_printf(&c->arena,
		"grant usage on schema planwright, api to %s;"
		"grant select, insert, update, delete on all tables in schema planwright to %s;"
		"revoke insert, update, delete on planwright.schema_migration from %s;"
		"revoke update, delete on planwright.audit_entry from %s;"
		"grant usage, select, update on all sequences in schema planwright to %s;"
		"grant select on all tables in schema api to %s;"
		"grant execute on all functions in schema planwright, api to %s;",
		role, role, role, role, role, role, role);
}

void ctl_grant(struct ctl *c)
{
	struct str grants = ctl_become_owner(c);

	if (grants.n == 0)
		ctl_fail(c,
			"grant: the setting owner_database is missing: set it to the connection string of the role that owns the schema");
	if (db_script(c->db, grants.p))
		ctl_fail_db(c);
	printf("the role of the setting database now has its rights; it cannot change the schema\n");
}
