/* Fields of saved searches. */
#include "model/model.h"
#include "model/things.h"

static const struct saved_search preset = {
	.id = NIL, .project_id = NIL, .person_id = NIL, .created_at = NIL, .updated_at = NIL
};

static const struct field fields[] = {
	{ "kind", FT_KIND, F_DEFAULT | F_CREATE | F_IGNORED, .doc = "saved_search" },
	{ "id", FT_INT, F_DEFAULT | F_KEY, .doc = "Identifier." },
	{ "project_id", FT_INT, F_DEFAULT | F_STORED, AT(saved_search, project_id),
		.doc = "The project." },
	{ "project", FT_ONE, F_HIDES_KEY, .child = &res_project, .key = "project_id",
		.doc = "The project." },
	{ "name", FT_STRING, F_DEFAULT | F_WRITE | F_REQUIRED | F_NO_BLANK | F_STORED | F_UNTOLD,
		AT(saved_search, name), .max = 255, .doc = "Its name, at most 255 characters." },
	{ "query", FT_STRING, F_DEFAULT | F_WRITE | F_REQUIRED | F_NO_BLANK | F_STORED | F_UNTOLD,
		AT(saved_search, query), .max = QUERY_MAX,
		.doc = "The search, at most 1000 characters: planwright-search(7)." },
	{ "person_id", FT_INT, F_HIDDEN | F_STORED, AT(saved_search, person_id),
		.doc = "Who created it." },
	{ "person", FT_ONE, F_HIDDEN, .child = &res_person, .key = "person_id",
		.doc = "Who created it." },
	{ "created_at", FT_TIME, F_HIDDEN | F_STORED, AT(saved_search, created_at),
		.doc = "When it was created." },
	{ "updated_at", FT_TIME, F_HIDDEN | F_STORED, AT(saved_search, updated_at),
		.doc = "When it was last changed." },
};
const struct resource res_saved_search = { "saved_search", .table = "saved_search",
	RESOURCE_FIELDS(fields), .size = sizeof(struct saved_search), .preset = &preset };
