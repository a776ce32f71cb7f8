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
	{ "kind", FT_STRING, F_DEFAULT | F_CARRIED,
		.doc = "What was done: story_update_activity and so on." },
	{ "guid", FT_STRING, F_DEFAULT | F_KEY, .doc = "<project id>_<project version>" },
	{ "project_version", FT_INT, F_DEFAULT | F_CARRIED, .column = "version",
		.doc = "The version that the change created." },
	{ "message", FT_STRING, F_DEFAULT | F_CARRIED, .doc = "A sentence for people." },
	{ "highlight", FT_STRING, F_DEFAULT | F_CARRIED, .doc = "Its verb." },
	{ "changes", FT_EVENTS, F_DEFAULT | F_CARRIED, .doc = "What changed: old and new values." },
	{ "primary_resources", FT_EVENTS, F_DEFAULT | F_CARRIED, .doc = "What it is about." },
	{ "secondary_resources", FT_EVENTS, F_DEFAULT | F_CARRIED, .doc = "What else it affects." },
	{ "project", FT_INLINE, F_DEFAULT, .child = &res_project_name,
		.stays = "all are of one project", .doc = "The project." },
	{ "project_id", FT_INT, 0, .stays = "all are of one project", .doc = "The project." },
	{ "performed_by", FT_INLINE, F_DEFAULT, .child = &res_performer, .doc = "Who did it." },
	{ "performed_by_id", FT_INT, 0, .column = "person_id", .stays = "performed_by tells it",
		.doc = "Who did it." },
	{ "occurred_at", FT_TIME, F_DEFAULT | F_CARRIED, .doc = "When." },
	{ "story_ids", FT_IDS, F_HIDDEN | F_CARRIED, .doc = "Stories in whose feeds it appears." },
	{ "epic_ids", FT_IDS, F_HIDDEN | F_CARRIED, .doc = "Epics in whose feeds it appears." },
};
const struct resource res_activity = { "activity", RESOURCE_FIELDS(activity_fields) };
