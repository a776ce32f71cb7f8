#include "transfer/form/v5_kind.h"

#include <string.h>

/* Words of replies, dumps and lists that are not the resources' own, without the plural `s`. */
static const struct word {
	const char *word;
	int kind;
} words[] = {
	{ "people", INTAKE_PERSON },
	{ "member", INTAKE_MEMBERSHIP },
	{ "storie", INTAKE_STORY },
	{ "branche", INTAKE_BRANCH },
	{ "activitie", INTAKE_ACTIVITY },
	{ "saved_searche", INTAKE_SAVED_SEARCH },
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

/* story_task is task, project_membership is membership. */
static struct str without_owner(struct str word)
{
	static const char *const owners[] = { "story_", "epic_", "project_" };
	for (size_t i = 0; i < sizeof(owners) / sizeof(owners[0]); i++) {
		const size_t n = strlen(owners[i]);

		if (word.n > n && memcmp(word.p, owners[i], n) == 0)
			return (struct str){ word.p + n, word.n - n };
	}
	return word;
}

/* The kind whose resource has this name. */
static int kind_named(struct str word)
{
	for (int i = 0; i < INTAKE__MAX; i++)
		if (str_equal(without_owner(word),
			    without_owner(str_of(intake_resource((enum intake_kind)i)->kind))))
			return i;
	return V5_UNKNOWN;
}

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
	if (kind_named(word) != V5_UNKNOWN || kind_named(one) != V5_UNKNOWN)
		return (enum v5_kind)(
			kind_named(word) != V5_UNKNOWN ? kind_named(word) : kind_named(one));
	if (ends(word, "_activity"))
		return (enum v5_kind)INTAKE_ACTIVITY;
	if (ends(word, "_integration"))
		return (enum v5_kind)INTAKE_INTEGRATION;
	return V5_UNKNOWN;
}

/* Fields that identify a kind: no kind further down has them all. Names are separated by spaces. */
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

		/* An iteration's own kind says where in the plan it is: done, current and so on. */
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

bool v5_kind_tells(struct str name)
{
	bool tells = str_equal_z(name, "kind");

	for (size_t i = 0; i < sizeof(signs) / sizeof(signs[0]) && !tells; i++)
		for (struct str rest = str_of(signs[i].fields); rest.p && !tells;)
			tells = str_equal(str_cut(&rest, ' '), name);
	return tells;
}
