#include "model/model.h"
#include "model/things.h"

static const struct field blocker_fields[] = {
	{ "kind", FT_KIND, F_DEFAULT | F_CREATE | F_IGNORED, .doc = "blocker" },
	{ "id", FT_INT, F_DEFAULT | F_KEY, .doc = "Identifier." },
	{ "story_id", FT_INT, F_DEFAULT | F_STORED | F_TOLD, AT(blocker, story_id),
		.doc = "The story that is blocked." },
	{ "story", FT_ONE, F_HIDES_KEY, .child = &res_story, .key = "story_id",
		.doc = "The story." },
	{ "person_id", FT_INT, F_DEFAULT | F_WRITE | F_STORED | F_TOLD, AT(blocker, person_id),
		.doc = "Who said so; the caller by default." },
	{ "person", FT_ONE, F_HIDES_KEY, .child = &res_person, .key = "person_id",
		.doc = "Who said so." },
	{ "description", FT_TEXT, F_DEFAULT | F_WRITE | F_REQUIRED | F_NO_BLANK | F_STORED | F_TOLD,
		AT(blocker, description), .max = 1000,
		.doc = "What blocks it, at most 1000 characters; #ID names another story." },
	{ "resolved", FT_BOOL, F_DEFAULT | F_WRITE | F_STORED | F_TOLD, AT(blocker, resolved),
		.doc = "Whether it blocks no longer." },
	{ "created_at", FT_TIME, F_DEFAULT | F_STORED | F_TOLD, AT(blocker, created_at),
		.doc = "When it was made." },
	{ "updated_at", FT_TIME, F_DEFAULT | F_STORED | F_TOLD, AT(blocker, updated_at),
		.doc = "When it was last changed." },
	{ "blocking_story_ids", FT_IDS, F_HIDDEN | F_STORED, AT(blocker, blocking_story_ids),
		.doc = "Other stories of the project that the description names." },
	{ "waits", FT_BOOL, F_HIDDEN, AT(blocker, waits),
		.doc = "Whether it waits for another story, too." },
};
const struct resource res_blocker = { "blocker", .table = "blocker", .parent = "story_id",
	RESOURCE_FIELDS(blocker_fields), .size = sizeof(struct blocker), .depth = 2 };

static const struct field review_type_fields[] = {
	{ "kind", FT_KIND, F_DEFAULT | F_CREATE | F_IGNORED, .doc = "review_type" },
	{ "id", FT_INT, F_DEFAULT | F_KEY, .doc = "Identifier." },
	{ "project_id", FT_INT, F_DEFAULT, .doc = "The project." },
	{ "project", FT_ONE, F_HIDES_KEY, .child = &res_project, .key = "project_id",
		.doc = "The project." },
	{ "name", FT_STRING, F_DEFAULT | F_WRITE | F_REQUIRED | F_NO_BLANK, .max = 255,
		.doc = "Once in a project, at most 255 characters." },
	{ "hidden", FT_BOOL, F_DEFAULT | F_WRITE, .doc = "No new reviews of this type." },
	{ "created_at", FT_TIME, F_DEFAULT, .doc = "When it was made." },
	{ "updated_at", FT_TIME, F_DEFAULT, .doc = "When it was last changed." },
};
const struct resource res_review_type = { "review_type", .table = "review_type",
	.parent = "project_id", .parent_value = "project()", RESOURCE_FIELDS(review_type_fields),
	.by_ids = STMT_REVIEW_TYPE_BY_IDS };

static const char *const review_statuses[] = { "unstarted", "in_review", "pass", "revise", NULL };
static const struct field review_fields[] = {
	{ "kind", FT_KIND, F_DEFAULT | F_CREATE | F_IGNORED, .doc = "review" },
	{ "id", FT_INT, F_DEFAULT | F_KEY, .doc = "Identifier." },
	{ "story_id", FT_INT, F_DEFAULT, .doc = "The story." },
	{ "story", FT_ONE, F_HIDES_KEY, .child = &res_story, .key = "story_id",
		.doc = "The story." },
	{ "review_type_id", FT_INT, F_DEFAULT | F_WRITE | F_REQUIRED, .doc = "What is looked at." },
	{ "review_type", FT_ONE, F_HIDES_KEY, .child = &res_review_type, .key = "review_type_id",
		.doc = "What is looked at." },
	{ "reviewer_id", FT_INT, F_DEFAULT | F_WRITE | F_NULL, .doc = "Who reviews." },
	{ "reviewer", FT_ONE, F_HIDES_KEY, .child = &res_person, .key = "reviewer_id",
		.doc = "Who reviews." },
	{ "status", FT_WORD, F_DEFAULT | F_WRITE, .words = review_statuses,
		.doc = "unstarted, in_review, pass or revise." },
	{ "created_at", FT_TIME, F_DEFAULT, .doc = "When it was made." },
	{ "updated_at", FT_TIME, F_DEFAULT, .doc = "When it was last changed." },
};
const struct resource res_review = { "review", .table = "review", .parent = "story_id",
	RESOURCE_FIELDS(review_fields) };

/* What hangs on a story or an epic and stands in a repository. */
/* clang-format off */
#define REPOSITORY_FIELDS									\
	{ "story_id", FT_INT, F_DEFAULT, .doc = "The story, if it is on one." },		\
	{ "story", FT_ONE, F_HIDES_KEY, .child = &res_story, .key = "story_id",		\
		.doc = "The story." },								\
	{ "epic_id", FT_INT, F_DEFAULT, .doc = "The epic, if it is on one." },			\
	{ "epic", FT_ONE, F_HIDES_KEY, .child = &res_epic, .key = "epic_id",		\
		.doc = "The epic." },								\
	{ "owner", FT_STRING, F_DEFAULT | F_WRITE | F_REQUIRED | F_NO_BLANK, .max = 255,	\
		.doc = "Whose repository it is." },						\
	{ "repo", FT_STRING, F_DEFAULT | F_WRITE | F_REQUIRED | F_NO_BLANK, .max = 255,		\
		.doc = "The repository." },							\
	{ "host_url", FT_STRING, F_DEFAULT | F_WRITE, .max = 2000,				\
		.doc = "Where the repository lives; https://github.com/ by default." }
/* clang-format on */

static const struct field pull_request_fields[] = {
	{ "id", FT_INT, F_DEFAULT | F_KEY, .doc = "Identifier." },
	{ "kind", FT_KIND, F_DEFAULT | F_CREATE | F_IGNORED, .doc = "pull_request" },
	REPOSITORY_FIELDS,
	{ "original_url", FT_STRING, F_DEFAULT | F_WRITE, .max = 2000, .doc = "Its address." },
	{ "status", FT_STRING, F_DEFAULT | F_WRITE, .max = 50, .doc = "unknown by default." },
	{ "number", FT_INT, F_DEFAULT | F_WRITE | F_REQUIRED, .min = 1, .max = 9007199254740991,
		.doc = "Its number in the repository." },
	{ "created_at", FT_TIME, F_DEFAULT, .doc = "When it was linked." },
	{ "updated_at", FT_TIME, F_DEFAULT, .doc = "When the link was last changed." },
};
const struct resource res_pull_request = { "pull_request", .table = "pull_request",
	.parent = "story_id", RESOURCE_FIELDS(pull_request_fields) };

static const struct field branch_fields[] = {
	{ "id", FT_INT, F_DEFAULT | F_KEY, .doc = "Identifier." },
	{ "kind", FT_KIND, F_DEFAULT | F_CREATE | F_IGNORED, .doc = "branch" },
	REPOSITORY_FIELDS,
	{ "name", FT_STRING, F_DEFAULT | F_WRITE | F_REQUIRED | F_NO_BLANK, .max = 255,
		.doc = "The branch." },
	{ "original_url", FT_STRING, F_DEFAULT | F_WRITE, .max = 2000, .doc = "Its address." },
	{ "created_at", FT_TIME, F_DEFAULT, .doc = "When it was linked." },
	{ "updated_at", FT_TIME, F_DEFAULT, .doc = "When the link was last changed." },
};
const struct resource res_branch = { "branch", .table = "branch", .parent = "story_id",
	RESOURCE_FIELDS(branch_fields) };

static const struct field cicd_event_fields[] = {
	{ "id", FT_INT, F_DEFAULT | F_KEY, .doc = "Identifier." },
	{ "kind", FT_KIND, F_DEFAULT | F_CREATE | F_IGNORED, .doc = "cicd_event" },
	{ "story_id", FT_INT, F_DEFAULT, .doc = "The story." },
	{ "story", FT_ONE, F_HIDES_KEY, .child = &res_story, .key = "story_id",
		.doc = "The story." },
	{ "provider", FT_STRING, F_DEFAULT | F_WRITE, .max = 255,
		.doc = "The system that built it." },
	{ "name", FT_STRING, F_DEFAULT | F_WRITE | F_REQUIRED | F_NO_BLANK, .max = 255,
		.doc = "The build or the step." },
	{ "status", FT_STRING, F_DEFAULT | F_WRITE, .max = 50, .doc = "unknown by default." },
	{ "url", FT_STRING, F_DEFAULT | F_WRITE, .max = 2000, .doc = "Where it can be looked at." },
	{ "created_at", FT_TIME, F_DEFAULT, .doc = "When it was told." },
	{ "updated_at", FT_TIME, F_DEFAULT, .doc = "When it was last changed." },
};
const struct resource res_cicd_event = { "cicd_event", .table = "cicd_event", .parent = "story_id",
	RESOURCE_FIELDS(cicd_event_fields) };

static const struct field follower_body_fields[] = {
	{ "id", FT_INT, F_CREATE, .doc = "Person to add." },
	{ "person_id", FT_INT, F_CREATE, .doc = "The same by another name." },
};
const struct resource res_follower_body = { "person", RESOURCE_FIELDS(follower_body_fields) };
