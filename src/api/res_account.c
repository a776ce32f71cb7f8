#include "model/model.h"

/* What accounts and account summaries share. */
#define ACCOUNT_EXTRAS                                                                             \
	{ "days_left", FT_INT, 0, .doc = "Never there: accounts do not run out." },                \
		{ "over_the_limit", FT_BOOL, 0, .doc = "Always false: there are no limits." },     \
		{ "owner_id", FT_INT, 0, .doc = "Person who owns the account." },                  \
		{ "owner", FT_ONE, F_HIDES_KEY, .child = &res_account_person, .key = "owner_id",   \
			.doc = "The owner, without address." },                                    \
		{ "admin_ids", FT_IDS, 0, .doc = "Administrators of the account." },               \
		{ "admins", FT_SOME, 0, .child = &res_account_person, .key = "admin_ids",          \
			.doc = "The administrators, without addresses." },                         \
		{ "permissions", FT_STRINGS, 0,                                                    \
			.doc = "What the caller may do: administration, project_creation." },      \
		{ "number_of_projects", FT_INT, 0, .doc = "Projects in the account." },            \
		{ "number_of_private_projects", FT_INT, 0, .doc = "Those that are not public." },  \
		{ "project_limit", FT_INT, 0, .doc = "Never there: there is none." },              \
	{                                                                                          \
		"is_enterprise_guest", FT_BOOL, 0, .doc = "Always false."                          \
	}

static const struct field account_fields[] = {
	{ "kind", FT_KIND, F_DEFAULT, .doc = "account" },
	{ "id", FT_INT, F_DEFAULT | F_KEY, .doc = "Identifier." },
	{ "name", FT_STRING, F_DEFAULT, .doc = "Name of the account." },
	{ "plan", FT_STRING, F_DEFAULT, .doc = "Always Self-hosted." },
	{ "status", FT_STRING, F_DEFAULT,
		.doc = "active, suspended, delinquent, deleted or limited." },
	ACCOUNT_EXTRAS,
	{ "created_at", FT_TIME, F_DEFAULT, .doc = "When it was made." },
	{ "updated_at", FT_TIME, F_DEFAULT, .doc = "When it was last changed." },
};
const struct resource res_account = { "account", RESOURCE_FIELDS(account_fields),
	.by_ids = STMT_ACCOUNT_BY_IDS };

static const struct field account_summary_fields[] = {
	{ "kind", FT_KIND, F_DEFAULT, .doc = "account_summary" },
	{ "id", FT_INT, F_DEFAULT | F_KEY, .doc = "Identifier." },
	{ "name", FT_STRING, F_DEFAULT, .doc = "Name of the account." },
	{ "status", FT_STRING, F_DEFAULT,
		.doc = "active, suspended, delinquent, deleted or limited." },
	ACCOUNT_EXTRAS,
	{ "plan", FT_STRING, F_DEFAULT, .doc = "Always Self-hosted." },
};
const struct resource res_account_summary = { "account_summary",
	RESOURCE_FIELDS(account_summary_fields), .by_ids = STMT_ACCOUNT_BY_IDS };

static const struct field account_membership_fields[] = {
	{ "kind", FT_KIND, F_DEFAULT, .doc = "account_membership" },
	{ "id", FT_INT, F_DEFAULT | F_KEY, .doc = "Identifier of the person." },
	{ "account_id", FT_INT, F_DEFAULT, .doc = "The account." },
	{ "account", FT_ONE, F_HIDES_KEY, .child = &res_account_summary, .key = "account_id",
		.doc = "The account." },
	{ "person", FT_ONE, F_DEFAULT | F_HIDES_KEY, .child = &res_person, .key = "person_id",
		.doc = "The person." },
	{ "person_id", FT_INT, 0, .doc = "Identifier of the person." },
	{ "owner", FT_BOOL, F_DEFAULT, .doc = "Whether the person owns the account." },
	{ "admin", FT_BOOL, F_DEFAULT | F_UPDATE,
		.doc = "May see and change the account's people." },
	{ "project_creator", FT_BOOL, F_DEFAULT | F_UPDATE, .doc = "May create projects." },
	{ "timekeeper", FT_BOOL, F_UPDATE | F_IGNORED | F_HIDDEN,
		.doc = "Earlier revisions only." },
	{ "time_enterer", FT_BOOL, F_UPDATE | F_IGNORED | F_HIDDEN,
		.doc = "Earlier revisions only." },
	{ "created_at", FT_TIME, F_DEFAULT, .doc = "When the person joined." },
	{ "updated_at", FT_TIME, F_DEFAULT, .doc = "When the membership was last changed." },
};
const struct resource res_account_membership = { "account_membership",
	RESOURCE_FIELDS(account_membership_fields) };

/* POST; the order is that of the parameters of account_membership_insert. */
static const struct field account_membership_body_fields[] = {
	{ "person_id", FT_INT, F_CREATE, .doc = "An existing person." },
	{ "email", FT_STRING, F_CREATE, .max = 255, .doc = "Address of a person, known or new." },
	{ "name", FT_STRING, F_CREATE, .max = 255, .doc = "Name of a new person." },
	{ "initials", FT_STRING, F_CREATE, .max = 10, .doc = "Initials of a new person." },
	{ "admin", FT_BOOL, F_CREATE, .doc = "Becomes an administrator." },
	{ "project_creator", FT_BOOL, F_CREATE, .doc = "May create projects." },
	{ "created_at", FT_TIME, F_CREATE, .doc = "When the person joined; now by default." },
	{ "timekeeper", FT_BOOL, F_CREATE | F_IGNORED, .doc = "Earlier revisions only." },
	{ "time_enterer", FT_BOOL, F_CREATE | F_IGNORED, .doc = "Earlier revisions only." },
};
const struct resource res_account_membership_body = { "account_membership",
	RESOURCE_FIELDS(account_membership_body_fields) };
