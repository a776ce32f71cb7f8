/* planwrightctl person claim: a placeholder of an import becomes somebody. */
#include <stdio.h>

#include "model/value.h"
#include "programs/ctl/ctl.h"

struct claim {
	struct ctl *c;
	int64_t from, to;
	struct str from_name, to_name;
	int64_t *projects;
	size_t n;
};

static struct rows *ask(struct ctl *c, enum stmt stmt, int n, const struct db_param *params)
{
	return ctl_query(c, stmt_texts[stmt].sql, n, params);
}

/* By id, address, user name, or, of a placeholder, the name that no other one has. */
static int64_t find(struct ctl *c, const char *word, bool placeholder, struct str *name)
{
	const struct db_param param = ctl_param(c, word);
	struct rows *rows = ask(c, STMT_CLAIM_FIND, 1, &param);
	int found = -1, n = 0;

	for (int i = 0; i < db_count(rows); i++) {
		if (db_get_bool(rows, i, 2) == placeholder && n++ == 0)
			found = i;
	}
	if (db_count(rows) == 0)
		ctl_fail(
			c, "person claim: nobody has the id, e-mail address or user name %s", word);
	if (found < 0 && placeholder)
		ctl_fail(c,
			"person claim: %s is no placeholder of an import: only what is a "
			"placeholder's can be claimed",
			word);
	if (found < 0)
		ctl_fail(
			c, "person claim: %s is a placeholder, too: name a person with --as", word);
	if (n > 1 && placeholder)
		ctl_fail(c,
			"person claim: %d placeholders are called %s: name one by its id, such "
			"as %lld",
			n, word, (long long)db_get_int(rows, found, 0));
	*name = arena_str(&c->arena, db_get_text(rows, found, 1));
	return db_get_int(rows, found, 0);
}

/* From now on nobody changes these projects. */
static void lock_projects(struct claim *k)
{
	const struct db_param from = db_int(&k->c->arena, k->from);
	struct rows *rows = ask(k->c, STMT_CLAIM_PROJECTS, 1, &from);

	k->n = (size_t)db_count(rows);
	k->projects = arena_array(&k->c->arena, k->n + 1, sizeof(*k->projects));
	for (size_t i = 0; i < k->n; i++)
		k->projects[i] = db_get_int(rows, (int)i, 0);
}

static void move_all(struct claim *k, int *stories, int *comments)
{
	/* With how many of the parameters: who, to whom, in which projects. */
	static const struct {
		enum stmt stmt;
		int n;
	} moves[] = {
		{ STMT_CLAIM_ITEMS, 3 },
		{ STMT_CLAIM_ITEMS_OF_SEARCHES, 3 },
		{ STMT_CLAIM_EPICS, 3 },
		{ STMT_CLAIM_BLOCKERS, 2 },
		{ STMT_CLAIM_REVIEWS, 2 },
		{ STMT_CLAIM_FILES, 2 },
		{ STMT_CLAIM_LINKS, 2 },
		{ STMT_CLAIM_TRANSITIONS, 3 },
		{ STMT_CLAIM_SEARCHES, 2 },
		{ STMT_CLAIM_WORKSPACES, 2 },
		{ STMT_CLAIM_IMPORTED, 2 },
		{ STMT_CLAIM_TOLD, 2 },
		{ STMT_CLAIM_NOTIFICATIONS, 2 },
		{ STMT_CLAIM_NOTIFIED, 2 },
		{ STMT_CLAIM_ROLES, 2 },
		{ STMT_CLAIM_MEMBERSHIPS, 2 },
		{ STMT_CLAIM_ACCOUNTS, 2 },
		{ STMT_CLAIM_ACTIVITIES, 3 },
		{ STMT_CLAIM_PERSON_GONE, 1 },
	};
	struct arena *a = &k->c->arena;
	const struct db_param params[] = { db_int(a, k->from), db_int(a, k->to),
		db_ids(a, k->projects, k->n) };

	*stories = db_count(ask(k->c, STMT_CLAIM_STORIES, 3, params));
	*comments = db_count(ask(k->c, STMT_CLAIM_COMMENTS, 2, params));
	for (size_t i = 0; i < sizeof(moves) / sizeof(moves[0]); i++)
		ask(k->c, moves[i].stmt, moves[i].n, params);
	const struct db_param told[] = { params[1], params[2],
		db_text(a,
			arena_printf(a, "%.*s claimed what was imported of %.*s", (int)k->to_name.n,
				k->to_name.p, (int)k->from_name.n, k->from_name.p)) };
	ask(k->c, STMT_CLAIM_ACTIVITY, 3, told);
}

void ctl_person_claim(struct ctl *c)
{
	struct claim k = { .c = c };
	int stories, comments;

	ask(c, STMT_MAY_TAKE_LONG, 0, NULL);
	k.from = find(c, c->word, true, &k.from_name);
	k.to = find(c, c->options[CTL_AS], false, &k.to_name);
	lock_projects(&k);
	move_all(&k, &stories, &comments);
	ctl_commit(c);
	printf("%.*s has what was %.*s's: %d stories and %d comments in %zu projects; the "
	       "placeholder is gone\n",
		(int)k.to_name.n, k.to_name.p, (int)k.from_name.n, k.from_name.p, stories, comments,
		k.n);
}
