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
	return !!names->token + !!names->person + !!names->project + !!names->zone +
		!!names->request;
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

/* The length of the name that was written; 0: none begins here. */
static size_t put_name(struct db_names *names, struct buf *to, struct str text)
{
	if (begins(text, "{me}")) {
		buf_printf(to, "(select coalesce($%d::bigint, ", number(names, &names->person));
		buf_printf(to, "(select x.id from person x where x.token_mac = $%d::bytea)))",
			number(names, &names->token));
		return strlen("{me}");
	}
	if (begins(text, "{project}")) {
		buf_printf(to, "$%d::bigint", number(names, &names->project));
		return strlen("{project}");
	}
	if (begins(text, "{zone}")) {
		buf_printf(to, "$%d::text", number(names, &names->zone));
		return strlen("{zone}");
	}
	if (begins(text, "{request}")) {
		buf_printf(to, "$%d::text", number(names, &names->request));
		return strlen("{request}");
	}
	return 0;
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
	if (names->project)
		params[names->project - 1] = caller->project;
	if (names->zone)
		params[names->zone - 1] = caller->zone;
	if (names->request)
		params[names->request - 1] = caller->request;
}
