#include "api/act.h"
#include "api/routes.h"

const struct route aggregator_routes[] = {
	{ "POST", "/aggregator", NEED_PERSON, act_aggregator, NULL,
		.flags = R_ARRAY_BODY | R_QUIET | R_NOT_IN_PARTS | R_READS,
		.doc = "Many GETs in one request: an array of paths, answered as an object." },
	{ 0 },
};
