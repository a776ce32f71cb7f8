/* Fields of project memberships. */
#include "model/model.h"
#include "model/things.h"

static const struct membership membership_preset = {
	.id = NIL,
	.project_id = NIL,
	.person_id = NIL,
	.role = ROLE_MEMBER,
	.project_color = { "555555", 6 },
	.wants_comment_notification_emails = true,
	.will_receive_mention_notifications_or_emails = true,
	.last_viewed_at = NIL,
	.created_at = NIL,
	.updated_at = NIL,
};

static const struct field project_membership_fields[] = {
	{ "kind", FT_KIND, F_DEFAULT, .doc = "project_membership" },
	{ "id", FT_INT, F_DEFAULT | F_KEY, .doc = "Identifier." },
	{ "project_id", FT_INT, F_DEFAULT | F_STORED | F_TOLD, AT(membership, project_id),
		.doc = "The project." },
	{ "project", FT_ONE, F_HIDES_KEY, .child = &res_project, .key = "project_id",
		.doc = "The project." },
	{ "person", FT_ONE, F_DEFAULT | F_HIDES_KEY, .child = &res_person, .key = "person_id",
		.doc = "The person." },
	{ "person_id", FT_INT, F_STORED | F_TOLD, AT(membership, person_id),
		.doc = "Identifier of the person." },
	{ "role", FT_WORD, F_DEFAULT | F_UPDATE | F_STORED | F_TOLD | F_AUDIT, .words = words_roles,
		AT(membership, role), .doc = "owner, member or viewer." },
	{ "project_color", FT_STRING, F_DEFAULT | F_UPDATE | F_STORED | F_TOLD | F_RULED,
		AT(membership, project_color),
		.doc = "The project's colour for the person, six hex digits." },
	{ "favorite", FT_BOOL, F_DEFAULT | F_UPDATE | F_QUERY | F_STORED | F_TOLD,
		AT(membership, favorite),
		.doc = "Whether the project is one of the person's favourites." },
	{ "last_viewed_at", FT_TIME, F_DEFAULT | F_CARRIED,
		.doc = "When the person last requested the project, its stories or iterations; "
		       "at most one view per minute is noted." },
	{ "created_at", FT_TIME, F_DEFAULT | F_STORED | F_TOLD, AT(membership, created_at),
		.doc = "When the person joined." },
	{ "updated_at", FT_TIME, F_DEFAULT | F_STORED | F_TOLD, AT(membership, updated_at),
		.doc = "When the membership was last changed." },
	{ "wants_comment_notification_emails", FT_BOOL, F_DEFAULT | F_UPDATE | F_STORED | F_TOLD,
		AT(membership, wants_comment_notification_emails), .doc = "Stored for clients." },
	{ "will_receive_mention_notifications_or_emails", FT_BOOL,
		F_DEFAULT | F_UPDATE | F_STORED | F_TOLD,
		AT(membership, will_receive_mention_notifications_or_emails),
		.doc = "Whether the person also gets emails about comments that mention them." },
};
const struct resource res_project_membership = { "project_membership",
	.table = "project_membership", RESOURCE_FIELDS(project_membership_fields),
	.size = sizeof(struct membership), .preset = &membership_preset, .depth = 1,
	.made = STMT_SAVE_ACCOUNT_MEMBERSHIP };
