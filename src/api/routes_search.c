#include "api/act.h"
#include "api/crud.h"
#include "model/model.h"
#include "api/routes.h"

static const struct param search_params[] = {
	{ "query", FT_STRING, .flags = PARAM_REQUIRED, .doc = "A search: planwright-search(7)." },
	{ 0 },
};

const struct route search_routes[] = {
	{ "GET", "/projects/:project/search", NEED_VIEWER, act_search, &res_search,
		.read = STMT_SEARCH, .params = search_params,
		.doc = "What a search finds in a project." },
	{ "GET", "/projects/:project/my/searches", NEED_PARTNER, crud_list, &res_saved_search,
		.read = STMT_SAVED_SEARCH_LIST, .doc = "The caller's saved searches." },
	{ "POST", "/projects/:project/my/searches", NEED_PARTNER, act_search_save,
		&res_saved_search, .read = STMT_SAVED_SEARCH_GET, .doc = "Save a search." },
	{ "GET", "/projects/:project/my/searches/:id", NEED_PARTNER, crud_get, &res_saved_search,
		.read = STMT_SAVED_SEARCH_GET, .known = STMT_SAVED_SEARCH_KNOWN,
		.doc = "One saved search." },
	{ "PUT", "/projects/:project/my/searches/:id", NEED_PARTNER, act_search_change,
		&res_saved_search, .read = STMT_SAVED_SEARCH_GET, .allow = STMT_SAVED_SEARCH_MINE,
		.doc = "Rename a saved search, or change what it looks for." },
	{ "DELETE", "/projects/:project/my/searches/:id", NEED_PARTNER, crud_delete,
		&res_saved_search, .allow = STMT_SAVED_SEARCH_MINE,
		.doc = "Delete a saved search." },
	{ 0 },
};
