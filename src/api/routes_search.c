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
	{ 0 },
};
