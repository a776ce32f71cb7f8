#include "http/scope.h"

#include <string.h>

#include "lib/log.h"

enum scope scope_of(const struct route *route)
{
	if (route->scope != SCOPE_BY_METHOD)
		return route->scope;
	return strcmp(route->method, "GET") ? SCOPE_WRITE : SCOPE_READ;
}

const char *scope_word(enum scope scope)
{
	static const char *const words[] = { NULL, "none", "read", "write", "own" };
	return words[scope];
}

/* The row's array is gone with the rows; what it holds is needed until the answer. */
static struct db_param copy_ids(struct req *r, const struct rows *rows, int column)
{
	struct db_array array = db_array(rows, 0, column);
	int64_t *ids = arena_array(r->arena, (size_t)array.left + 1, sizeof *ids);
	size_t n = 0;
	while (db_array_next_int(&array, &ids[n]))
		n++;
	return db_ids(r->arena, ids, n);
}

void scope_take_token(struct req *r, const struct rows *rows)
{
	int id = db_column(rows, "token_id");
	r->named = (struct req_token){ .reach = db_null() };
	if (id < 0 || db_is_null(rows, 0, id))
		return;
	int reach = db_column(rows, "reach");
	r->named.id = db_get_int(rows, 0, id);
	r->named.reads_only = db_get_bool(rows, 0, db_column(rows, "reads_only"));
	r->named.is_stale = db_get_bool(rows, 0, db_column(rows, "is_stale"));
	r->named.is_limited = !db_is_null(rows, 0, reach);
	if (r->named.is_limited)
		r->named.reach = copy_ids(r, rows, reach);
}

static enum rc refuse(struct req *r, const char *why, const char *fix)
{
	req_fail(r, RC_INSUFFICIENT_SCOPE, "%s", why);
	r->error.possible_fix = str_of(fix);
	return RC_INSUFFICIENT_SCOPE;
}

enum rc scope_check(struct req *r)
{
	enum scope scope = scope_of(r->route);
	if (!r->named.id || scope == SCOPE_NONE)
		return RC_OK;
	if (scope == SCOPE_OWN)
		return refuse(r,
			"A named token does not manage passwords, second factors, tokens or sessions.",
			"Sign in, or use the token of GET /me.");
	if (scope == SCOPE_WRITE && r->named.reads_only)
		return refuse(r, "This token may only read.", "Use a token of the scope write.");
	if (r->route->flags & R_WHOLE && r->named.is_limited)
		return refuse(r, "This token is one of some projects, and this is more than they.",
			"Use a token of all projects.");
	return RC_OK;
}

static enum rc note_use(struct req *r)
{
	struct db_param id = db_int(r->arena, r->named.id);
	struct rows *rows;
	db_send(r->db, STMT_TOKEN_USED, 1, &id);
	db_commit(r->db);
	enum rc rc = db_next(r->db, &rows);
	return rc ? rc : db_finish(r->db);
}

void scope_note_use(struct req *r)
{
	static const char read_only[] = "25006"; /* a standby: another host notes it */
	if (!r->named.is_stale)
		return;
	if (note_use(r) && strcmp(db_error(r->db)->sqlstate, read_only) != 0)
		log_warn("the use of token %lld was not noted; the next request will note it",
			(long long)r->named.id);
	db_end(r->db);
}
