/* Fields of what history answers: days, cycle times, analytics. */
#include "model/model.h"
#include "model/things.h"

static const struct field daily_history_container_fields[] = {
	{ "kind", FT_KIND, F_DEFAULT, .doc = "daily_history_container" },
	{ "header", FT_STRINGS, F_DEFAULT, .doc = "Names of the columns, the date first." },
	{ "data", FT_JSON, F_DEFAULT, .doc = "One array per day." },
};
const struct resource res_daily_history_container = { "daily_history_container",
	RESOURCE_FIELDS(daily_history_container_fields) };

static const struct field cycle_time_details_fields[] = {
	{ "kind", FT_KIND, F_DEFAULT, .doc = "cycle_time_details" },
	{ "total_cycle_time", FT_INT, F_DEFAULT,
		.doc = "Milliseconds in all four states; missing for a story that was in none." },
	{ "started_time", FT_INT, F_DEFAULT, .doc = "Milliseconds." },
	{ "started_count", FT_INT, F_DEFAULT, .doc = "How often it entered the state." },
	{ "finished_time", FT_INT, F_DEFAULT, .doc = "Milliseconds." },
	{ "finished_count", FT_INT, F_DEFAULT, .doc = "How often it entered the state." },
	{ "delivered_time", FT_INT, F_DEFAULT, .doc = "Milliseconds." },
	{ "delivered_count", FT_INT, F_DEFAULT, .doc = "How often it entered the state." },
	{ "rejected_time", FT_INT, F_DEFAULT, .doc = "Milliseconds." },
	{ "rejected_count", FT_INT, F_DEFAULT, .doc = "How often it entered the state." },
	{ "story_id", FT_INT, F_DEFAULT | F_KEY, .doc = "The story." },
	{ "story", FT_ONE, 0, .child = &res_story, .key = "story_id", .doc = "The story." },
};
const struct resource res_cycle_time_details = { "cycle_time_details",
	RESOURCE_FIELDS(cycle_time_details_fields) };

static const struct field analytics_fields[] = {
	{ "kind", FT_KIND, F_DEFAULT, .doc = "analytics" },
	{ "cycle_time", FT_INT, F_DEFAULT,
		.doc = "Mean total_cycle_time of the stories accepted, in milliseconds." },
	{ "rejection_rate", FT_FLOAT, F_DEFAULT,
		.doc = "Percentage of the accepted stories that had been rejected." },
	{ "bugs_created", FT_INT, F_DEFAULT, .doc = "Bugs created during it." },
	{ "stories_accepted", FT_INT, F_DEFAULT, .doc = "Stories accepted during it." },
};
const struct resource res_analytics = { "analytics", RESOURCE_FIELDS(analytics_fields) };
