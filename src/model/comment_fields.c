/* Fields of comments and their attachments. */
#include "model/model.h"
#include "model/things.h"

static const struct comment comment_preset = { .id = NIL,
	.story_id = NIL,
	.epic_id = NIL,
	.person_id = NIL,
	.created_at = NIL,
	.updated_at = NIL };

/* clang-format off */
#define FILE_FIELDS										\
	{ "filename", FT_STRING, F_DEFAULT | F_CARRIED, AT(file_attachment, filename), .max = 1023,			\
		.search = "attachment", .doc = "The file's original name." },				\
	{ "created_at", FT_TIME, F_DEFAULT | F_CARRIED, AT(file_attachment, created_at),			\
		.doc = "When it was uploaded." },							\
	{ "uploader_id", FT_INT, F_DEFAULT | F_CARRIED, AT(file_attachment, uploader_id),			\
		.doc = "Who uploaded it." },							\
	{ "uploader", FT_ONE, F_HIDES_KEY, .child = &res_person, .key = "uploader_id",		\
		.doc = "Who uploaded it." },							\
	{ "thumbnailable", FT_BOOL, F_DEFAULT | F_CARRIED, AT(file_attachment, thumbnailable),		\
		.doc = "Whether it has thumbnails." },				\
	{ "height", FT_INT, F_DEFAULT | F_CARRIED, AT(file_attachment, height),				\
		.doc = "For pictures: pixels." },						\
	{ "width", FT_INT, F_DEFAULT | F_CARRIED, AT(file_attachment, width),				\
		.doc = "For pictures: pixels." },						\
	{ "size", FT_INT, F_DEFAULT | F_CARRIED, AT(file_attachment, size), .doc = "Bytes." },		\
	{ "download_url", FT_STRING, F_DEFAULT, AT(file_attachment, download_url),		\
		.doc = "Where to download it, from the host's root." },			\
	{ "content_type", FT_STRING, F_DEFAULT | F_CARRIED, AT(file_attachment, content_type), .max = 128,		\
		.doc = "The type of its content, not the one that the client sent." },			\
	{ "uploaded", FT_BOOL, F_DEFAULT, AT(file_attachment, uploaded),			\
		.doc = "Whether it is attached to a comment." },				\
	{ "big_url", FT_STRING, F_DEFAULT, AT(file_attachment, big_url),			\
		.doc = "A large picture; # if there is none." },			\
	{ "thumbnail_url", FT_STRING, F_DEFAULT, AT(file_attachment, thumbnail_url),		\
		.doc = "A small picture; # if there is none." }

#define GOOGLE_FIELDS										\
	{ "comment_id", FT_INT, F_DEFAULT | F_STORED, AT(google_attachment, comment_id),	\
		.doc = "The comment." },							\
	{ "comment", FT_ONE, F_HIDES_KEY, .child = &res_comment, .key = "comment_id",	\
		.doc = "The comment." },							\
	{ "person_id", FT_INT, F_DEFAULT | F_STORED, AT(google_attachment, person_id),		\
		.doc = "Who attached it." },							\
	{ "person", FT_ONE, F_HIDES_KEY, .child = &res_person, .key = "person_id",		\
		.doc = "Who attached it." },							\
	{ "google_kind", FT_STRING, F_DEFAULT | F_CREATE | F_STORED | F_UNTOLD, .max = 255,	\
		AT(google_attachment, google_kind), .doc = "document, spreadsheet …" },	\
	{ "title", FT_STRING, F_DEFAULT | F_CREATE | F_STORED | F_UNTOLD, .max = 255,	\
		AT(google_attachment, title), .search = "attachment", .doc = "Its title." },		\
	{ "google_id", FT_STRING, F_DEFAULT | F_CREATE | F_STORED | F_UNTOLD, .max = 255,	\
		AT(google_attachment, google_id), .doc = "Its id there." },			\
	{ "alternate_link", FT_STRING, F_DEFAULT | F_CREATE | F_STORED | F_UNTOLD, .max = 2000,	\
		AT(google_attachment, alternate_link), .doc = "Where it can be opened." },	\
	{ "resource_id", FT_STRING, F_DEFAULT | F_CREATE | F_STORED | F_UNTOLD, .max = 255,	\
		AT(google_attachment, resource_id), .doc = "Its typed id there." }
/* clang-format on */

static const struct field file_attachment_fields[] = {
	{ "kind", FT_KIND, F_DEFAULT, .doc = "file_attachment" },
	{ "id", FT_INT, F_DEFAULT | F_KEY, .doc = "Identifier." },
	FILE_FIELDS,
	{ "comment_id", FT_INT, F_HIDDEN | F_STORED, AT(file_attachment, comment_id),
		.doc = "The comment; none until it is attached." },
};
const struct resource res_file_attachment = { "file_attachment", .table = "file_attachment",
	RESOURCE_FIELDS(file_attachment_fields), .by_ids = STMT_FILE_ATTACHMENT_BY_IDS,
	.size = sizeof(struct file_attachment), .sequence = "attachment_id", .depth = 3,
	.is_versioned = true };

static const struct field google_attachment_fields[] = {
	{ "kind", FT_KIND, F_DEFAULT | F_CREATE | F_IGNORED, .doc = "google_attachment" },
	{ "id", FT_INT, F_DEFAULT | F_KEY, .doc = "Identifier." },
	GOOGLE_FIELDS,
};
const struct resource res_google_attachment = { "google_attachment", .table = "google_attachment",
	RESOURCE_FIELDS(google_attachment_fields), .by_ids = STMT_GOOGLE_ATTACHMENT_BY_IDS,
	.size = sizeof(struct google_attachment), .sequence = "attachment_id", .depth = 3,
	.is_versioned = true };

static const struct field attachment_fields[] = {
	{ "kind", FT_STRING, F_DEFAULT, .doc = "file_attachment or google_attachment." },
	{ "id", FT_INT, F_DEFAULT | F_KEY, .doc = "Identifier." },
	FILE_FIELDS,
	GOOGLE_FIELDS,
};
static const struct resource res_attachment = { "attachment", RESOURCE_FIELDS(attachment_fields),
	.by_ids = STMT_ATTACHMENT_BY_IDS, .is_versioned = true };

/* The other fields that an upload returned may be sent back with its id. */
/* clang-format off */
#define UPLOAD_FIELDS										\
	{ "type", FT_STRING, F_CREATE | F_IGNORED, .doc = "The kind, by its name in older revisions." },	\
	{ "filename", FT_STRING, F_CREATE | F_IGNORED, .doc = "As answered." },			\
	{ "created_at", FT_TIME, F_CREATE | F_IGNORED, .doc = "As answered." },			\
	{ "uploader_id", FT_INT, F_CREATE | F_IGNORED, .doc = "As answered." },			\
	{ "uploader", FT_OBJECT, F_CREATE | F_IGNORED, .doc = "As answered." },			\
	{ "thumbnailable", FT_BOOL, F_CREATE | F_IGNORED, .doc = "As answered." },		\
	{ "height", FT_INT, F_CREATE | F_IGNORED, .doc = "As answered." },			\
	{ "width", FT_INT, F_CREATE | F_IGNORED, .doc = "As answered." },			\
	{ "size", FT_INT, F_CREATE | F_IGNORED, .doc = "As answered." },			\
	{ "download_url", FT_STRING, F_CREATE | F_IGNORED, .doc = "As answered." },		\
	{ "content_type", FT_STRING, F_CREATE | F_IGNORED, .doc = "As answered." },		\
	{ "uploaded", FT_BOOL, F_CREATE | F_IGNORED, .doc = "As answered." },			\
	{ "big_url", FT_STRING, F_CREATE | F_IGNORED, .doc = "As answered." },			\
	{ "thumbnail_url", FT_STRING, F_CREATE | F_IGNORED, .doc = "As answered." }
/* clang-format on */

/* A file_attachment as an upload answered it: only the id counts. */
static const struct field upload_item_fields[] = {
	{ "id", FT_INT, F_CREATE | F_REQUIRED, AT(google_attachment, upload_id),
		.doc = "The upload." },
	{ "kind", FT_STRING, F_CREATE | F_IGNORED, .doc = "file_attachment" },
	UPLOAD_FIELDS,
};
static const struct resource res_upload_item = { "file_attachment",
	RESOURCE_FIELDS(upload_item_fields), .size = sizeof(struct google_attachment) };

/* Either kind of attachment: an upload by its id, or a new google attachment without one. */
static const struct field attachment_item_fields[] = {
	{ "id", FT_INT, F_CREATE, AT(google_attachment, upload_id), .doc = "An upload." },
	{ "kind", FT_STRING, F_CREATE | F_IGNORED, .doc = "file_attachment or google_attachment." },
	UPLOAD_FIELDS,
	GOOGLE_FIELDS,
};
static const struct resource res_attachment_item = { "attachment",
	RESOURCE_FIELDS(attachment_item_fields), .size = sizeof(struct google_attachment) };

static const struct field comment_fields[] = {
	{ "kind", FT_KIND, F_DEFAULT | F_CREATE | F_IGNORED, .doc = "comment" },
	{ "id", FT_INT, F_DEFAULT | F_KEY, .doc = "Identifier." },
	{ "story_id", FT_INT, F_DEFAULT | F_STORED | F_TOLD, AT(comment, story_id),
		.doc = "The story, if it is on one." },
	{ "story", FT_ONE, F_HIDES_KEY, .child = &res_story, .key = "story_id",
		.doc = "The story." },
	{ "epic_id", FT_INT, F_DEFAULT | F_STORED | F_TOLD, AT(comment, epic_id),
		.doc = "The epic, if it is on one." },
	{ "epic", FT_ONE, F_HIDES_KEY, .child = &res_epic, .key = "epic_id", .doc = "The epic." },
	{ "text", FT_TEXT, F_DEFAULT | F_WRITE | F_NULL | F_STORED | F_TOLD, AT(comment, text),
		.max = 20000, .search = "comment",
		.doc = "At most 20000 characters; may be missing if something is attached." },
	{ "person_id", FT_INT, F_DEFAULT | F_CREATE | F_STORED | F_TOLD, AT(comment, person_id),
		.doc = "The author; the caller by default." },
	{ "person", FT_ONE, F_HIDES_KEY, .child = &res_person, .key = "person_id",
		.doc = "The author." },
	{ "created_at", FT_TIME, F_DEFAULT | F_STORED | F_TOLD, AT(comment, created_at),
		.doc = "When it was created." },
	{ "updated_at", FT_TIME, F_DEFAULT | F_STORED | F_TOLD, AT(comment, updated_at),
		.doc = "When it or its attachments were last changed." },
	{ "imported_at", FT_TIME, 0, .stays = "each import tells its own",
		.doc = "When an import created it, if one did." },
	{ "imported_by_id", FT_INT, 0, .stays = "each import tells its own",
		.doc = "Who requested that import." },
	{ "imported_by", FT_ONE, 0, .child = &res_person, .key = "imported_by_id",
		.doc = "Who requested that import." },
	{ "file_attachment_ids", FT_IDS, F_CREATE | F_STORED | F_TOLD,
		AT(comment, file_attachment_ids), .max = 100, .search = "attachment",
		.stays = "the attachments themselves are held", .doc = "Attached files." },
	{ "file_attachments", FT_SOME, F_TOLD_NEW, AT(comment, file_attachments),
		.child = &res_file_attachment, .key = "file_attachment_ids",
		.doc = "Attached files." },
	{ "file_attachments", FT_LIST, F_CREATE | F_HIDDEN, AT(comment, file_wishes),
		.child = &res_upload_item, .max = 100,
		.doc = "Uploads to attach, as returned by the upload." },
	{ "google_attachment_ids", FT_IDS, F_STORED | F_TOLD, AT(comment, google_attachment_ids),
		.search = "attachment", .stays = "the attachments themselves are held",
		.doc = "Attached Google documents." },
	{ "google_attachments", FT_SOME, F_TOLD_NEW, AT(comment, google_attachments),
		.child = &res_google_attachment, .key = "google_attachment_ids",
		.doc = "Attached Google documents." },
	{ "google_attachments", FT_LIST, F_CREATE | F_HIDDEN, AT(comment, google_wishes),
		.child = &res_google_attachment, .max = 100, .doc = "Google documents to attach." },
	{ "attachment_ids", FT_IDS, F_TOLD_NEW, AT(comment, attachment_ids),
		.doc = "Both kinds of attachments, files first." },
	{ "attachments", FT_SOME, 0, .child = &res_attachment, .key = "attachment_ids",
		.doc = "Both kinds of attachments, files first." },
	{ "attachments", FT_LIST, F_CREATE | F_HIDDEN, AT(comment, attachment_wishes),
		.child = &res_upload_item, .max = 100, .doc = "Uploads to attach, by their ids." },
	{ "commit_identifier", FT_STRING, F_DEFAULT | F_CREATE | F_STORED | F_TOLD,
		AT(comment, commit_identifier), .max = 255,
		.doc = "The commit that it came from." },
	{ "commit_type", FT_STRING, F_DEFAULT | F_CREATE | F_STORED | F_TOLD,
		AT(comment, commit_type), .max = 255,
		.doc = "The source control system that it came from." },
	{ "external_source", FT_STRING, F_DEFAULT | F_CREATE | F_STORED | F_UNTOLD,
		AT(comment, external_source), .max = 255, .doc = "The system it was copied from." },
	{ "external_author", FT_STRING, F_DEFAULT | F_CREATE | F_STORED | F_UNTOLD,
		AT(comment, external_author), .max = 255, .doc = "Its author there." },
	{ "external_link", FT_STRING, F_DEFAULT | F_CREATE | F_STORED | F_UNTOLD,
		AT(comment, external_link), .max = 2000, .doc = "Its address there." },
	{ "attachment_ids_to_remove", FT_REFS, F_UPDATE | F_HIDDEN,
		AT(comment, attachments_to_remove), .max = 100,
		.doc = "Attachments of either kind to remove: {\"id\"} or ids." },
	{ "attachments_to_add", FT_LIST, F_UPDATE | F_HIDDEN, AT(comment, attachment_wishes),
		.child = &res_attachment_item, .max = 100,
		.doc = "Attachments of either kind to add." },
	{ "file_attachment_ids_to_add", FT_IDS, F_UPDATE | F_HIDDEN, AT(comment, files_to_add),
		.max = 100, .doc = "Uploads to attach." },
	{ "file_attachment_ids_to_remove", FT_IDS, F_UPDATE | F_HIDDEN,
		AT(comment, files_to_remove), .max = 100, .doc = "Files to remove." },
	{ "google_attachment_ids_to_remove", FT_IDS, F_UPDATE | F_HIDDEN,
		AT(comment, google_to_remove), .max = 100, .doc = "Google documents to remove." },
};
const struct resource res_comment = { "comment", .table = "comment",
	RESOURCE_FIELDS(comment_fields), .by_ids = STMT_COMMENTS_VISIBLE,
	.size = sizeof(struct comment), .preset = &comment_preset, .depth = 2,
	.is_versioned = true };

/* The comment sent along with a change of a story. */
static const struct field comment_body_fields[] = {
	{ "kind", FT_STRING, F_UPDATE | F_IGNORED, .doc = "comment" },
	{ "text", FT_TEXT, F_UPDATE | F_STORED, AT(comment, text), .max = 20000,
		.doc = "At most 20000 characters." },
	{ "person_id", FT_INT, F_UPDATE | F_STORED, AT(comment, person_id),
		.doc = "The author; the caller by default." },
	{ "file_attachment_ids", FT_IDS, F_UPDATE, AT(comment, file_attachment_ids), .max = 100,
		.doc = "Uploads to attach." },
	{ "file_attachments", FT_LIST, F_UPDATE, AT(comment, file_wishes),
		.child = &res_upload_item, .max = 100,
		.doc = "Uploads to attach, as returned by the upload." },
	{ "google_attachments", FT_LIST, F_UPDATE, AT(comment, google_wishes),
		.child = &res_google_attachment, .max = 100, .doc = "Google documents to attach." },
	{ "attachments", FT_LIST, F_UPDATE, AT(comment, attachment_wishes),
		.child = &res_upload_item, .max = 100, .doc = "Uploads to attach, by their ids." },
};
const struct resource res_comment_body = { "comment", RESOURCE_FIELDS(comment_body_fields),
	.size = sizeof(struct comment), .preset = &comment_preset };
