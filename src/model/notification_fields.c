/* Fields of notifications. */
#include "model/model.h"
#include "model/things.h"

/* The few fields of the person, story or epic in it. */
static const struct field person_name_fields[] = {
	{ "kind", FT_KIND, F_DEFAULT, .doc = "person" },
	{ "id", FT_INT, F_DEFAULT | F_KEY, .doc = "Identifier." },
	{ "name", FT_STRING, F_DEFAULT, .doc = "Full name." },
};
static const struct resource res_person_name = { "person", RESOURCE_FIELDS(person_name_fields) };

static const struct field story_name_fields[] = {
	{ "kind", FT_KIND, F_DEFAULT, .doc = "story" },
	{ "id", FT_INT, F_DEFAULT | F_KEY, .doc = "Identifier." },
	{ "name", FT_TEXT, F_DEFAULT, .doc = "Its name at that time." },
};
static const struct resource res_story_name = { "story", RESOURCE_FIELDS(story_name_fields) };

static const struct field epic_name_fields[] = {
	{ "kind", FT_KIND, F_DEFAULT, .doc = "epic" },
	{ "id", FT_INT, F_DEFAULT | F_KEY, .doc = "Identifier." },
	{ "name", FT_TEXT, F_DEFAULT, .doc = "Its name at that time." },
};
static const struct resource res_epic_name = { "epic", RESOURCE_FIELDS(epic_name_fields) };

static const struct field notification_fields[] = {
	{ "kind", FT_KIND, F_DEFAULT, .doc = "notification" },
	{ "id", FT_INT, F_DEFAULT | F_KEY, .doc = "Identifier; rises with time." },
	{ "project", FT_INLINE, F_DEFAULT, .child = &res_project_name, .doc = "The project." },
	{ "project_id", FT_INT, 0, .doc = "The project." },
	{ "performer", FT_INLINE, F_DEFAULT, .child = &res_person_name, .doc = "Who caused it." },
	{ "performer_id", FT_INT, 0, .doc = "Who caused it." },
	{ "message", FT_STRING, F_DEFAULT, .doc = "A sentence for people." },
	{ "context", FT_STRING, F_DEFAULT, .doc = "The text of the comment or blocker." },
	{ "link", FT_URL, 0, .doc = "Address of the page of the story or epic." },
	{ "notification_type", FT_STRING, F_DEFAULT,
		.doc = "story, epic, comment, comment_with_mention, blocker, webhook, project or account." },
	{ "new_attachment_count", FT_INT, F_DEFAULT,
		.doc = "The number of attachments of a new "
		       "comment." },
	{ "action", FT_STRING, F_DEFAULT,
		.doc = "create, ownership, mention, delivery, acceptance, rejection, resolve, failure or membership." },
	{ "story", FT_INLINE, F_DEFAULT, .child = &res_story_name, .doc = "The story." },
	{ "story_id", FT_INT, 0, .doc = "The story." },
	{ "epic", FT_INLINE, F_DEFAULT, .child = &res_epic_name, .doc = "The epic." },
	{ "epic_id", FT_INT, 0, .doc = "The epic." },
	{ "comment_id", FT_INT, F_DEFAULT, .doc = "The comment." },
	{ "comment", FT_ONE, F_HIDES_KEY, .child = &res_comment, .key = "comment_id",
		.doc = "The comment, if it still exists." },
	{ "created_at", FT_TIME, F_DEFAULT, .doc = "When it was created." },
	{ "updated_at", FT_TIME, F_DEFAULT | F_STORED, AT(notification, updated_at),
		.doc = "When it was last changed." },
	{ "read_at", FT_TIME, F_DEFAULT | F_UPDATE | F_MUST | F_STORED | F_UNTOLD,
		AT(notification, read_at), .doc = "When it was read." },
	{ "person_id", FT_INT, F_HIDDEN, AT(notification, person_id),
		.doc = "The person it belongs to." },
};
const struct resource res_notification = { "notification", .table = "notification",
	RESOURCE_FIELDS(notification_fields), .size = sizeof(struct notification) };
