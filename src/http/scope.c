#include "http/scope.h"

#include <string.h>

#include "lib/log.h"
#include "model/object.h"

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

struct db_param scope_reach(const struct req *r)
{
	if (r->must_enrol) /* otherwise what is nested in `me` would be everything */
		return db_ids(r->arena, NULL, 0);
	return r->named.id ? r->named.reach : r->session.reach;
}

struct req_session scope_of_session(struct arena *a, const struct rows *rows)
{
	int column = db_column(rows, "reach");
	if (db_is_null(rows, 0, column))
		return (struct req_session){ 0 };
	struct ids reach = object_ids(a, rows, 0, column);
	struct ids places = object_ids(a, rows, 0, db_column(rows, "places"));
	int64_t *withheld = arena_array(a, places.n + 1, sizeof *withheld);
	size_t n = 0;
	for (size_t i = 0; i < places.n; i++)
		if (!ids_have(reach, places.v[i]))
			withheld[n++] = places.v[i];
	return (struct req_session){ db_ids(a, reach.v, reach.n), { withheld, n } };
}

bool scope_withholds(const struct req *r, int64_t place)
{
	return ids_have(r->session.withheld, place);
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
	if (db_is_null(rows, 0, reach))
		return;
	struct ids places = object_ids(r->arena, rows, 0, reach);
	r->named.is_limited = !ids_have(places, 0);
	r->named.reach = db_ids(r->arena, places.v, places.n);
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
			"A named token cannot manage passwords, second factors, tokens or "
			"sessions.",
			"Sign in, or use the token of GET /me.");
	if (scope == SCOPE_WRITE && r->named.reads_only)
		return refuse(r, "This token may only read.", "Use a token with the scope write.");
	if (r->route->flags & R_WHOLE && r->named.is_limited)
		return refuse(r,
			"This token is limited to some projects, and the request goes "
			"beyond them.",
			"Use a token for all projects.");
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
	static const char read_only[] = "25006"; /* a standby: another host records it */
	if (!r->named.is_stale)
		return;
	if (note_use(r) && strcmp(db_error(r->db)->sqlstate, read_only) != 0)
		log_warn("the use of token %lld was not recorded; the next request will record it",
			(long long)r->named.id);
	db_end(r->db);
}
