/* Fields of workspaces. */
#include "model/model.h"
#include "model/things.h"

static const struct workspace preset = {
	.id = NIL, .person_id = NIL, .name = { "My Workspace", sizeof "My Workspace" - 1 }
};

static const struct field fields[] = {
	{ "id", FT_INT, F_DEFAULT | F_KEY, .doc = "Identifier." },
	{ "kind", FT_KIND, F_DEFAULT | F_CREATE | F_IGNORED, .doc = "workspace" },
	{ "name", FT_TEXT, F_DEFAULT | F_CREATE | F_NO_BLANK | F_STORED | F_UNTOLD,
		AT(workspace, name), .max = 25,
		.doc = "At most 25 characters; My Workspace by default." },
	{ "person_id", FT_INT, F_DEFAULT | F_STORED, AT(workspace, person_id),
		.doc = "The person it belongs to." },
	{ "person", FT_ONE, F_HIDES_KEY, .child = &res_person, .key = "person_id",
		.doc = "The person it belongs to." },
	{ "project_ids", FT_IDS, F_DEFAULT | F_WRITE | F_STORED | F_UNTOLD,
		AT(workspace, project_ids), .max = 500,
		.doc = "Its projects, in the order given." },
	{ "projects", FT_SOME, F_HIDES_KEY, .child = &res_project, .key = "project_ids",
		.doc = "Its projects, in the order given." },
};
const struct resource res_workspace = { "workspace", .table = "workspace", RESOURCE_FIELDS(fields),
	.by_ids = STMT_WORKSPACE_BY_IDS, .size = sizeof(struct workspace), .preset = &preset };
