/* Fields of accounts and account memberships. */
#include "model/model.h"
#include "model/things.h"

/* What accounts and account summaries share. */
#define ACCOUNT_EXTRAS                                                                             \
	{ "days_left", FT_INT, 0, .doc = "Never present: accounts do not expire." },               \
		{ "over_the_limit", FT_BOOL, 0, .doc = "Always false: there are no limits." },     \
		{ "owner_id", FT_INT, 0, .doc = "Person who owns the account." },                  \
		{ "owner", FT_ONE, F_HIDES_KEY, .child = &res_account_person, .key = "owner_id",   \
			.doc = "The owner, without email address." },                              \
		{ "admin_ids", FT_IDS, 0, .doc = "Administrators of the account." },               \
		{ "admins", FT_SOME, 0, .child = &res_account_person, .key = "admin_ids",          \
			.doc = "The administrators, without email addresses." },                   \
		{ "permissions", FT_STRINGS, 0,                                                    \
			.doc = "What the caller may do: administration, project_creation." },      \
		{ "number_of_projects", FT_INT, 0, .doc = "Projects in the account." },            \
		{ "number_of_private_projects", FT_INT, 0,                                         \
			.doc = "Projects that are not public." },                                  \
		{ "project_limit", FT_INT, 0, .doc = "Never present: there is no limit." },        \
		{ "is_enterprise_guest", FT_BOOL, 0, .doc = "Always false." }

static const struct account account_preset = {
	.id = NIL, .second_factor = WORD_NONE, .updated_at = NIL
};

static const struct field account_fields[] = {
	{ "kind", FT_KIND, F_DEFAULT, .doc = "account" },
	{ "id", FT_INT, F_DEFAULT | F_KEY, .doc = "Identifier." },
	{ "name", FT_STRING, F_DEFAULT | F_STORED | F_AUDIT, AT(account, name),
		.doc = "Name of the account." },
	{ "plan", FT_STRING, F_DEFAULT, .doc = "Always Self-hosted." },
	{ "status", FT_STRING, F_DEFAULT,
		.doc = "active, suspended, delinquent, deleted or limited." },
	ACCOUNT_EXTRAS,
	{ "second_factor", FT_WORD, F_DEFAULT | F_UPDATE | F_NULL | F_STORED | F_UNTOLD | F_AUDIT,
		AT(account, second_factor), .words = words_second_factor,
		.doc = "Whether its people need a second factor, if set for the account: off, "
		       "optional or required." },
	{ "created_at", FT_TIME, F_DEFAULT, .doc = "When it was created." },
	{ "updated_at", FT_TIME, F_DEFAULT | F_STORED, AT(account, updated_at),
		.doc = "When it was last changed." },
};
const struct resource res_account = { "account", .table = "account",
	RESOURCE_FIELDS(account_fields), .by_ids = STMT_ACCOUNT_BY_IDS,
	.size = sizeof(struct account), .preset = &account_preset };

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
	{ "account_id", FT_INT, F_DEFAULT | F_STORED, AT(account_membership, account_id),
		.doc = "The account." },
	{ "account", FT_ONE, F_HIDES_KEY, .child = &res_account_summary, .key = "account_id",
		.doc = "The account." },
	{ "person", FT_ONE, F_DEFAULT | F_HIDES_KEY, .child = &res_person, .key = "person_id",
		.doc = "The person." },
	{ "person_id", FT_INT, F_STORED, AT(account_membership, person_id),
		.doc = "Identifier of the person." },
	{ "owner", FT_BOOL, F_DEFAULT | F_STORED | F_AUDIT, AT(account_membership, owner),
		.doc = "Whether the person owns the account." },
	{ "admin", FT_BOOL, F_DEFAULT | F_UPDATE | F_STORED | F_UNTOLD | F_AUDIT,
		AT(account_membership, admin), .doc = "May see and change the account's people." },
	{ "project_creator", FT_BOOL, F_DEFAULT | F_UPDATE | F_STORED | F_UNTOLD | F_AUDIT,
		AT(account_membership, project_creator),
		.doc = "Whether the person may create "
		       "projects." },
	{ "timekeeper", FT_BOOL, F_UPDATE | F_IGNORED | F_HIDDEN,
		.doc = "Only in earlier revisions." },
	{ "time_enterer", FT_BOOL, F_UPDATE | F_IGNORED | F_HIDDEN,
		.doc = "Only in earlier revisions." },
	{ "created_at", FT_TIME, F_DEFAULT | F_STORED, AT(account_membership, created_at),
		.doc = "When the person joined." },
	{ "updated_at", FT_TIME, F_DEFAULT | F_STORED, AT(account_membership, updated_at),
		.doc = "When the membership was last changed." },
};
/* Its id is the row's in memory, and the person's in answers. */
const struct resource res_account_membership = { "account_membership",
	.table = "account_membership", RESOURCE_FIELDS(account_membership_fields),
	.size = sizeof(struct account_membership), .depth = 1 };
