/* Fields of activities, and of the projects and people in them. */
#include "model/model.h"
#include "model/things.h"

/* The few fields of the project and the person in it. */
static const struct field project_name_fields[] = {
	{ "kind", FT_KIND, F_DEFAULT, .doc = "project" },
	{ "id", FT_INT, F_DEFAULT | F_KEY, .doc = "Identifier." },
	{ "name", FT_STRING, F_DEFAULT, .doc = "Name." },
};
const struct resource res_project_name = { "project", RESOURCE_FIELDS(project_name_fields) };

static const struct field performer_fields[] = {
	{ "kind", FT_KIND, F_DEFAULT, .doc = "person" },
	{ "id", FT_INT, F_DEFAULT | F_KEY, .doc = "Identifier." },
	{ "name", FT_STRING, F_DEFAULT, .doc = "Full name." },
	{ "initials", FT_STRING, F_DEFAULT, .doc = "Initials." },
};
static const struct resource res_performer = { "person", RESOURCE_FIELDS(performer_fields) };

static const struct field activity_fields[] = {
	{ "kind", FT_STRING, F_DEFAULT, .doc = "What was done: story_update_activity and so on." },
	{ "guid", FT_STRING, F_DEFAULT | F_KEY, .doc = "<project id>_<project version>" },
	{ "project_version", FT_INT, F_DEFAULT, .doc = "The version that the change made." },
	{ "message", FT_STRING, F_DEFAULT, .doc = "A sentence for people." },
	{ "highlight", FT_STRING, F_DEFAULT, .doc = "Its verb." },
	{ "changes", FT_EVENTS, F_DEFAULT, .doc = "What changed: old and new values." },
	{ "primary_resources", FT_EVENTS, F_DEFAULT, .doc = "What it is about." },
	{ "secondary_resources", FT_EVENTS, F_DEFAULT, .doc = "What else it touches." },
	{ "project", FT_INLINE, F_DEFAULT, .child = &res_project_name, .doc = "The project." },
	{ "project_id", FT_INT, 0, .doc = "The project." },
	{ "performed_by", FT_INLINE, F_DEFAULT, .child = &res_performer, .doc = "Who did it." },
	{ "performed_by_id", FT_INT, 0, .doc = "Who did it." },
	{ "occurred_at", FT_TIME, F_DEFAULT, .doc = "When." },
};
const struct resource res_activity = { "activity", RESOURCE_FIELDS(activity_fields) };
