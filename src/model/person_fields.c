/* Fields of people, as others see them and as they see themselves. */
#include "model/model.h"
#include "model/things.h"

static const struct field person_fields[] = {
	{ "kind", FT_KIND, F_DEFAULT, .doc = "person" },
	{ "id", FT_INT, F_DEFAULT | F_KEY, .doc = "Identifier, unique among people." },
	{ "name", FT_STRING, F_DEFAULT | F_STORED, AT(person, name), .doc = "Full name." },
	{ "email", FT_STRING, F_DEFAULT | F_STORED | F_AUDIT, AT(person, email),
		.doc = "Email address; only for people who share an account or a project with "
		       "the person." },
	{ "initials", FT_STRING, F_DEFAULT | F_STORED, AT(person, initials),
		.doc = "Initials shown on stories." },
	{ "username", FT_STRING, F_DEFAULT | F_STORED | F_AUDIT, AT(person, username),
		.doc = "Name for signing in and for @mentions." },
	{ "receives_in_app_notifications", FT_BOOL, F_HIDDEN,
		AT(person, receives_in_app_notifications),
		.doc = "Whether notifications are "
		       "created." },
	{ "in_project", FT_BOOL, F_HIDDEN, AT(person, in_project), .doc = "Of the command's." },
	{ "in_account", FT_BOOL, F_HIDDEN, AT(person, in_account), .doc = "Of the command's." },
	{ "seen", FT_BOOL, F_HIDDEN, AT(person, seen),
		.doc = "Whether the person shares an account or a project with the performer." },
	{ "email_claimed", FT_BOOL, F_HIDDEN, AT(person, email_claimed),
		.doc = "Whether the person gave the address to themselves, and nothing has confirmed it." },
};
const struct resource res_person = { "person", .table = "person", RESOURCE_FIELDS(person_fields),
	.by_ids = STMT_PERSON_BY_IDS, .size = sizeof(struct person) };

static const struct field account_person_fields[] = {
	{ "kind", FT_KIND, F_DEFAULT, .doc = "person" },
	{ "id", FT_INT, F_DEFAULT | F_KEY, .doc = "Identifier." },
	{ "name", FT_STRING, F_DEFAULT, .doc = "Full name." },
	{ "email", FT_STRING, F_DEFAULT, .doc = "Never there." },
	{ "initials", FT_STRING, F_DEFAULT, .doc = "Initials." },
	{ "username", FT_STRING, F_DEFAULT, .doc = "User name." },
};
const struct resource res_account_person = { "person", RESOURCE_FIELDS(account_person_fields),
	.by_ids = STMT_ACCOUNT_PERSON_BY_IDS };

static const struct field time_zone_fields[] = {
	{ "kind", FT_KIND, F_DEFAULT, .doc = "time_zone" },
	{ "olson_name", FT_STRING, F_DEFAULT, .doc = "Name in the tz database." },
	{ "offset", FT_STRING, F_DEFAULT, .doc = "Offset from UTC today, +hh:mm or -hh:mm." },
};
const struct resource res_time_zone = { "time_zone", RESOURCE_FIELDS(time_zone_fields) };

static const struct field membership_summary_fields[] = {
	{ "kind", FT_KIND, F_DEFAULT, .doc = "membership_summary" },
	{ "id", FT_INT, F_DEFAULT | F_KEY, .doc = "Identifier of the project membership." },
	{ "project_id", FT_INT, F_DEFAULT, .doc = "The project." },
	{ "project", FT_ONE, F_HIDES_KEY, .child = &res_project, .key = "project_id",
		.doc = "The project." },
	{ "project_name", FT_STRING, F_DEFAULT, .doc = "Its name." },
	{ "project_color", FT_STRING, F_DEFAULT,
		.doc = "Its colour for this person, six hex digits." },
	{ "favorite", FT_BOOL, F_DEFAULT, .doc = "Whether it is one of the person's favourites." },
	{ "role", FT_STRING, F_DEFAULT, .doc = "owner, member or viewer." },
	{ "last_viewed_at", FT_TIME, F_DEFAULT,
		.doc = "When the person last requested the project, its stories or iterations; "
		       "at most one view per minute is noted." },
};
static const struct resource res_membership_summary = { "membership_summary",
	RESOURCE_FIELDS(membership_summary_fields) };

static const struct field me_fields[] = {
	{ "kind", FT_KIND, F_DEFAULT, .doc = "me" },
	{ "id", FT_INT, F_DEFAULT | F_KEY, .doc = "Identifier of the person." },
	{ "name", FT_STRING, F_DEFAULT, .doc = "Full name." },
	{ "initials", FT_STRING, F_DEFAULT, .doc = "Initials." },
	{ "username", FT_STRING, F_DEFAULT, .doc = "User name." },
	{ "time_zone", FT_INLINE, F_DEFAULT, .child = &res_time_zone,
		.doc = "The person's time zone." },
	{ "api_token", FT_TOKEN, F_DEFAULT, .doc = "The secret API token." },
	{ "has_google_identity", FT_BOOL, F_DEFAULT,
		.doc = "Always false: there is no such sign-in." },
	{ "accounts", FT_MANY, F_DEFAULT, .child = &res_account_summary,
		.fetch = STMT_ACCOUNTS_OF_PEOPLE, .fetch_root = STMT_ACCOUNTS_OF_ME,
		.doc = "The person's accounts." },
	{ "projects", FT_MANY, F_DEFAULT, .child = &res_membership_summary,
		.fetch = STMT_MEMBERSHIPS_OF_PEOPLE, .fetch_root = STMT_MEMBERSHIPS_OF_ME,
		.doc = "The person's projects." },
	{ "project_ids", FT_IDS, 0, .doc = "Ids of the person's projects." },
	{ "workspaces", FT_SOME, 0, .child = &res_workspace, .key = "workspace_ids",
		.doc = "The person's workspaces." },
	{ "workspace_ids", FT_IDS, 0, .doc = "Their ids." },
	{ "email", FT_STRING, F_DEFAULT, .doc = "Address." },
	{ "receives_in_app_notifications", FT_BOOL, F_DEFAULT,
		.doc = "Whether notifications are created." },
	{ "twofactor_auth_enabled", FT_BOOL, F_DEFAULT, .doc = "Whether the second factor is on." },
	{ "personal_settings", FT_JSON, 0, .doc = "Settings of the person." },
	{ "created_at", FT_TIME, F_DEFAULT, .doc = "When the person was added." },
	{ "updated_at", FT_TIME, F_DEFAULT, .doc = "When the person was last changed." },
};
const struct resource res_me = { "me", RESOURCE_FIELDS(me_fields) };
