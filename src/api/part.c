/* What hangs on stories beside tasks and comments: fields, what commands load, endpoints. */
#include "api/part.h"

#include "api/crud.h"
#include "api/routes.h"
#include "domain/blocker.h"
#include "domain/part.h"
#include "domain/review.h"
#include "model/model.h"

/* Fields ------------------------------------------------------------------- */

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
const struct resource res_blocker = { "blocker", .table = "blocker",
	RESOURCE_FIELDS(blocker_fields), .size = sizeof(struct blocker), .depth = 2 };

static const struct field review_type_fields[] = {
	{ "kind", FT_KIND, F_DEFAULT | F_CREATE | F_IGNORED, .doc = "review_type" },
	{ "id", FT_INT, F_DEFAULT | F_KEY, .doc = "Identifier." },
	{ "project_id", FT_INT, F_DEFAULT | F_STORED | F_TOLD, AT(review_type, project_id),
		.doc = "The project." },
	{ "project", FT_ONE, F_HIDES_KEY, .child = &res_project, .key = "project_id",
		.doc = "The project." },
	{ "name", FT_STRING, F_DEFAULT | F_WRITE | F_REQUIRED | F_NO_BLANK | F_STORED | F_TOLD,
		AT(review_type, name), .max = 255,
		.doc = "Once in a project, at most 255 characters." },
	{ "hidden", FT_BOOL, F_DEFAULT | F_WRITE | F_STORED | F_TOLD, AT(review_type, hidden),
		.doc = "No new reviews of this type." },
	{ "created_at", FT_TIME, F_DEFAULT | F_STORED | F_TOLD, AT(review_type, created_at),
		.doc = "When it was made." },
	{ "updated_at", FT_TIME, F_DEFAULT | F_STORED | F_TOLD, AT(review_type, updated_at),
		.doc = "When it was last changed." },
};
const struct resource res_review_type = { "review_type", .table = "review_type",
	RESOURCE_FIELDS(review_type_fields), .by_ids = STMT_REVIEW_TYPE_BY_IDS,
	.size = sizeof(struct review_type) };

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
		AT(review, review_type_id), .doc = "What is looked at." },
	{ "review_type", FT_ONE, F_HIDES_KEY, .child = &res_review_type, .key = "review_type_id",
		.doc = "What is looked at." },
	{ "reviewer_id", FT_INT, F_DEFAULT | F_WRITE | F_NULL | F_STORED | F_TOLD,
		AT(review, reviewer_id), .doc = "Who reviews." },
	{ "reviewer", FT_ONE, F_HIDES_KEY, .child = &res_person, .key = "reviewer_id",
		.doc = "Who reviews." },
	{ "status", FT_WORD, F_DEFAULT | F_WRITE | F_STORED | F_TOLD, AT(review, status),
		.words = words_review_statuses, .doc = "unstarted, in_review, pass or revise." },
	{ "created_at", FT_TIME, F_DEFAULT | F_STORED | F_TOLD, AT(review, created_at),
		.doc = "When it was made." },
	{ "updated_at", FT_TIME, F_DEFAULT | F_STORED | F_TOLD, AT(review, updated_at),
		.doc = "When it was last changed." },
};
const struct resource res_review = { "review", .table = "review", RESOURCE_FIELDS(review_fields),
	.size = sizeof(struct review), .preset = &review_preset, .depth = 2 };

/* What hangs on a story or an epic and stands in a repository. */
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
		.max = 255, .doc = "Whose repository it is." },					\
	{ "repo", FT_STRING, PART | F_WRITE | F_REQUIRED | F_NO_BLANK, AT(code_part, repo),	\
		.max = 255, .doc = "The repository." },						\
	{ "host_url", FT_STRING, PART | F_WRITE, AT(code_part, host_url), .max = 2000,		\
		.doc = "Where the repository lives; https://github.com/ by default." }
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
	{ "original_url", FT_STRING, PART | F_WRITE, AT(code_part, original_url), .max = 2000,
		.doc = "Its address." },
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
	.preset = &code_preset, .depth = 2 };

static const struct field branch_fields[] = {
	{ "id", FT_INT, F_DEFAULT | F_KEY, .doc = "Identifier." },
	{ "kind", FT_KIND, F_DEFAULT | F_CREATE | F_IGNORED, .doc = "branch" },
	REPOSITORY_FIELDS,
	{ "name", FT_STRING, PART | F_WRITE | F_REQUIRED | F_NO_BLANK, AT(code_part, name),
		.max = 255, .doc = "The branch." },
	{ "original_url", FT_STRING, PART | F_WRITE, AT(code_part, original_url), .max = 2000,
		.doc = "Its address." },
	{ "created_at", FT_TIME, PART, AT(code_part, created_at), .doc = "When it was linked." },
	{ "updated_at", FT_TIME, PART, AT(code_part, updated_at),
		.doc = "When the link was last changed." },
};
const struct resource res_branch = { "branch", .table = "branch", RESOURCE_FIELDS(branch_fields),
	.size = sizeof(struct code_part), .preset = &code_preset, .depth = 2 };

static const struct field cicd_event_fields[] = {
	{ "id", FT_INT, F_DEFAULT | F_KEY, .doc = "Identifier." },
	{ "kind", FT_KIND, F_DEFAULT | F_CREATE | F_IGNORED, .doc = "cicd_event" },
	{ "story_id", FT_INT, PART, AT(code_part, story_id), .doc = "The story." },
	{ "story", FT_ONE, F_HIDES_KEY, .child = &res_story, .key = "story_id",
		.doc = "The story." },
	{ "provider", FT_STRING, PART | F_WRITE, AT(code_part, provider), .max = 255,
		.doc = "The system that built it." },
	{ "name", FT_STRING, PART | F_WRITE | F_REQUIRED | F_NO_BLANK, AT(code_part, name),
		.max = 255, .doc = "The build or the step." },
	{ "status", FT_STRING, PART | F_WRITE, AT(code_part, status), .max = 50,
		.doc = "unknown by default." },
	{ "url", FT_STRING, PART | F_WRITE, AT(code_part, url), .max = 2000,
		.doc = "Where it can be looked at." },
	{ "created_at", FT_TIME, PART, AT(code_part, created_at), .doc = "When it was told." },
	{ "updated_at", FT_TIME, PART, AT(code_part, updated_at),
		.doc = "When it was last changed." },
};
const struct resource res_cicd_event = { "cicd_event", .table = "cicd_event",
	RESOURCE_FIELDS(cicd_event_fields), .size = sizeof(struct code_part),
	.preset = &code_preset, .depth = 2 };

static const struct field follower_body_fields[] = {
	{ "id", FT_INT, F_CREATE, AT(person_wish, id), .doc = "Person to add." },
	{ "person_id", FT_INT, F_CREATE, AT(person_wish, person_id),
		.doc = "The same by another name." },
};
const struct resource res_follower_body = { "person", RESOURCE_FIELDS(follower_body_fields),
	.size = sizeof(struct person_wish) };

/* What commands load ------------------------------------------------------- */

/* Ids that wishes name at a place of their structs; null and absent ones are none. */
static struct ids ids_at(struct arena *a, struct wishes list, size_t at)
{
	int64_t *v = arena_array(a, list.n, sizeof *v);
	struct ids ids = { v, 0 };
	for (size_t i = 0; i < list.n; i++) {
		int64_t id = *(const int64_t *)(const void *)((const char *)list.v[i]->object + at);
		if (id != NIL)
			v[ids.n++] = id;
	}
	return ids;
}

static void take_stories_named(struct load *l, const struct rows *rows)
{
	int64_t *v = arena_array(l->arena, (size_t)db_count(rows), sizeof *v);
	for (int i = 0; i < db_count(rows); i++)
		v[i] = db_get_int(rows, i, 0);
	l->scene->named_stories = (struct ids){ v, (size_t)db_count(rows) };
}

static void load_stories_named(struct command *c, struct wishes list)
{
	struct arena *a = c->r->arena;
	struct ids *named = arena_array(a, list.n, sizeof *named);
	size_t n = 0;
	for (size_t i = 0; i < list.n; i++) {
		const struct blocker *w = list.v[i]->object;
		named[i] = blocker_names(a, w->description);
		n += named[i].n;
	}
	if (n == 0)
		return;
	int64_t *v = arena_array(a, n, sizeof *v);
	struct ids all = { v, 0 };
	for (size_t i = 0; i < list.n; i++)
		for (size_t k = 0; k < named[i].n; k++)
			v[all.n++] = named[i].v[k];
	const struct db_param params[] = { c->load.project, c->load.story,
		db_ids(a, all.v, all.n) };
	load_ask_rows(&c->load, STMT_LOAD_STORIES_NAMED, 3, params, take_stories_named);
}

/* People, types and stories that wishes of parts name; of blockers, whom they concern. */
static void load_named(struct command *c, const struct resource *of, struct wishes list)
{
	struct arena *a = c->r->arena;
	if (of == &res_blocker) {
		load_stories_named(c, list);
		load_members(&c->load, ids_at(a, list, offsetof(struct blocker, person_id)),
			(struct strs){ 0 }, true, (struct ids){ 0 });
	} else if (of == &res_review) {
		struct ids types = ids_at(a, list, offsetof(struct review, review_type_id));
		const struct db_param params[] = { c->load.project, c->load.story,
			db_ids(a, types.v, types.n) };
		if (types.n)
			load_ask(&c->load, STMT_LOAD_REVIEW_TYPES, 3, params, &res_review_type,
				&c->scene.review_types);
		load_members(&c->load, ids_at(a, list, offsetof(struct review, reviewer_id)),
			(struct strs){ 0 }, false, (struct ids){ 0 });
	}
}

size_t part_load_known(struct command *c, const struct resource *of, struct wishes list,
	enum stmt stmt, struct objects *into)
{
	struct ids known = ids_at(c->r->arena, list, 0);
	const struct db_param params[] = { db_ids(c->r->arena, known.v, known.n), c->load.story };
	if (known.n)
		load_ask(&c->load, stmt, 2, params, of, into);
	return list.n - known.n;
}

void part_load(struct command *c, const struct resource *of, struct wishes list, enum stmt stmt,
	struct objects *into)
{
	if (list.n == 0)
		return;
	load_new_ids(&c->load, of, part_load_known(c, of, list, stmt, into));
	load_named(c, of, list);
}

static void load_part(struct command *c)
{
	load_named(c, c->r->route->target, (struct wishes){ &c->wish, 1 });
}

static void load_new_part(struct command *c)
{
	load_new_ids(&c->load, c->r->route->target, 1);
	load_part(c);
}

static void load_review_type_name(struct command *c)
{
	const struct review_type *w = command_wish(c);
	if (!w->name.p)
		return;
	const struct db_param params[] = { c->load.project,
		db_text(c->r->arena, review_type_name(w->name)) };
	load_ask(&c->load, STMT_LOAD_REVIEW_TYPE_NAMED, 2, params, &res_review_type,
		&c->scene.review_types);
}

static void load_new_review_type(struct command *c)
{
	load_new_ids(&c->load, &res_review_type, 1);
	load_review_type_name(c);
}

/* Endpoints ---------------------------------------------------------------- */

#define STORY "/projects/:project/stories/:story"

/* LIST: its path; KIND and THING: its resource, and how its statements begin; ONE and OTHER:
   bodies that make and change one. */
/* clang-format off */
#define PART_ROUTES(LIST, KIND, THING, NOUN, NOUNS, ONE, OTHER)					\
	{ "GET", STORY LIST, NEED_VIEWER, crud_list, &res_##KIND, .read = STMT_##THING##_LIST,	\
		.doc = NOUNS " of a story, oldest first." },					\
	{ "POST", STORY LIST, NEED_MEMBER, command_run, &res_##KIND,				\
		.read = STMT_##THING##_GET, .activity = #KIND "_create", .target = &res_##KIND,	\
		.load = load_new_part, .decide = part_create, .example = ONE,			\
		.doc = "Add a " NOUN "." },							\
	{ "GET", STORY LIST "/:id", NEED_VIEWER, crud_get, &res_##KIND,				\
		.read = STMT_##THING##_GET, .doc = "One " NOUN "." },				\
	{ "PUT", STORY LIST "/:id", NEED_MEMBER, command_run, &res_##KIND,			\
		.read = STMT_##THING##_GET, .activity = #KIND "_update", .target = &res_##KIND,	\
		.find = STMT_LOAD_##THING, .load = load_part, .decide = part_update,		\
		.example = OTHER, .doc = "Change a " NOUN "." },				\
	{ "DELETE", STORY LIST "/:id", NEED_MEMBER, command_run, NULL,				\
		.activity = #KIND "_delete", .target = &res_##KIND, .find = STMT_LOAD_##THING,	\
		.decide = part_delete, .doc = "Delete a " NOUN "." }
/* clang-format on */

const struct route part_routes[] = {
	PART_ROUTES("/blockers", blocker, BLOCKER, "blocker", "Blockers",
		"{\"description\":\"Frost until #556\"}", "{\"resolved\":true}"),
	PART_ROUTES("/reviews", review, REVIEW, "review", "Reviews",
		"{\"review_type_id\":12,\"reviewer_id\":101}", "{\"status\":\"pass\"}"),
	PART_ROUTES("/pull_requests", pull_request, PULL_REQUEST, "pull request", "Pull requests",
		"{\"owner\":\"ada\",\"repo\":\"garden\",\"number\":7}", "{\"status\":\"merged\"}"),
	PART_ROUTES("/branches", branch, BRANCH, "branch", "Branches",
		"{\"owner\":\"ada\",\"repo\":\"garden\",\"name\":\"beans\"}",
		"{\"name\":\"peas\"}"),
	PART_ROUTES("/cicd_events", cicd_event, CICD_EVENT, "build event", "Build events",
		"{\"provider\":\"ci\",\"name\":\"build\",\"status\":\"running\"}",
		"{\"status\":\"passed\"}"),
	{ "GET", "/projects/:project/review_types", NEED_VIEWER, crud_list, &res_review_type,
		.read = STMT_REVIEW_TYPE_LIST, .doc = "Review types of a project." },
	{ "POST", "/projects/:project/review_types", NEED_OWNER, command_run, &res_review_type,
		.read = STMT_REVIEW_TYPE_GET, .activity = "review_type_create",
		.target = &res_review_type, .load = load_new_review_type,
		.decide = review_type_create, .example = "{\"name\":\"Taste\"}",
		.doc = "Add a review type." },
	{ "GET", "/projects/:project/review_types/:id", NEED_VIEWER, crud_get, &res_review_type,
		.read = STMT_REVIEW_TYPE_GET, .doc = "One review type." },
	{ "PUT", "/projects/:project/review_types/:id", NEED_OWNER, command_run, &res_review_type,
		.read = STMT_REVIEW_TYPE_GET, .activity = "review_type_update",
		.target = &res_review_type, .find = STMT_LOAD_REVIEW_TYPE,
		.load = load_review_type_name, .decide = review_type_update,
		.example = "{\"hidden\":true}", .doc = "Rename or hide a review type." },
	{ 0 },
};
