#include "transfer/form/v5_kind.h"

#include <string.h>

/* Words of replies, dumps and lists, without the `s` of many. */
static const struct word {
	const char *word;
	int kind;
} words[] = {
	{ "project", INTAKE_PROJECT },
	{ "person", INTAKE_PERSON },
	{ "people", INTAKE_PERSON },
	{ "member", INTAKE_MEMBERSHIP },
	{ "membership", INTAKE_MEMBERSHIP },
	{ "project_membership", INTAKE_MEMBERSHIP },
	{ "label", INTAKE_LABEL },
	{ "epic", INTAKE_EPIC },
	{ "story", INTAKE_STORY },
	{ "storie", INTAKE_STORY },
	{ "task", INTAKE_TASK },
	{ "story_task", INTAKE_TASK },
	{ "comment", INTAKE_COMMENT },
	{ "story_comment", INTAKE_COMMENT },
	{ "epic_comment", INTAKE_COMMENT },
	{ "blocker", INTAKE_BLOCKER },
	{ "story_blocker", INTAKE_BLOCKER },
	{ "review_type", INTAKE_REVIEW_TYPE },
	{ "review", INTAKE_REVIEW },
	{ "story_review", INTAKE_REVIEW },
	{ "pull_request", INTAKE_PULL_REQUEST },
	{ "branch", INTAKE_BRANCH },
	{ "branche", INTAKE_BRANCH },
	{ "cicd_event", INTAKE_CICD },
	{ "file_attachment", INTAKE_FILE },
	{ "google_attachment", INTAKE_GOOGLE },
	{ "transition", INTAKE_TRANSITION },
	{ "story_transition", INTAKE_TRANSITION },
	{ "activity", INTAKE_ACTIVITY },
	{ "activitie", INTAKE_ACTIVITY },
	{ "project_activity", INTAKE_ACTIVITY },
	{ "story_activity", INTAKE_ACTIVITY },
	{ "iteration_override", INTAKE_OVERRIDE },
	{ "saved_search", INTAKE_SAVED_SEARCH },
	{ "saved_searche", INTAKE_SAVED_SEARCH },
	{ "webhook", INTAKE_WEBHOOK },
	{ "integration", INTAKE_INTEGRATION },
	{ "iteration", V5_ITERATION },
	{ "release", V5_RELEASE },
	{ "me", V5_NOTHING },
	{ "account", V5_NOTHING },
	{ "account_membership", V5_NOTHING },
	{ "account_summary", V5_NOTHING },
	{ "membership_summary", V5_NOTHING },
	{ "workspace", V5_NOTHING },
	{ "time_zone", V5_NOTHING },
	{ "notification", V5_NOTHING },
	{ "cycle_time_detail", V5_NOTHING },
	{ "project_snapshot", V5_NOTHING },
	{ "analytic", V5_NOTHING },
	{ "reaction", V5_UNKNOWN },
};

static bool ends(struct str s, const char *with)
{
	const size_t n = strlen(with);

	return s.n >= n && memcmp(s.p + s.n - n, with, n) == 0;
}

enum v5_kind v5_kind_of_word(struct str word)
{
	const struct str one = { word.p, word.n - (word.n > 2 && word.p[word.n - 1] == 's') };

	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++)
		if (str_equal_z(word, words[i].word) || str_equal_z(one, words[i].word))
			return (enum v5_kind)words[i].kind;
	if (ends(word, "_activity"))
		return (enum v5_kind)INTAKE_ACTIVITY;
	if (ends(word, "_integration"))
		return (enum v5_kind)INTAKE_INTEGRATION;
	return V5_UNKNOWN;
}

/* Fields that a record of the kind has, and none of the kinds below it; names with spaces. */
static const struct sign {
	const char *fields;
	int kind;
} signs[] = {
	{ "current_state story_type", INTAKE_STORY },
	{ "message occurred_at", INTAKE_ACTIVITY },
	{ "changes occurred_at", INTAKE_ACTIVITY },
	{ "state occurred_at", INTAKE_TRANSITION },
	{ "text person_id", INTAKE_COMMENT },
	{ "text person", INTAKE_COMMENT },
	{ "text story_id", INTAKE_COMMENT },
	{ "text epic_id", INTAKE_COMMENT },
	{ "complete description", INTAKE_TASK },
	{ "resolved description", INTAKE_BLOCKER },
	{ "review_type_id", INTAKE_REVIEW },
	{ "filename", INTAKE_FILE },
	{ "google_kind", INTAKE_GOOGLE },
	{ "webhook_url", INTAKE_WEBHOOK },
	{ "number stories", V5_ITERATION },
	{ "number start finish", V5_ITERATION },
	{ "role person", INTAKE_MEMBERSHIP },
	{ "role person_id", INTAKE_MEMBERSHIP },
	{ "name iteration_length", INTAKE_PROJECT },
	{ "name point_scale", INTAKE_PROJECT },
	{ "original_url number", INTAKE_PULL_REQUEST },
	{ "original_url name", INTAKE_BRANCH },
	{ "email initials", INTAKE_PERSON },
	{ "email username", INTAKE_PERSON },
	{ "name username initials", INTAKE_PERSON },
	{ "name label", INTAKE_EPIC },
	{ "name label_id", INTAKE_EPIC },
	{ "name story_type", INTAKE_STORY },
	{ "name current_state", INTAKE_STORY },
	{ "name counts", INTAKE_LABEL },
};

static bool has_all(const struct body *record, const char *fields)
{
	struct str rest = str_of(fields);

	while (rest.p) {
		char name[64];
		struct str field = str_cut(&rest, ' ');

		if (!body_get(
			    record, str_print(name, sizeof(name), "%.*s", (int)field.n, field.p).p))
			return false;
	}
	return true;
}

enum v5_kind v5_kind_of(const struct body *record, enum v5_kind hint)
{
	const struct body *kind = body_get(record, "kind");

	if (kind && kind->type == BODY_TEXT) {
		enum v5_kind found = v5_kind_of_word(kind->text);

		/* An iteration's own kind is where it lies: done, current and so on. */
		if (found != V5_UNKNOWN || (hint == V5_UNKNOWN && kind->text.n))
			return found;
	}
	if (hint != V5_UNKNOWN)
		return hint;
	for (size_t i = 0; i < sizeof(signs) / sizeof(signs[0]); i++)
		if (has_all(record, signs[i].fields))
			return (enum v5_kind)signs[i].kind;
	return V5_UNKNOWN;
}
