/* The elements of the retired versions, in the order in which those versions wrote them. */
#include "old/old_kind.h"

#include <string.h>

/* clang-format off */
#define ID { "id", .form = OLD_INT }
#define END { 0 }

static const struct old_field token_fields[] = {
	{ "id", .form = OLD_INT },
	{ "guid", OLD_TEXT, .v5 = "api_token" },
	END,
};
const struct old_kind old_token = { "token", "tokens", token_fields };

static const struct old_field me_fields[] = {
	ID,
	{ "email", .form = OLD_TEXT }, { "name", .form = OLD_TEXT }, { "initials", .form = OLD_TEXT },
	{ "api_token", OLD_TEXT, .flags = OLD_ONLY_ASKED },
	{ "token", OLD_SAME, .child = &old_token, .flags = OLD_NOT_ASKED },
	END,
};
const struct old_kind old_me = { "person", "people", me_fields };

static const struct old_field person_fields[] = {
	ID,
	{ "email", OLD_TEXT, .flags = OLD_WRITTEN },
	{ "name", OLD_TEXT, .flags = OLD_WRITTEN },
	{ "initials", OLD_TEXT, .flags = OLD_WRITTEN },
	END,
};
static const struct old_kind person = { "person", "people", person_fields };

/* Memberships ------------------------------------------------------------------- */

#define MEMBERSHIP										\
	{ "person", OLD_OBJECT, .child = &person, .flags = OLD_WRITTEN },				\
	{ "role", OLD_ROLE, .flags = OLD_WRITTEN }

static const struct old_field member_fields[] = { ID, MEMBERSHIP, END };
static const struct old_kind member = { "membership", "memberships", member_fields };

static const struct old_field project_name_fields[] = { ID, { "name", .form = OLD_TEXT }, END };
static const struct old_kind project_name = { "project", "projects", project_name_fields };

static const struct old_field membership_fields[] = {
	ID, MEMBERSHIP,
	{ "project", OLD_OBJECT, .child = &project_name },
	END,
};
const struct old_kind old_membership = { "membership", "memberships", membership_fields };

/* Projects ---------------------------------------------------------------------- */

static const struct old_field integration_fields[] = {
	ID,
	{ "type", OLD_TEXT, .v5 = "kind" },
	{ "name", .form = OLD_TEXT }, { "active", .form = OLD_BOOL },
	END,
};
static const struct old_kind integration = { "integration", "integrations", integration_fields };

static const struct old_field project_fields[] = {
	ID,
	{ "name", OLD_TEXT, .flags = OLD_WRITTEN | OLD_CLEARS },
	{ "iteration_length", OLD_INT, .flags = OLD_WRITTEN },
	{ "week_start_day", OLD_TEXT, .flags = OLD_WRITTEN },
	{ "first_iteration_start_time", OLD_TIME, .v5 = "start_time" },
	{ "start_date", OLD_DATE, .flags = OLD_WRITTEN },
	{ "current_iteration_number", .form = OLD_INT },
	{ "point_scale", OLD_TEXT, .flags = OLD_WRITTEN },
	{ "account", .form = OLD_NAME },
	{ "velocity_scheme", OLD_AVERAGE, .v5 = "velocity_averaged_over" },
	{ "current_velocity", .form = OLD_INT },
	{ "initial_velocity", OLD_INT, .flags = OLD_WRITTEN },
	{ "number_of_done_iterations_to_show", OLD_INT, .flags = OLD_WRITTEN },
	{ "labels", OLD_LABELS, .flags = OLD_EMPTY_TOO },
	{ "last_activity_at", .form = OLD_TIME },
	{ "allow_attachments", OLD_CONSTANT, .of = "true", .flags = OLD_NOT_ASKED | OLD_IS_BOOL },
	{ "public", OLD_BOOL, .flags = OLD_WRITTEN },
	{ "use_https", OLD_SECURE, .flags = OLD_NOT_ASKED },
	{ "bugs_and_chores_are_estimatable", OLD_BOOL, .flags = OLD_WRITTEN },
	{ "commit_mode", OLD_CONSTANT, .of = "false", .flags = OLD_NOT_ASKED | OLD_IS_BOOL },
	{ "no_owner", OLD_BOOL, .flags = OLD_WRITTEN | OLD_ONLY_TRUE | OLD_NOT_ASKED },
	{ "memberships", OLD_LIST, .child = &member, .flags = OLD_EMPTY_TOO },
	{ "integrations", OLD_LIST, .child = &integration, .flags = OLD_EMPTY_TOO },
	END,
};
const struct old_kind old_project = { "project", "projects", project_fields };

/* Parts of stories -------------------------------------------------------------- */

static const struct old_field task_fields[] = {
	ID,
	{ "description", OLD_TEXT, .flags = OLD_WRITTEN | OLD_CLEARS },
	{ "position", OLD_INT, .flags = OLD_WRITTEN },
	{ "complete", OLD_BOOL, .flags = OLD_WRITTEN },
	{ "created_at", .form = OLD_TIME },
	END,
};
const struct old_kind old_task = { "task", "tasks", task_fields };

static const struct old_field attachment_fields[] = {
	ID,
	{ "filename", .form = OLD_TEXT },
	{ "description", OLD_CONSTANT, .of = "", .flags = OLD_NOT_ASKED },
	{ "uploaded_by", OLD_PERSON, .v5 = "uploader" },
	{ "uploaded_at", OLD_TIME, .v5 = "created_at" },
	{ "url", OLD_ADDRESS, .v5 = "download_url" },
	END,
};
static const struct old_kind attachment = { "attachment", "attachments", attachment_fields };

/* The answer to an upload: as far as these versions know, the file is still being processed. */
static const struct old_field receipt_fields[] = {
	ID,
	{ "status", OLD_CONSTANT, .of = "Pending", .flags = OLD_NOT_ASKED },
	END,
};
const struct old_kind old_receipt = { "attachment", "attachments", receipt_fields };

static const struct old_field note_fields[] = {
	ID,
	{ "text", OLD_TEXT, .flags = OLD_WRITTEN | OLD_CLEARS | OLD_EMPTY_TOO },
	{ "author", OLD_PERSON, .v5 = "person" },
	{ "noted_at", OLD_TIME, .v5 = "created_at" },
	{ "file_attachments", OLD_LIST, .child = &attachment, .flags = OLD_ONLY_ASKED },
	END,
};
const struct old_kind old_note = { "note", "notes", note_fields };

static const struct old_field comment_fields[] = {
	ID,
	{ "text", OLD_TEXT, .flags = OLD_WRITTEN | OLD_CLEARS | OLD_EMPTY_TOO },
	{ "author", OLD_PERSON, .v5 = "person" },
	{ "created_at", .form = OLD_TIME },
	{ "attachments", OLD_LIST, "file_attachments", .child = &attachment },
	END,
};
const struct old_kind old_comment = { "comment", "comments", comment_fields };

/* Stories ----------------------------------------------------------------------- */

#define LINKED(system)										\
	{ system "_id", OLD_LINKED, "external_id", .of = system "_integration",			\
		.flags = OLD_WRITTEN | OLD_CLEARS | OLD_NOT_ASKED },				\
	{ system "_url", OLD_LINK, "external_id", .of = system "_integration", .flags = OLD_NOT_ASKED }

static const struct old_field linked_fields[] = {
	{ "kind", .form = OLD_TEXT }, { "base_url", .form = OLD_TEXT }, END
};
static const struct old_kind linked = { "integration", "integrations", linked_fields };

static const struct old_field story_fields[] = {
	ID,
	{ "project_id", OLD_INT, .flags = OLD_WRITTEN },
	{ "story_type", OLD_TEXT, .flags = OLD_WRITTEN },
	{ "url", .form = OLD_TEXT },
	{ "estimate", OLD_ESTIMATE, .flags = OLD_WRITTEN | OLD_CLEARS },
	{ "current_state", OLD_TEXT, .flags = OLD_WRITTEN },
	{ "description", OLD_TEXT, .flags = OLD_WRITTEN | OLD_CLEARS | OLD_EMPTY_TOO },
	{ "name", OLD_TEXT, .flags = OLD_WRITTEN | OLD_CLEARS },
	{ "requested_by", OLD_PERSON, .flags = OLD_WRITTEN, .writes = "requested_by_id" },
	{ "owned_by", OLD_PERSON, .flags = OLD_WRITTEN | OLD_CLEARS, .writes = "owned_by_id" },
	{ "created_at", OLD_TIME, .flags = OLD_WRITTEN },
	{ "updated_at", .form = OLD_TIME },
	{ "accepted_at", OLD_TIME, .flags = OLD_WRITTEN },
	{ "labels", OLD_LABELS, .flags = OLD_WRITTEN | OLD_CLEARS },
	{ "deadline", OLD_TIME, .flags = OLD_WRITTEN | OLD_CLEARS },
	{ "integration_id", OLD_INT, .flags = OLD_WRITTEN | OLD_CLEARS },
	{ "integration", OLD_OBJECT, .child = &linked, .flags = OLD_ONLY_ASKED },
	{ "external_id", OLD_TEXT, .flags = OLD_ONLY_ASKED },
	LINKED("jira"), LINKED("zendesk"), LINKED("lighthouse"), LINKED("bugzilla"),
	{ "other_id", OLD_LINKED, "external_id", .flags = OLD_WRITTEN | OLD_CLEARS | OLD_NOT_ASKED },
	{ "attachments", OLD_NOTE_FILES, "comments", .versions = OLD_V3, .child = &attachment,
		.flags = OLD_NOT_ASKED },
	{ "notes", OLD_NOTES, "comments", .versions = OLD_V3, .child = &old_note },
	{ "comments", OLD_LIST, .versions = OLD_V4, .child = &old_comment },
	{ "tasks", OLD_LIST, .child = &old_task },
	END,
};
const struct old_kind old_story = { "story", "stories", story_fields };

static const struct old_field iteration_fields[] = {
	{ "id", OLD_INT, .v5 = "number" },
	{ "number", OLD_INT, .flags = OLD_NOT_ASKED },
	{ "start", .form = OLD_TIME }, { "finish", .form = OLD_TIME }, { "team_strength", .form = OLD_NUMBER },
	{ "stories", OLD_LIST, .child = &old_story, .flags = OLD_EMPTY_TOO },
	END,
};
const struct old_kind old_iteration = { "iteration", "iterations", iteration_fields };

/* Commits ----------------------------------------------------------------------- */

static const struct old_field commit_fields[] = {
	{ "message", OLD_TEXT, .flags = OLD_WRITTEN | OLD_CLEARS },
	{ "author", OLD_TEXT, .flags = OLD_WRITTEN },
	{ "commit_id", OLD_TEXT, .flags = OLD_WRITTEN | OLD_CLEARS },
	{ "url", OLD_TEXT, .flags = OLD_WRITTEN },
	END,
};
const struct old_kind old_commit = { "source_commit", "source_commits", commit_fields };
/* clang-format on */

bool old_has(const struct old_field *f, enum old_version version)
{
	return !f->versions || f->versions & version;
}

/* Rails puts dashes into XML, and took them. */
static bool is_named(struct str name, const char *field)
{
	bool fits = name.n == strlen(field);
	for (size_t i = 0; fits && i < name.n; i++)
		fits = (name.p[i] == '-' ? '_' : name.p[i]) == field[i];
	return fits;
}

const struct old_field *old_field(
	const struct old_kind *kind, enum old_version version, struct str name)
{
	for (const struct old_field *f = kind->fields; f->name; f++)
		if (old_has(f, version) && !(f->flags & OLD_ONLY_ASKED) && is_named(name, f->name))
			return f;
	return NULL;
}

const char *old_source(const struct old_field *f)
{
	return f->v5 ? f->v5 : f->name;
}
