/* Fields of parts of stories other than tasks and comments. */
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
		.doc = "Who reported it; the caller by default." },
	{ "person", FT_ONE, F_HIDES_KEY, .child = &res_person, .key = "person_id",
		.doc = "Who reported it." },
	{ "description", FT_TEXT, F_DEFAULT | F_WRITE | F_REQUIRED | F_NO_BLANK | F_STORED | F_TOLD,
		AT(blocker, description), .max = 1000,
		.doc = "What blocks it, at most 1000 characters; #ID names another story." },
	{ "resolved", FT_BOOL, F_DEFAULT | F_WRITE | F_STORED | F_TOLD, AT(blocker, resolved),
		.doc = "Whether it no longer blocks." },
	{ "created_at", FT_TIME, F_DEFAULT | F_STORED | F_TOLD, AT(blocker, created_at),
		.doc = "When it was created." },
	{ "updated_at", FT_TIME, F_DEFAULT | F_STORED | F_TOLD, AT(blocker, updated_at),
		.doc = "When it was last changed." },
	{ "blocking_story_ids", FT_IDS, F_HIDDEN | F_STORED, AT(blocker, blocking_story_ids),
		.stays = "derived from the description",
		.doc = "Other stories of the project that the description names." },
	{ "waits", FT_BOOL, F_HIDDEN, AT(blocker, waits),
		.doc = "Whether it names other stories." },
};
const struct resource res_blocker = { "blocker", .table = "blocker",
	RESOURCE_FIELDS(blocker_fields), .size = sizeof(struct blocker), .depth = 2,
	.is_versioned = true };

static const struct field review_type_fields[] = {
	{ "kind", FT_KIND, F_DEFAULT | F_CREATE | F_IGNORED, .doc = "review_type" },
	{ "id", FT_INT, F_DEFAULT | F_KEY, .doc = "Identifier." },
	{ "project_id", FT_INT, F_DEFAULT | F_STORED | F_TOLD, AT(review_type, project_id),
		.doc = "The project." },
	{ "project", FT_ONE, F_HIDES_KEY, .child = &res_project, .key = "project_id",
		.doc = "The project." },
	{ "name", FT_STRING, F_DEFAULT | F_WRITE | F_REQUIRED | F_NO_BLANK | F_STORED | F_TOLD,
		AT(review_type, name), .max = 255,
		.doc = "Unique in the project, at most 255 characters." },
	{ "hidden", FT_BOOL, F_DEFAULT | F_WRITE | F_STORED | F_TOLD, AT(review_type, hidden),
		.doc = "Whether it is hidden, so that it gets no new reviews." },
	{ "created_at", FT_TIME, F_DEFAULT | F_STORED | F_TOLD, AT(review_type, created_at),
		.doc = "When it was created." },
	{ "updated_at", FT_TIME, F_DEFAULT | F_STORED | F_TOLD, AT(review_type, updated_at),
		.doc = "When it was last changed." },
};
const struct resource res_review_type = { "review_type", .table = "review_type",
	RESOURCE_FIELDS(review_type_fields), .by_ids = STMT_REVIEW_TYPE_BY_IDS,
	.size = sizeof(struct review_type), .is_versioned = true };

static const struct review review_preset = { .id = NIL,
	.story_id = NIL,
	.review_type_id = NIL,
	.reviewer_id = NIL,
	.status = REVIEW_UNSTARTED,
	.created_at = NIL,
	.updated_at = NIL };
static const struct field review_fields[] = {
	{ "kind", FT_KIND, F_DEFAULT | F_CREATE | F_IGNORED, .doc = "review" },
	{ "id", FT_INT, F_DEFAULT | F_KEY, .doc = "Identifier." },
	{ "story_id", FT_INT, F_DEFAULT | F_STORED | F_TOLD, AT(review, story_id),
		.doc = "The story." },
	{ "story", FT_ONE, F_HIDES_KEY, .child = &res_story, .key = "story_id",
		.doc = "The story." },
	{ "review_type_id", FT_INT, F_DEFAULT | F_WRITE | F_REQUIRED | F_STORED | F_TOLD,
		AT(review, review_type_id), .doc = "The kind of review." },
	{ "review_type", FT_ONE, F_HIDES_KEY, .child = &res_review_type, .key = "review_type_id",
		.doc = "The kind of review." },
	{ "reviewer_id", FT_INT, F_DEFAULT | F_WRITE | F_NULL | F_STORED | F_TOLD,
		AT(review, reviewer_id), .doc = "Who reviews." },
	{ "reviewer", FT_ONE, F_HIDES_KEY, .child = &res_person, .key = "reviewer_id",
		.doc = "Who reviews." },
	{ "status", FT_WORD, F_DEFAULT | F_WRITE | F_STORED | F_TOLD, AT(review, status),
		.words = words_review_statuses, .doc = "unstarted, in_review, pass or revise." },
	{ "created_at", FT_TIME, F_DEFAULT | F_STORED | F_TOLD, AT(review, created_at),
		.doc = "When it was created." },
	{ "updated_at", FT_TIME, F_DEFAULT | F_STORED | F_TOLD, AT(review, updated_at),
		.doc = "When it was last changed." },
};
const struct resource res_review = { "review", .table = "review", RESOURCE_FIELDS(review_fields),
	.size = sizeof(struct review), .preset = &review_preset, .depth = 2, .is_versioned = true };

/* Parts of a story or an epic that refer to a repository. */
/* clang-format off */
#define PART (F_DEFAULT | F_STORED | F_TOLD)
#define REPOSITORY_FIELDS									\
	{ "story_id", FT_INT, PART, AT(code_part, story_id), .doc = "The story, if it is on one." }, \
	{ "story", FT_ONE, F_HIDES_KEY, .child = &res_story, .key = "story_id",			\
		.doc = "The story." },								\
	{ "epic_id", FT_INT, PART, AT(code_part, epic_id), .doc = "The epic, if it is on one." }, \
	{ "epic", FT_ONE, F_HIDES_KEY, .child = &res_epic, .key = "epic_id",			\
		.doc = "The epic." },								\
	{ "owner", FT_STRING, PART | F_WRITE | F_REQUIRED | F_NO_BLANK, AT(code_part, owner),	\
		.max = 255, .doc = "The repository's owner." },					\
	{ "repo", FT_STRING, PART | F_WRITE | F_REQUIRED | F_NO_BLANK, AT(code_part, repo),	\
		.max = 255, .doc = "The repository." },						\
	{ "host_url", FT_STRING, PART | F_WRITE, AT(code_part, host_url), .max = 2000,		\
		.doc = "The repository's host; https://github.com/ by default." }
/* clang-format on */

#define BYTES(literal) { literal, sizeof literal - 1 }
static const struct code_part code_preset = { .id = NIL,
	.story_id = NIL,
	.epic_id = NIL,
	.host_url = BYTES("https://github.com/"),
	.status = BYTES("unknown"),
	.number = NIL,
	.created_at = NIL,
	.updated_at = NIL };

static const struct field pull_request_fields[] = {
	{ "id", FT_INT, F_DEFAULT | F_KEY, .doc = "Identifier." },
	{ "kind", FT_KIND, F_DEFAULT | F_CREATE | F_IGNORED, .doc = "pull_request" },
	REPOSITORY_FIELDS,
	{ "original_url", FT_STRING, PART | F_WRITE | F_NULL, AT(code_part, original_url),
		.max = 2000, .doc = "Its address." },
	{ "status", FT_STRING, PART | F_WRITE, AT(code_part, status), .max = 50,
		.doc = "unknown by default." },
	{ "number", FT_INT, PART | F_WRITE | F_REQUIRED, AT(code_part, number), .min = 1,
		.max = 9007199254740991, .doc = "Its number in the repository." },
	{ "created_at", FT_TIME, PART, AT(code_part, created_at), .doc = "When it was linked." },
	{ "updated_at", FT_TIME, PART, AT(code_part, updated_at),
		.doc = "When the link was last changed." },
};
const struct resource res_pull_request = { "pull_request", .table = "pull_request",
	RESOURCE_FIELDS(pull_request_fields), .size = sizeof(struct code_part),
	.preset = &code_preset, .depth = 2, .is_versioned = true };

static const struct field branch_fields[] = {
	{ "id", FT_INT, F_DEFAULT | F_KEY, .doc = "Identifier." },
	{ "kind", FT_KIND, F_DEFAULT | F_CREATE | F_IGNORED, .doc = "branch" },
	REPOSITORY_FIELDS,
	{ "name", FT_STRING, PART | F_WRITE | F_REQUIRED | F_NO_BLANK, AT(code_part, name),
		.max = 255, .doc = "The branch." },
	{ "original_url", FT_STRING, PART | F_WRITE | F_NULL, AT(code_part, original_url),
		.max = 2000, .doc = "Its address." },
	{ "created_at", FT_TIME, PART, AT(code_part, created_at), .doc = "When it was linked." },
	{ "updated_at", FT_TIME, PART, AT(code_part, updated_at),
		.doc = "When the link was last changed." },
};
const struct resource res_branch = { "branch", .table = "branch", RESOURCE_FIELDS(branch_fields),
	.size = sizeof(struct code_part), .preset = &code_preset, .depth = 2,
	.is_versioned = true };

static const struct field cicd_event_fields[] = {
	{ "id", FT_INT, F_DEFAULT | F_KEY, .doc = "Identifier." },
	{ "kind", FT_KIND, F_DEFAULT | F_CREATE | F_IGNORED, .doc = "cicd_event" },
	{ "story_id", FT_INT, PART, AT(code_part, story_id), .doc = "The story." },
	{ "story", FT_ONE, F_HIDES_KEY, .child = &res_story, .key = "story_id",
		.doc = "The story." },
	{ "provider", FT_STRING, PART | F_WRITE | F_NULL, AT(code_part, provider), .max = 255,
		.doc = "The system that built it." },
	{ "name", FT_STRING, PART | F_WRITE | F_REQUIRED | F_NO_BLANK, AT(code_part, name),
		.max = 255, .doc = "The build or the step." },
	{ "status", FT_STRING, PART | F_WRITE, AT(code_part, status), .max = 50,
		.doc = "unknown by default." },
	{ "url", FT_STRING, PART | F_WRITE | F_NULL, AT(code_part, url), .max = 2000,
		.doc = "Its address." },
	{ "created_at", FT_TIME, PART, AT(code_part, created_at), .doc = "When it was reported." },
	{ "updated_at", FT_TIME, PART, AT(code_part, updated_at),
		.doc = "When it was last changed." },
};
const struct resource res_cicd_event = { "cicd_event", .table = "cicd_event",
	RESOURCE_FIELDS(cicd_event_fields), .size = sizeof(struct code_part),
	.preset = &code_preset, .depth = 2, .is_versioned = true };

static const struct field follower_body_fields[] = {
	{ "kind", FT_KIND, F_CREATE | F_IGNORED, .doc = "person" },
	{ "id", FT_INT, F_CREATE, AT(person_wish, id), .doc = "Person to add." },
	{ "person_id", FT_INT, F_CREATE, AT(person_wish, person_id),
		.doc = "The same under another name." },
};
const struct resource res_follower_body = { "person", RESOURCE_FIELDS(follower_body_fields),
	.size = sizeof(struct person_wish) };
