#include "model/model.h"

/* The answer of a search: one row, whose objects have no kind (contract 4.4). */
static const struct field search_stories_fields[] = {
	{ "stories", FT_SOME, F_DEFAULT, .child = &res_story, .key = "story_ids",
		.doc = "At most 500: accepted in the current iteration, in progress, unstarted, "
		       "unscheduled, then accepted earlier." },
	{ "story_ids", FT_IDS, F_HIDDEN, .doc = "Their ids." },
	{ "total_points", FT_FLOAT, F_DEFAULT, .doc = "Points of all stories found." },
	{ "total_points_completed", FT_FLOAT, F_DEFAULT, .doc = "Of them those of accepted ones." },
	{ "total_hits", FT_INT, F_DEFAULT, .doc = "How many stories were found." },
	{ "total_hits_with_done", FT_INT, F_DEFAULT,
		.doc = "How many would be found with includedone:true." },
};
static const struct resource res_search_stories = { "search_stories",
	RESOURCE_FIELDS(search_stories_fields) };

static const struct field search_epics_fields[] = {
	{ "epics", FT_SOME, F_DEFAULT, .child = &res_epic, .key = "epic_ids",
		.fetch = STMT_EPIC_BY_IDS, .doc = "At most 500, in the order of epics." },
	{ "epic_ids", FT_IDS, F_HIDDEN, .doc = "Their ids." },
	{ "total_hits", FT_INT, F_DEFAULT, .doc = "How many epics were found." },
	{ "total_hits_with_done", FT_INT, F_DEFAULT, .doc = "The same: epics are never done." },
};
static const struct resource res_search_epics = { "search_epics",
	RESOURCE_FIELDS(search_epics_fields) };

static const struct field search_fields[] = {
	{ "stories", FT_INLINE, F_DEFAULT, .child = &res_search_stories, .doc = "Stories found." },
	{ "epics", FT_INLINE, F_DEFAULT, .child = &res_search_epics, .doc = "Epics found." },
	{ "query", FT_STRING, F_DEFAULT, .doc = "The search, as it was sent." },
};
const struct resource res_search = { "search", RESOURCE_FIELDS(search_fields) };
