#include "model/model.h"

static const struct field label_fields[] = {
	{ "kind", FT_KIND, F_DEFAULT, .doc = "label" },
	{ "id", FT_INT, F_DEFAULT | F_KEY, .doc = "Identifier." },
	{ "project_id", FT_INT, F_DEFAULT, .doc = "The project." },
	{ "project", FT_ONE, F_HIDES_KEY, .child = &res_project, .key = "project_id",
		.doc = "The project." },
	{ "name", FT_TEXT, F_DEFAULT | F_WRITE | F_REQUIRED | F_NO_BLANK, .max = 255,
		.blank = "Please enter a name for the label.",
		.doc = "In lower case, once in a project, at most 255 characters." },
	{ "created_at", FT_TIME, F_DEFAULT, .doc = "When it was made." },
	{ "updated_at", FT_TIME, F_DEFAULT, .doc = "When it was last changed." },
	{ "has_epic", FT_BOOL, F_SIDE, .fetch = STMT_LABEL_EPICS,
		.doc = "Whether it is an epic's." },
	{ "counts", FT_JSON, F_SIDE, .fetch = STMT_LABEL_COUNTS,
		.doc = "Stories with this label by state: how many, how many without points, and the points." },
};
const struct resource res_label = { "label", .table = "label", .parent = "project_id",
	.parent_value = "project()", RESOURCE_FIELDS(label_fields), .by_ids = STMT_LABEL_BY_IDS };

static const struct field story_label_body_fields[] = {
	{ "id", FT_INT, F_CREATE, .doc = "A label of the project." },
	{ "name", FT_TEXT, F_CREATE | F_NO_BLANK, .max = 255,
		.blank = "Please enter a name for the label.",
		.doc = "A label by name, made if new." },
};
const struct resource res_story_label_body = { "label", RESOURCE_FIELDS(story_label_body_fields) };
