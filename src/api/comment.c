/* Comments and their attachments: what their commands load, and their endpoints. */
#include "api/comment.h"

#include "api/crud.h"
#include "api/routes.h"
#include "domain/comment.h"
#include "model/model.h"
#include "model/things.h"

/* What commands load ----------------------------------------------------------------- */

struct uploads {
	int64_t *v;
	size_t n;
};

/* Collects the ids of the uploads among the items; returns how many are new documents. */
static size_t take_items(struct uploads *uploads, struct wishes items)
{
	size_t documents = 0;
	for (size_t i = 0; i < items.n; i++) {
		const struct google_attachment *item = items.v[i]->object;
		if (item->upload_id == NIL)
			documents++;
		else
			uploads->v[uploads->n++] = item->upload_id;
	}
	return documents;
}

static void take_ids(struct uploads *uploads, struct ids ids)
{
	for (size_t i = 0; i < ids.n; i++)
		uploads->v[uploads->n++] = ids.v[i];
}

static void load_uploads(struct command *c, struct ids ids)
{
	const struct load *l = &c->load;
	const struct db_param params[] = { l->project, l->story, l->epic,
		db_ids(c->r->arena, ids.v, ids.n) };
	if (ids.n)
		load_ask(&c->load, STMT_LOAD_UPLOADS, 4, params, &res_file_attachment,
			&c->scene.files);
}

static void load_attachments(struct command *c, const struct wishes *wishes)
{
	size_t n = 0, documents = 0;
	for (size_t i = 0; i < wishes->n; i++) {
		const struct comment *w = wishes->v[i]->object;
		n += w->file_attachment_ids.n + w->files_to_add.n + w->file_wishes.n +
			w->attachment_wishes.n;
	}
	struct uploads uploads = { arena_array(c->r->arena, n, sizeof(int64_t)), 0 };
	for (size_t i = 0; i < wishes->n; i++) {
		const struct comment *w = wishes->v[i]->object;
		take_ids(&uploads, w->file_attachment_ids);
		take_ids(&uploads, w->files_to_add);
		take_items(&uploads, w->file_wishes);
		documents += w->google_wishes.n + take_items(&uploads, w->attachment_wishes);
	}
	load_uploads(c, (struct ids){ uploads.v, uploads.n });
	load_new_ids(&c->load, &res_google_attachment, documents);
}

static void load_people(struct command *c, const struct wishes *wishes)
{
	struct arena *a = c->r->arena;
	int64_t *authors = arena_array(a, wishes->n, sizeof *authors);
	struct str *texts = arena_array(a, wishes->n, sizeof *texts);
	size_t n_authors = 0;
	for (size_t i = 0; i < wishes->n; i++) {
		const struct comment *w = wishes->v[i]->object;
		texts[i] = w->text;
		if (w->person_id != NIL)
			authors[n_authors++] = w->person_id;
	}
	load_members(&c->load, (struct ids){ authors, n_authors },
		(struct strs){ texts, wishes->n }, true, (struct ids){ 0 });
}

void comment_load(struct command *c, const struct wishes *wishes)
{
	if (wishes->n == 0)
		return;
	load_new_ids(&c->load, &res_comment, wishes->n);
	load_attachments(c, wishes);
	load_people(c, wishes);
}

static void load_create(struct command *c)
{
	comment_load(c, &(struct wishes){ &c->wish, 1 });
}

static void load_update(struct command *c)
{
	struct wishes wishes = { &c->wish, 1 };
	load_attachments(c, &wishes);
	load_people(c, &wishes);
}

/* The path's last id, whatever it belongs to. */
static void load_named(struct command *c, const struct resource *of, struct objects *into)
{
	struct db_param id = db_int(c->r->arena, crud_id(c->r));
	load_ask(&c->load, STMT_LOAD_ID, 1, &id, of, into);
}

static void load_file(struct command *c)
{
	load_named(c, &res_file_attachment, &c->scene.files);
}

static void load_google(struct command *c)
{
	load_named(c, &res_google_attachment, &c->scene.google);
}

/* Endpoints ------------------------------------------------------------------------------ */

#define EPIC "/projects/:project/epics/:epic"
#define STORY "/projects/:project/stories/:story"

/* Without one of these a comment would say nothing. */
#define COMMENT_ONE_OF                                                                             \
	"attachments, file_attachment_ids, file_attachments, google_attachments, text"

static const struct tool comment_tools[] = {
	{ "comment_on_story", .takes = "text", .query = "fields=id,person(id,name),created_at,text",
		.needs = "text" },
	{ 0 },
};

/* PATH: the story or epic; ON: how its statements begin; A: what it is called; TOOLS. */
/* clang-format off */
#define COMMENT_ROUTES(PATH, ON, A, TOOLS)							\
	{ "GET", PATH "/comments", NEED_VIEWER, crud_list, &res_comment,			\
		.read = STMT_##ON##_COMMENT_LIST, .doc = "Comments on " A ", oldest first." },	\
	{ "POST", PATH "/comments", NEED_MEMBER, command_run, &res_comment,			\
		.read = STMT_##ON##_COMMENT_GET, .activity = "comment_create",			\
		.target = &res_comment, .one_of = COMMENT_ONE_OF, .load = load_create,		\
		.decide = comment_create, .example = "{\"text\":\"They come up.\"}",		\
		.audit = AUDIT_UNTOLD, .doc = "Comment on " A ".", .tools = TOOLS },		\
	{ "GET", PATH "/comments/:id", NEED_VIEWER, crud_get, &res_comment,			\
		.read = STMT_##ON##_COMMENT_GET, .doc = "One comment." },			\
	{ "PUT", PATH "/comments/:id", NEED_MEMBER, command_run, &res_comment,			\
		.read = STMT_##ON##_COMMENT_GET, .activity = "comment_update",			\
		.target = &res_comment, .find = STMT_LOAD_COMMENT, .load = load_update,		\
		.decide = comment_update, .example = "{\"text\":\"All of them come up.\"}",	\
		.audit = AUDIT_UNTOLD, .doc = "Change a comment." },				\
	{ "DELETE", PATH "/comments/:id", NEED_MEMBER, command_run, NULL,			\
		.activity = "comment_delete", .target = &res_comment,				\
		.find = STMT_LOAD_COMMENT, .decide = comment_delete,				\
		.audit = AUDIT_UNTOLD, .doc = "Delete a comment and its attachments." },			\
	{ "DELETE", PATH "/comments/:id/file_attachments/:attachment", NEED_MEMBER, command_run, \
		NULL, .activity = "comment_update", .target = &res_comment,			\
		.find = STMT_LOAD_COMMENT_OF_FILE, .load = load_file,				\
		.decide = comment_file_remove, .audit = AUDIT_UNTOLD, .doc = "Remove a file from a comment." },		\
	{ "DELETE", PATH "/comments/:id/google_attachments/:google", NEED_MEMBER, command_run,	\
		NULL, .activity = "comment_update", .target = &res_comment,			\
		.find = STMT_LOAD_COMMENT_OF_GOOGLE, .load = load_google,			\
		.decide = comment_google_remove,						\
		.audit = AUDIT_UNTOLD, .doc = "Remove a Google document from a comment." }
/* clang-format on */

const struct route comment_routes[] = {
	COMMENT_ROUTES(STORY, STORY, "a story", comment_tools),
	COMMENT_ROUTES(EPIC, EPIC, "an epic", NULL),
	{ 0 },
};
