/* Fields of named tokens. */
#include "model/model.h"
#include "model/things.h"
#include "model/words.h"

static const struct token preset = { .id = NIL, .scope = WORD_NONE, .expires_at = NIL };

static const struct field fields[] = {
	{ "kind", FT_KIND, F_DEFAULT | F_CREATE | F_IGNORED, .doc = "token" },
	{ "id", FT_INT, F_DEFAULT | F_KEY, .doc = "Identifier." },
	{ "name", FT_STRING, F_DEFAULT | F_CREATE | F_REQUIRED | F_NO_BLANK, AT(token, name),
		.max = 100, .doc = "What it is for, at most 100 characters." },
	{ "scope", FT_WORD, F_DEFAULT | F_CREATE | F_REQUIRED | F_AUDIT, AT(token, scope),
		.words = words_token_scopes, .doc = "What it may do." },
	{ "project_ids", FT_IDS, F_DEFAULT | F_CREATE | F_NULL, AT(token, project_ids),
		.max = TOKEN_PROJECTS_MAX,
		.doc = "The projects that it reaches; left out: all of the person's projects." },
	{ "projects", FT_SOME, F_NULL | F_HIDES_KEY, .child = &res_project, .key = "project_ids",
		.fetch = STMT_PROJECTS_VISIBLE, .doc = "The same, if the caller may see them." },
	{ "not_account_ids", FT_IDS, F_NULL,
		.doc = "Accounts that have ended this token for all projects; left out: none." },
	{ "not_accounts", FT_SOME, F_NULL | F_HIDES_KEY, .child = &res_account,
		.key = "not_account_ids", .fetch = STMT_ACCOUNT_BY_IDS,
		.doc = "The same, with their names." },
	{ "created_at", FT_TIME, F_DEFAULT, .doc = "When it was created." },
	{ "expires_at", FT_TIME, F_DEFAULT | F_CREATE | F_NULL | F_AUDIT, AT(token, expires_at),
		.doc = "When it expires; left out: never." },
	{ "last_used_at", FT_TIME, F_DEFAULT,
		.doc = "When it was last used, to within an hour; left out: never." },
	{ "token", FT_TOKEN, F_DEFAULT, .doc = "The secret, only in the answer to POST." },
};
const struct resource res_token = { "token", RESOURCE_FIELDS(fields), .size = sizeof(struct token),
	.preset = &preset };

static const struct field account_token_fields[] = {
	{ "kind", FT_KIND, F_DEFAULT, .doc = "account_token" },
	{ "id", FT_INT, F_DEFAULT | F_KEY, .doc = "Identifier." },
	{ "person", FT_ONE, F_DEFAULT | F_HIDES_KEY, .child = &res_person, .key = "person_id",
		.doc = "The person it belongs to." },
	{ "person_id", FT_INT, 0, .doc = "The person it belongs to." },
	{ "name", FT_STRING, F_DEFAULT, .doc = "What it is for." },
	{ "scope", FT_STRING, F_DEFAULT, .doc = "What it may do: read or write." },
	{ "project_ids", FT_IDS, F_DEFAULT | F_NULL,
		.doc = "The account's projects that it reaches; left out: all of the person's "
		       "projects." },
	{ "projects", FT_SOME, F_NULL | F_HIDES_KEY, .child = &res_project, .key = "project_ids",
		.fetch = STMT_PROJECTS_VISIBLE, .doc = "The same, if the caller may see them." },
	{ "created_at", FT_TIME, F_DEFAULT, .doc = "When it was created." },
	{ "expires_at", FT_TIME, F_DEFAULT, .doc = "When it expires; left out: never." },
	{ "last_used_at", FT_TIME, F_DEFAULT,
		.doc = "When it was last used, to within an hour; left out: never." },
};
const struct resource res_account_token = { "account_token",
	RESOURCE_FIELDS(account_token_fields) };
