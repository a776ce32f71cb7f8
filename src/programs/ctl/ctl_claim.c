/* planwrightctl person claim: turns a placeholder of an import into a person. */
#include <stdio.h>

#include "programs/ctl/ctl_audit_entry.h"
#include "transfer/people/claim.h"

static struct rows *ask(struct ctl *c, enum stmt stmt, int n, const struct db_param *params)
{
	return ctl_query(c, stmt_texts[stmt].sql, n, params);
}

/* By id, address, user name or, for a placeholder, a name that no other placeholder has. */
static int64_t find(struct ctl *c, const char *word, bool placeholder, struct str *name)
{
	const struct db_param param = ctl_param(c, word);
	struct rows *rows = ask(c, STMT_CLAIM_FIND_PERSON, 1, &param);
	int found = -1, n = 0;

	for (int i = 0; i < db_count(rows); i++) {
		if (db_get_bool(rows, i, 2) == placeholder && n++ == 0)
			found = i;
	}
	if (db_count(rows) == 0)
		ctl_fail(c, "person claim: nobody has the id, email address or user name %s", word);
	if (found < 0 && placeholder)
		ctl_fail(c,
			"person claim: %s is not a placeholder of an import: only a placeholder can be claimed",
			word);
	if (found < 0)
		ctl_fail(c, "person claim: %s is a placeholder, too: name a real person with --as",
			word);
	if (n > 1 && placeholder)
		ctl_fail(c,
			"person claim: %d placeholders are named %s: give one by its id, such as "
			"%lld",
			n, word, (long long)db_get_int(rows, found, 0));
	*name = arena_str(&c->arena, db_get_text(rows, found, 1));
	if (db_get_bool(rows, found, 3))
		ctl_fail_claim(c, word, *name);
	return db_get_int(rows, found, 0);
}

void ctl_person_claim(struct ctl *c)
{
	struct claim k = { .enters = true };

	ask(c, STMT_STATEMENT_TIMEOUT_OFF, 0, NULL);
	k.from = find(c, c->word, true, &k.from_name);
	k.to = find(c, c->options[CTL_AS], false, &k.to_name);
	if (claim_run(c->db, &c->arena, &k))
		ctl_fail_db(c);
	struct audit_entry e = audit_entry_of_person(AUDIT_CLAIM, k.to);
	e.name = k.from_name;
	ctl_audit_entry(c, &e);
	ctl_commit(c);
	printf("%.*s now has what was %.*s's: %d stories and %d comments in %zu projects; the placeholder is gone\n",
		(int)k.to_name.n, k.to_name.p, (int)k.from_name.n, k.from_name.p, k.stories,
		k.comments, k.projects);
}
