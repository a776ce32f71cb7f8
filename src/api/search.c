/* Searches: the answer's fields, endpoints, and lists with a filter. */
#include "api/search.h"

#include <string.h>

#include "api/crud.h"
#include "api/gate.h"
#include "api/routes.h"
#include "http/guard.h"
#include "http/list.h"
#include "model/model.h"
#include "search/search_sql.h"
#include "store/plan_load.h"

/* Fields -------------------------------------------------------------------- */

/* The answer to a search: one row, whose objects have no kind (contract 4.4). */
static const struct field search_stories_fields[] = {
	{ "stories", FT_SOME, F_DEFAULT, .child = &res_story, .key = "story_ids",
		.doc = "At most 500: accepted in the current iteration, in progress, unstarted, "
		       "unscheduled, then accepted earlier." },
	{ "story_ids", FT_IDS, F_HIDDEN, .doc = "Their ids." },
	{ "total_points", FT_FLOAT, F_DEFAULT, .doc = "Points of all stories found." },
	{ "total_points_completed", FT_FLOAT, F_DEFAULT,
		.doc = "Points of the accepted ones "
		       "among them." },
	{ "total_hits", FT_INT, F_DEFAULT, .doc = "How many stories were found." },
	{ "total_hits_with_done", FT_INT, F_DEFAULT,
		.doc = "How many would be found with includedone:true." },
};
static const struct resource res_search_stories = { "search_stories",
	RESOURCE_FIELDS(search_stories_fields), .is_versioned = true };

static const struct field search_epics_fields[] = {
	{ "epics", FT_SOME, F_DEFAULT, .child = &res_epic, .key = "epic_ids",
		.fetch = STMT_EPIC_BY_IDS, .doc = "At most 500, in the order of epics." },
	{ "epic_ids", FT_IDS, F_HIDDEN, .doc = "Their ids." },
	{ "total_hits", FT_INT, F_DEFAULT, .doc = "How many epics were found." },
	{ "total_hits_with_done", FT_INT, F_DEFAULT, .doc = "The same: epics are never done." },
};
static const struct resource res_search_epics = { "search_epics",
	RESOURCE_FIELDS(search_epics_fields), .is_versioned = true };

static const struct field search_fields[] = {
	{ "stories", FT_INLINE, F_DEFAULT, .child = &res_search_stories, .doc = "Stories found." },
	{ "epics", FT_INLINE, F_DEFAULT, .child = &res_search_epics, .doc = "Epics found." },
	{ "query", FT_STRING, F_DEFAULT, .doc = "The search, as it was sent." },
};
static const struct resource res_search = { "search", RESOURCE_FIELDS(search_fields),
	.is_versioned = true };

/* What both begin with ------------------------------------------------------ */

/* The time limit for a regular expression, whatever the limit for statements is. */
enum { REGEX_MS = 1500 };

static void parse_search(struct req *r, const char *param)
{
	const struct uri_param *given = uri_find(r->params, param);
	const char *problem;
	if (!given)
		return;
	r->search = search_parse(r->arena, given->value, &problem);
	if (!r->search)
		req_refuse(r, req_fail(r, RC_INVALID_PARAMETER, "%s", problem));
	else if (r->search->n_regexes && !r->token.p && !r->login_id)
		req_refuse(r,
			req_fail(r, RC_INVALID_PARAMETER,
				"at character %zu of the search: regular expressions require an API token",
				r->search->regexes[0].place));
	else if (r->search->n_regexes)
		db_limit(r->db, REGEX_MS);
}

/* Faults that only the database sees ------------------------------------------ */

/* A function detects invalid expressions by catching the failure, so that clients cannot fill the
   server's log at will. */
static enum rc check_regexes(struct req *r)
{
	for (int i = 0; i < r->search->n_regexes; i++) {
		const struct search_regex *x = &r->search->regexes[i];
		struct db_param p = db_text(r->arena, x->text);
		struct rows *rows;
		db_send(r->db, STMT_SEARCH_REGEX, 1, &p);
		db_flush(r->db);
		enum rc rc = req_next(r, &rows);
		if (rc)
			return rc;
		if (!db_get_bool(rows, 0, 0))
			return req_fail(r, RC_INVALID_PARAMETER,
				"at character %zu of the search: /%.*s/ is not a valid regular expression",
				x->place, (int)x->text.n, x->text.p);
	}
	return RC_OK;
}

/* The start of the project's current iteration: stories accepted before it are done. */
static void ask_current_day(struct req *r)
{
	plan_load_send_projects(r->arena, r->db, &(int64_t){ route_id(r, ":project") }, 1);
}

static enum rc prepare(struct req *r)
{
	struct plan_project *p;
	size_t n;
	enum rc rc = plan_load_take_projects(r->arena, r->db, &p, &n);
	if (rc)
		return req_fail_db(r, rc);
	r->current_day = n ? plan_load_current_day(p) : 0;
	return check_regexes(r);
}

/* What the failure of a statement with a search in it means. */
static enum rc explain(struct req *r, enum rc rc)
{
	const char *state = db_error(r->db)->sqlstate;
	if (guard_is_over(r))
		return rc;
	if (rc == RC_UNAVAILABLE &&
		(db_stopped(r->db) == DB_STOP_LIMIT || (state && !strcmp(state, "57014"))))
		return req_fail(r, RC_INVALID_PARAMETER,
			"this search takes too long: make its terms narrower, or its regular expressions "
			"simpler");
	if (rc == RC_UNHANDLED_CONDITION && state && !strncmp(state, "54", 2))
		return req_fail(
			r, RC_INVALID_PARAMETER, "this search is too complex: use fewer terms");
	return rc;
}

/* Filter ------------------------------------------------------------------- */

static void put_filter(struct req *r, struct sql *q)
{
	q->for_values = q->once = true;
	sql_put(q, " and ");
	if (r->route->resource == &res_epic) {
		search_sql_put_epics(q, r->search);
		return;
	}
	search_sql_put_stories(q, r->search);
	if (!search_sql_has_done(r->search))
		search_sql_put_undone(q, r->current_day);
}

static const struct crud_where search_where = { ask_current_day, prepare, put_filter };

enum rc search_filter(struct req *r)
{
	parse_search(r, "filter");
	enum rc rc = crud_list_where(r, r->search ? &search_where : NULL);
	return rc && r->search ? explain(r, rc) : rc;
}

enum rc search_rows(struct req *r, struct rows **rows)
{
	struct list list;
	list_check(r);
	parse_search(r, "filter");
	enum rc rc = r->search ? crud_pass(r, &search_where) : gate_pass(r);
	if (!rc) {
		list_send(r, &list, r->search ? put_filter : NULL);
		db_flush(r->db);
		rc = list_take(r, &list, rows);
	}
	return rc && r->search ? explain(r, rc) : rc;
}

/* Search ------------------------------------------------------------------- */

/* The answer is one row; its stories are then fetched by their ids. */
static void send_search(struct req *r, struct str query)
{
	const char *text = stmt_texts[STMT_SEARCH].sql, *stories = strstr(text, stmt_mark);
	const char *epics = strstr(stories + 1, stmt_mark);
	struct sql q;
	sql_init(&q, r->arena);
	q.for_values = q.once = true;
	sql_reserve(&q, db_int(r->arena, route_id(r, ":project")));
	sql_reserve(&q, db_bool(r->arena, search_sql_has_done(r->search)));
	sql_reserve(&q, db_text(r->arena, query));
	sql_reserve(&q, db_date(r->arena, r->current_day));
	sql_put_part(&q, text, (size_t)(stories - text));
	sql_put(&q, " and ");
	search_sql_put_stories(&q, r->search);
	stories += strlen(stmt_mark);
	sql_put_part(&q, stories, (size_t)(epics - stories));
	sql_put(&q, " and ");
	search_sql_put_epics(&q, r->search);
	sql_put(&q, epics + strlen(stmt_mark));
	sql_send(&q, r->db);
}

static enum rc take_search(struct req *r)
{
	struct rows *rows;
	struct fetched *f;
	enum rc rc = req_next(r, &rows);
	if (rc)
		return rc;
	if (!(rc = crud_fetch(r, STMT_NONE, rows, &f)))
		crud_render_one(r, f);
	return rc;
}

static enum rc search(struct req *r)
{
	list_check(r);
	parse_search(r, "query");
	enum rc rc = crud_pass(r, &search_where);
	if (rc)
		return explain(r, rc);
	send_search(r, uri_find(r->params, "query")->value);
	crud_flush(r);
	rc = take_search(r);
	return rc ? explain(r, rc) : RC_OK;
}

/* Endpoints ----------------------------------------------------------------- */

static const struct param search_params[] = {
	{ "query", FT_STRING, .flags = PARAM_REQUIRED, .doc = "A search: planwright-search(7)." },
	{ 0 },
};

const struct route search_routes[] = {
	{ "GET", "/projects/:project/search", NEED_VIEWER, search, &res_search, .read = STMT_SEARCH,
		.params = search_params, .example = "?query=state:started",
		.doc = "What a search finds in a project." },
	{ 0 },
};
