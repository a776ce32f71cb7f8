/* planwrightctl audit: the audit log, read by operators. */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "domain/audit.h"
#include "lib/body.h"
#include "lib/quote.h"
#include "lib/when.h"
#include "programs/ctl/ctl.h"

enum { PARAMS = 9 };

static struct rows *ask(struct ctl *c, enum stmt stmt, int n, const struct db_param *params)
{
	return ctl_query(c, stmt_texts[stmt].sql, n, params);
}

static struct db_param id_of(struct ctl *c, enum ctl_option option)
{
	return c->options[option] ? db_int(&c->arena, ctl_number(c->options[option])) : db_null();
}

static struct db_param time_of(struct ctl *c, enum ctl_option option)
{
	const char *z = c->options[option];
	int64_t us;

	if (!z)
		return db_null();
	if (!when_parse(str_of(z), &us))
		ctl_fail_usage(c,
			"%s is not a time: write it like 2026-05-03T23:29:42Z, or 2026-05-03", z);
	return db_time(&c->arena, us);
}

static struct db_param act_of(struct ctl *c)
{
	const char *z = c->options[CTL_ACT];

	for (int i = 0; z && i <= AUDIT__MAX; i++) {
		if (i == AUDIT__MAX)
			ctl_fail_usage(c, "there is no act %s: planwright-api(7) lists them", z);
		if (strcmp(z, audit_words[i]) == 0)
			break;
	}
	return z ? ctl_param(c, z) : db_null();
}

static struct db_param person_of(struct ctl *c)
{
	return c->options[CTL_PERSON]
		? db_int(&c->arena, ctl_find_person(c, c->options[CTL_PERSON]).id)
		: db_null();
}

/* Prints a text as it is, except for what would end the line or the column. */
static void print_value(struct arena *a, const struct body *v)
{
	struct str text = !v ? STR("-") : v->type == BODY_TEXT ? v->text : body_text(a, v);

	fputs(quote_line(a, text).p, stdout);
}

/* Prints JSON on one line, or its values separated by tabs. */
static void print_line(struct ctl *c, struct str line)
{
	static const char *const keys[] = { "occurred_at", "act", "username", "by", "address",
		"account_ids", "project_id", "object", "old", "new" };
	struct arena arena = { 0 };
	const char *problem;

	if (c->options[CTL_JSON]) {
		line = quote_json(&arena, line);
		printf("%.*s\n", (int)line.n, line.p);
		arena_free(&arena);
		return;
	}
	const struct body *entry = body_parse(&arena, line, &problem);
	for (size_t i = 0; entry && i < sizeof(keys) / sizeof(keys[0]); i++) {
		fputs(i ? "\t" : "", stdout);
		print_value(&arena, body_get(entry, keys[i]));
	}
	putchar('\n');
	arena_free(&arena);
}

static void print_all(struct ctl *c, const struct rows *rows)
{
	for (int i = 0; i < db_count(rows); i++)
		print_line(c, db_get_text(rows, i, db_column(rows, "line")));
	if (fflush(stdout) != 0)
		ctl_fail(c, "cannot write to standard output: %m");
}

/* Takes a snapshot: no more entries can appear in its past. */
static void get_now(struct ctl *c, char now[static 32])
{
	str_print(now, 32, "%s", ctl_line(c, ask(c, STMT_AUDIT_SNAPSHOT, 0, NULL), 0, 0));
}

/*
 * Entries are printed in the order of their commits, so that a long transaction's are not missed.
 */
static void follow(struct ctl *c, struct db_param params[PARAMS], char now[static 32])
{
	char before[32];

	for (;;) {
		sleep(1);
		memcpy(before, now, sizeof(before));
		get_now(c, now);
		params[6] = (struct db_param){ .value = before, .length = (int)strlen(before) };
		params[7] = (struct db_param){ .value = now, .length = (int)strlen(now) };
		print_all(c, ask(c, STMT_AUDIT_LINES, PARAMS, params));
		ctl_commit(c);
	}
}

void ctl_audit(struct ctl *c)
{
	bool follows = c->options[CTL_FOLLOW];
	char now[32];
	struct db_param params[PARAMS] = { id_of(c, CTL_ACCOUNT), person_of(c), act_of(c),
		id_of(c, CTL_PROJECT), time_of(c, CTL_AFTER), time_of(c, CTL_BEFORE), db_null(),
		db_null(), id_of(c, CTL_LAST) };

	get_now(c, now);
	if (follows)
		params[7] = ctl_param(c, arena_printf(&c->arena, "%s", now).p);
	if (!follows || c->options[CTL_LAST] || c->options[CTL_AFTER])
		print_all(c, ask(c, STMT_AUDIT_LINES, PARAMS, params));
	ctl_commit(c);
	if (follows) {
		params[8] = db_null();
		follow(c, params, now);
	}
}
