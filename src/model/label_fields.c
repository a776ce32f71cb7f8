/* Fields of labels. */
#include "model/model.h"
#include "model/things.h"

static const struct label label_preset = {
	.id = NIL, .project_id = NIL, .created_at = NIL, .updated_at = NIL
};

static const struct field label_fields[] = {
	{ "kind", FT_KIND, F_DEFAULT | F_CREATE | F_IGNORED, .doc = "label" },
	{ "id", FT_INT, F_DEFAULT | F_KEY, .doc = "Identifier." },
	{ "project_id", FT_INT, F_DEFAULT | F_STORED | F_TOLD, AT(label, project_id),
		.doc = "The project." },
	{ "project", FT_ONE, F_HIDES_KEY, .child = &res_project, .key = "project_id",
		.doc = "The project." },
	{ "name", FT_TEXT,
		F_DEFAULT | F_WRITE | F_REQUIRED | F_NO_BLANK | F_STORED | F_TOLD | F_NAMES,
		.max = 255, .blank = "Please enter a name for the label.", AT(label, name),
		.changed = STMT_SAVE_LABEL_RENAMED,
		.doc = "In lower case, unique in the project, at most 255 characters." },
	{ "created_at", FT_TIME, F_DEFAULT | F_STORED | F_TOLD, AT(label, created_at),
		.doc = "When it was created." },
	{ "updated_at", FT_TIME, F_DEFAULT | F_STORED | F_TOLD, AT(label, updated_at),
		.doc = "When it was last changed." },
	{ "has_epic", FT_BOOL, F_SIDE, .fetch = STMT_LABEL_EPICS,
		.doc = "Whether it belongs to an epic." },
	{ "counts", FT_TALLY, F_SIDE, .fetch = STMT_LABEL_COUNTS,
		.doc = "Stories with this label by state: their number, the number of those "
		       "without points, and the points." },
	{ "counts", FT_TALLY, F_HIDDEN | F_STORED | F_TOLD, .column = "tally", AT(label, tally),
		.stays = "counted again", .doc = "The same, as it is stored." },
	{ "wished", FT_TEXT, F_HIDDEN, AT(label, wished), .doc = "The text that names it." },
};
const struct resource res_label = { "label", .table = "label", RESOURCE_FIELDS(label_fields),
	.by_ids = STMT_LABEL_BY_IDS, .size = sizeof(struct label), .preset = &label_preset,
	.gone = STMT_SAVE_LABEL_GONE, .is_versioned = true };
