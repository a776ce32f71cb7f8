/* planwrightctl: entries in the audit log for what it does. */
#include "programs/ctl/ctl_audit_entry.h"

#include <pwd.h>
#include <stdlib.h>
#include <unistd.h>

#include "lib/quote.h"
#include "lib/when.h"
#include "model/value.h"
#include "store/audit.h"

/* The system's user, and who became that user by sudo: the system's names can be any bytes. */
struct str ctl_means(struct ctl *c)
{
	const struct passwd *user = getpwuid(getuid());
	const char *before = getenv("SUDO_USER");

	if (!user)
		return arena_printf(&c->arena, "ctl:%lld", (long long)getuid());
	const char *name = quote_text(&c->arena, str_of(user->pw_name)).p;
	if (!before || !*before)
		return arena_printf(&c->arena, "ctl:%s", name);
	return arena_printf(
		&c->arena, "ctl:%s (%s)", name, quote_text(&c->arena, str_of(before)).p);
}

/* One id for all entries of a command, as a request has one. */
const char *ctl_id(struct ctl *c)
{
	if (!c->id)
		c->id = arena_printf(
			&c->arena, "ctl-%lld-%lld", (long long)getpid(), (long long)when_now())
				.p;
	return c->id;
}

void ctl_audit_entry_log(struct ctl *c)
{
	if (!c->db || !c->id || !c->conf.audit_log)
		return;
	const struct db_param params[] = { ctl_param(c, c->id),
		db_int(&c->arena, AUDIT_OF_COMMAND_S) };

	audit_log_lines(&c->arena, ctl_query(c, stmt_texts[STMT_AUDIT_OF_REQUEST].sql, 2, params));
	ctl_commit(c);
}

void ctl_audit_entry(struct ctl *c, const struct audit_entry *e)
{
	const struct audit_who who = {
		.person = NIL, .means = ctl_means(c), .token = NIL, .request = str_of(ctl_id(c))
	};
	struct db_param params[AUDIT_PARAMS];

	audit_params(&c->arena, &who, e, params);
	ctl_query(c, stmt_texts[STMT_AUDIT_WRITE].sql, AUDIT_PARAMS, params);
}

void ctl_audit_entry_outcome(struct ctl *c, const struct outcome *out)
{
	struct audit_entry e;

	for (const struct batch *b = out->batches; b; b = b->next)
		for (size_t i = 0; i < b->n; i++)
			if (audit_change(&c->arena, &b->changes[i], &e))
				ctl_audit_entry(c, &e);
}

void ctl_audit_entry_person(struct ctl *c, enum audit_act act, int64_t person)
{
	const struct audit_entry e = audit_entry_of_person(act, person);

	ctl_audit_entry(c, &e);
}
