#include "act.h"
#include "crud.h"
#include "model.h"
#include "routes.h"

const struct route source_routes[] = {
	{ "POST", "/aggregator", NEED_PERSON, act_aggregator, NULL,
		.flags = R_ARRAY_BODY | R_QUIET | R_NOT_IN_PARTS,
		.doc = "Many GETs in one request: an array of paths, answered as an object." },
	{ "POST", "/source_commits", NEED_PERSON, act_source_commit, &res_story,
		.read = STMT_SOURCE_COMMIT_STORIES, .write = STMT_SOURCE_COMMIT,
		.body = &res_source_commit_body, .flags = R_QUIET,
		.doc = "Tell of a commit; answers the stories that it changed." },
	{ 0 },
};
