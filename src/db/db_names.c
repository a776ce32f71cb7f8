#include "db/db_names.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

int db_names_highest(const char *text)
{
	int highest = 0;
	for (const char *at = text; (at = strchr(at, '$')); at++)
		if (isdigit((unsigned char)at[1]) && atoi(at + 1) > highest)
			highest = atoi(at + 1);
	return highest;
}

int db_names_count(const struct db_names *names)
{
	return !!names->token + !!names->person + !!names->reach + !!names->project +
		!!names->zone + !!names->request;
}

static int number(struct db_names *names, int *place)
{
	if (!*place)
		*place = ++names->n;
	return *place;
}

static bool begins(struct str text, const char *name)
{
	size_t n = strlen(name);
	return text.n >= n && !memcmp(text.p, name, n);
}

static void put_me(struct db_names *names, struct buf *to)
{
	int token = number(names, &names->token);
	buf_printf(to,
		"(select coalesce($%d::bigint, (select x.id from person x where x.token_mac = "
		"$%d::bytea), (select x.person_id from api.valid_token x where x.mac = "
		"$%d::bytea)))",
		number(names, &names->person), token, token);
}

static void put_reach(struct db_names *names, struct buf *to)
{
	buf_printf(to,
		"(select coalesce($%d::bigint[], (select x.reach from api.token_reach x where x.mac = "
		"$%d::bytea)))",
		number(names, &names->reach), number(names, &names->token));
}

static void put_session_reach(struct db_names *names, struct buf *to)
{
	buf_printf(to, "$%d::bigint[]", number(names, &names->reach));
}

/* Whether the caller reaches the place; null is 0. */
static void put_reached(struct db_names *names, struct buf *to, struct str id)
{
	buf_printf(to, "coalesce(coalesce(%.*s, 0) = any(", (int)id.n, id.p);
	put_reach(names, to);
	buf_put_z(to, "::bigint[]), true)");
}

static void put_writes(struct db_names *names, struct buf *to)
{
	buf_printf(to,
		"(select not exists (select from token x where x.mac = $%d::bytea and x.scope = "
		"'read'))",
		number(names, &names->token));
}

static void put_project(struct db_names *names, struct buf *to)
{
	buf_printf(to, "$%d::bigint", number(names, &names->project));
}

static void put_zone(struct db_names *names, struct buf *to)
{
	buf_printf(to, "$%d::text", number(names, &names->zone));
}

static void put_request(struct db_names *names, struct buf *to)
{
	buf_printf(to, "$%d::text", number(names, &names->request));
}

/* The length of the name that was written; 0: none begins here. */
static size_t put_name(struct db_names *names, struct buf *to, struct str text)
{
	static const struct {
		const char *name;
		void (*put)(struct db_names *, struct buf *);
	} rows[] = { { "{me}", put_me }, { "{reach}", put_reach },
		{ "{session_reach}", put_session_reach }, { "{writes}", put_writes },
		{ "{project}", put_project }, { "{zone}", put_zone },
		{ "{request}", put_request } };
	static const char reached[] = "{reached ";
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		if (begins(text, rows[i].name)) {
			rows[i].put(names, to);
			return strlen(rows[i].name);
		}
	const char *end = begins(text, reached) ? memchr(text.p, '}', text.n) : NULL;
	if (!end)
		return 0;
	const char *id = text.p + strlen(reached);
	put_reached(names, to, (struct str){ id, (size_t)(end - id) });
	return (size_t)(end - text.p) + 1;
}

void db_names_put(struct db_names *names, struct buf *to, const char *text, size_t n)
{
	const char *end = text + n, *brace;
	while ((brace = memchr(text, '{', (size_t)(end - text)))) {
		buf_put(to, text, (size_t)(brace - text));
		size_t length = put_name(names, to, (struct str){ brace, (size_t)(end - brace) });
		if (length == 0)
			buf_put_char(to, '{');
		text = brace + (length ? length : 1);
	}
	buf_put(to, text, (size_t)(end - text));
}

void db_names_fill(
	const struct db_names *names, const struct db_caller *caller, struct db_param *params)
{
	if (names->token)
		params[names->token - 1] = caller->token;
	if (names->person)
		params[names->person - 1] = caller->person;
	if (names->reach)
		params[names->reach - 1] = caller->reach;
	if (names->project)
		params[names->project - 1] = caller->project;
	if (names->zone)
		params[names->zone - 1] = caller->zone;
	if (names->request)
		params[names->request - 1] = caller->request;
}
