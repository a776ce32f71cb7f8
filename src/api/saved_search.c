/* Saved searches: endpoints. */
#include "domain/saved_search.h"

#include "api/command.h"
#include "api/crud.h"
#include "api/routes.h"
#include "model/model.h"
#include "search/search.h"

/* A query in the body must be a valid search; the table refuses anything that is not text. */
static enum rc save(struct req *r)
{
	const struct body *query = body_get(r->body, "query");
	const char *problem;
	if (query && query->type == BODY_TEXT && str_count_chars(query->text) <= QUERY_MAX &&
		!search_parse(r->arena, query->text, &problem))
		req_refuse(r, req_fail_field(r, "query", "%s", problem));
	return command_run(r);
}

static void load_create(struct command *c)
{
	load_new_ids(&c->load, &res_saved_search, 1);
}

const struct route saved_search_routes[] = {
	{ "GET", "/projects/:project/my/searches", NEED_PARTNER, crud_list, &res_saved_search,
		.read = STMT_SAVED_SEARCH_LIST, .doc = "The caller's saved searches." },
	{ "POST", "/projects/:project/my/searches", NEED_PARTNER, save, &res_saved_search,
		.read = STMT_SAVED_SEARCH_GET, .target = &res_saved_search, .load = load_create,
		.decide = saved_search_create, .flags = R_UNTOLD,
		.example = "{\"name\":\"Mine\",\"query\":\"mywork:AL\"}", .audit = AUDIT_UNTOLD,
		.doc = "Save a search." },
	{ "GET", "/projects/:project/my/searches/:id", NEED_PARTNER, crud_get, &res_saved_search,
		.read = STMT_SAVED_SEARCH_GET, .exists = STMT_SAVED_SEARCH_EXISTS,
		.doc = "One saved search." },
	{ "PUT", "/projects/:project/my/searches/:id", NEED_PARTNER, save, &res_saved_search,
		.read = STMT_SAVED_SEARCH_GET, .target = &res_saved_search,
		.find = STMT_SAVED_SEARCH_LOAD, .decide = saved_search_update, .flags = R_UNTOLD,
		.example = "{\"name\":\"My work\"}", .audit = AUDIT_UNTOLD,
		.doc = "Rename a saved search, or change what it looks for." },
	{ "DELETE", "/projects/:project/my/searches/:id", NEED_PARTNER, command_run, NULL,
		.target = &res_saved_search, .find = STMT_SAVED_SEARCH_LOAD,
		.decide = saved_search_delete, .flags = R_UNTOLD, .audit = AUDIT_UNTOLD,
		.doc = "Delete a saved search." },
	{ 0 },
};
