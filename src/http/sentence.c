#include "http/sentence.h"

#include <string.h>

/*
 * An object that somebody else deletes between the check and the write is gone for the writer,
 * too.
 */
#define GONE(KEY) { KEY, RC_UNFOUND_RESOURCE, NULL, NULL }
#define NOBODY(KEY, FIELD)                                                                         \
	{ KEY, RC_INVALID_PARAMETER, FIELD, FIELD " must be an existing person." }

/* clang-format off */
const struct sentence sentences[] = {
	{ "person_email", RC_INVALID_PARAMETER, "email",
		"Somebody with this address has just been added: send the request again." },
	{ "person_username", RC_INVALID_PARAMETER, "email",
		"Somebody with this name has just been added: send the request again." },
	{ "account_membership_account_id_person_id_key", RC_INVALID_PARAMETER, NULL,
		"Member already exists." },
	{ "project_membership_project_id_person_id_key", RC_INVALID_PARAMETER, "person_id",
		"This person is already a project member" },
	{ "project_name", RC_INVALID_PARAMETER, "name",
		"The project name you entered is already taken." },
	{ "label_project_id_name_key", RC_INVALID_PARAMETER, "name",
		"A label with this name already exists in this project." },
	{ "epic_label_id_key", RC_INVALID_PARAMETER, "label",
		"The label is already used by another epic." },
	{ "review_type_name", RC_INVALID_PARAMETER, "name",
		"A review type with this name already exists in this project." },

	NOBODY("account_membership_person_id_fkey", "person_id"),
	NOBODY("project_membership_person_id_fkey", "person_id"),
	NOBODY("story_requested_by_id_fkey", "requested_by_id"),
	NOBODY("comment_person_id_fkey", "person_id"),
	NOBODY("blocker_person_id_fkey", "person_id"),
	NOBODY("review_reviewer_id_fkey", "reviewer_id"),
	{ "review_review_type_id_fkey", RC_INVALID_PARAMETER, "review_type_id",
		"review_type_id must be a review type of the project." },
	{ "epic_label_id_fkey", RC_INVALID_PARAMETER, "label",
		"label must be a label of the project." },
	{ "project_account_id_fkey", RC_INVALID_PARAMETER, "account_id",
		"account_id must be an existing account." },
	GONE("account_membership_account_id_fkey"),
	GONE("*_project_id_fkey"),
	GONE("*_story_id_fkey"),
	GONE("*_epic_id_fkey"),
	GONE("*_comment_id_fkey"),

	{ "22001", RC_INVALID_PARAMETER, NULL, "The request contains a text that is too long." },
	{ "22003", RC_INVALID_PARAMETER, NULL, "The request contains a number that is out of range." },
	{ "22007", RC_INVALID_PARAMETER, NULL, "The request contains an invalid date or time." },
	{ "22008", RC_INVALID_PARAMETER, NULL, "The request contains a date or time that is out of range." },
	{ "22021", RC_INVALID_PARAMETER, NULL, "The request contains text that is not valid UTF-8." },
	{ "22P05", RC_INVALID_PARAMETER, NULL, "The request contains a character that cannot be stored." },
	{ "2201B", RC_INVALID_PARAMETER, NULL, "The request contains an invalid regular "
			"expression." },
};
/* clang-format on */
const int sentences_count = sizeof sentences / sizeof *sentences;

static bool is_of(const struct sentence *s, const char *name)
{
	if (s->of[0] != '*')
		return !strcmp(name, s->of);
	size_t n = strlen(name), end = strlen(s->of + 1);
	return n > end && !strcmp(name + n - end, s->of + 1);
}

static const struct sentence *find(const char *of)
{
	for (int i = 0; of && i < sentences_count; i++)
		if (is_of(&sentences[i], of))
			return &sentences[i];
	return NULL;
}

const struct sentence *sentence_find(const struct db_error *error)
{
	const struct sentence *s = find(error->constraint.p);
	return s ? s : find(error->sqlstate);
}
