#include "api/reference.h"

#include <string.h>

#include "api/crud.h"
#include "http/scope.h"
#include "lib/log.h"

enum reference_answer reference_answer(const struct route *x)
{
	if (x->media)
		return REFERENCE_MEDIA;
	if (!x->resource)
		/* A PUT that changes nothing only reports something, and answers nothing. */
		return x->flags & R_READS && strcmp(x->method, "PUT") != 0 ? REFERENCE_ANY
									   : REFERENCE_NOTHING;
	return x->flags & (R_PAGED | R_LIST) || x->act == crud_list ? REFERENCE_LIST
								    : REFERENCE_ONE;
}

bool reference_is_answered(const struct field *f)
{
	return !(f->flags & F_HIDDEN) && f->type != FT_ZONE && f->type != FT_REFS &&
		f->type != FT_LABELS && f->type != FT_LIST && f->type != FT_OBJECT;
}

const struct resource *reference_body(const struct route *x, unsigned *flag)
{
	bool is_delete = !strcmp(x->method, "DELETE") && x->body;
	if (!is_delete && strcmp(x->method, "POST") != 0 && strcmp(x->method, "PUT") != 0)
		return NULL;
	*flag = x->flags & R_UPLOAD ? 0 : strcmp(x->method, "PUT") ? F_CREATE : F_UPDATE;
	return x->body ? x->body : x->resource;
}

const char *reference_who(enum need need)
{
	static const char *const words[] = {
		[NEED_PERSON] = "everybody with a token",
		[NEED_VIEWER] = "people of the project; if it is public, everybody",
		[NEED_PARTICIPANT] = "people of the project",
		[NEED_MEMBER] = "members and owners of the project",
		[NEED_OWNER] = "owners of the project",
		[NEED_STEWARD] = "owners of the project, and administrators of its account",
		[NEED_PARTNER] = "people of the project, and administrators of its account",
		[NEED_ACCOUNT_MEMBER] = "people of the account",
		[NEED_ACCOUNT_ADMIN] = "owner and administrators of the account",
		[NEED_ACCOUNT_OWNER] = "owner of the account",
		[NEED_ACCOUNT_SELF] = "owner and administrators of the account, and the person "
				      "concerned",
		[NEED_NOTHING] = "everybody, even without a token",
	};
	return words[need];
}

const char *reference_scope(const struct route *x)
{
	static const char *const sentences[] = {
		[SCOPE_NONE] = "",
		[SCOPE_READ] = " The scope read is enough.",
		[SCOPE_WRITE] = " A named token needs the scope write.",
		[SCOPE_OWN] = " Not with a named token.",
	};
	return sentences[scope_of(x)];
}

const char *reference_type(enum field_type type)
{
	/* clang-format off */
	static const char *const words[] = {
		[FT_KIND] = "word", [FT_INT] = "integer", [FT_FLOAT] = "number",
		[FT_DECIMAL] = "number", [FT_BOOL] = "boolean", [FT_STRING] = "string",
		[FT_TEXT] = "text", [FT_WORD] = "word", [FT_TIME] = "time", [FT_DATE] = "date",
		[FT_IDS] = "list of ids", [FT_STRINGS] = "list of strings", [FT_JSON] = "JSON",
		[FT_EVENTS] = "list of objects", [FT_URL] = "address", [FT_TOKEN] = "token",
		[FT_INLINE] = "object", [FT_ONE] = "object", [FT_SOME] = "list of objects",
		[FT_MANY] = "list of objects", [FT_MANY_IDS] = "list of ids",
		[FT_ZONE] = "time zone", [FT_REFS] = "list of ids or objects",
		[FT_LABELS] = "list of names or objects", [FT_LIST] = "list of objects",
		[FT_OBJECT] = "object", [FT_TALLY] = "object",
	};
	/* clang-format on */
	return words[type];
}

/* Resources ------------------------------------------------------------------ */

static bool is_taken(const struct reference *f, const char *name)
{
	for (int i = 0; i < f->n; i++)
		if (!strcmp(f->list[i].name, name))
			return true;
	return false;
}

static void add(struct reference *f, const struct resource *r, const char *above)
{
	const char *name = r->kind;
	for (int i = 0; i < f->n; i++)
		if (f->list[i].of == r)
			return;
	if (is_taken(f, name))
		name = arena_printf(&f->arena, "%s_%s", above, r->kind).p;
	if (is_taken(f, name) || f->n == REFERENCE_RESOURCES_MAX)
		log_die("no name is left for the resource %s", name);
	f->list[f->n++] = (struct reference_resource){ r, name };
}

static bool is_nested(const struct field *f)
{
	return reference_is_answered(f) &&
		(f->type == FT_INLINE || f->type == FT_ONE || f->type == FT_SOME ||
			f->type == FT_MANY);
}

/* The build generates the pages, so a row without a description fails it, by name. */
static void need_doc(const char *of, const char *name, const char *doc)
{
	if (!doc)
		log_die("%s %s has no .doc", of, name);
}

static void need_docs(const struct resource *r)
{
	for (int i = 0; r && i < r->n_fields; i++)
		need_doc(r->kind, r->fields[i].name, r->fields[i].doc);
}

static void need_docs_of(const struct route *x)
{
	need_doc(x->method, x->path, x->doc);
	for (const struct param *p = x->params; p && p->name; p++)
		need_doc(x->path, p->name, p->doc);
	need_docs(x->body);
}

void reference_collect(struct reference *f)
{
	const struct route *x;
	*f = (struct reference){ 0 };
	for (int i = 0; (x = route_at(i)); i++)
		need_docs_of(x);
	for (int i = 0; (x = route_at(i)); i++)
		if (x->resource)
			add(f, x->resource, "");
	for (int i = 0; i < f->n; i++) {
		const struct resource *r = f->list[i].of;
		need_docs(r);
		for (int k = 0; k < r->n_fields; k++)
			if (is_nested(&r->fields[k]))
				add(f, r->fields[k].child, r->kind);
	}
}

void reference_free(struct reference *f)
{
	arena_free(&f->arena);
}

const char *reference_name(const struct reference *f, const struct resource *r)
{
	for (int i = 0; i < f->n; i++)
		if (f->list[i].of == r)
			return f->list[i].name;
	return r->kind;
}

/* Examples ----------------------------------------------------------------- */

/* By the name of the part or, for an id, by the part before it. */
static const struct {
	const char *part;
	int64_t id;
} ids[] = {
	{ "project", 99 },
	{ "story", 555 },
	{ "epic", 777 },
	{ "account", 100 },
	{ "person", 101 },
	{ "workspace", 301 },
	{ "integration", 30 },
	{ "file", 300 },
	{ "attachment", 300 },
	{ "google", 310 },
	{ "number", 1 },
	{ "timestamp", INT64_C(1700000000000) },
	{ "memberships", 16200 },
	{ "labels", 2008 },
	{ "owners", 101 },
	{ "followers", 101 },
	{ "tasks", 4 },
	{ "comments", 112 },
	{ "blockers", 1100 },
	{ "reviews", 1200 },
	{ "review_types", 12 },
	{ "releases", 560 },
};

static bool is_part(const char *at, const char *part)
{
	size_t n = strlen(part);
	return strncmp(at, part, n) == 0 && (at[n] == '/' || !at[n]);
}

int64_t reference_id(const char *path, const char *part)
{
	const char *before = part - 2; /* the slash before the colon */
	while (before > path && before[-1] != '/')
		before--;
	for (size_t i = 0; i < sizeof ids / sizeof *ids; i++)
		if (is_part(part, ids[i].part) ||
			(is_part(part, "id") && is_part(before, ids[i].part)))
			return ids[i].id;
	return 5;
}

static void put_path(struct buf *out, const char *path)
{
	for (const char *p = path; *p; p++) {
		if (*p != ':') {
			buf_put_char(out, *p);
			continue;
		}
		size_t n = strcspn(p, "/");
		if (str_equal_z((struct str){ p + 1, n - 1 }, REFERENCE_WORD))
			buf_put_z(out, REFERENCE_NAME);
		else
			buf_put_int(out, reference_id(path, p + 1));
		p += n - 1;
	}
}

/* The arguments of curl that send the example's body; they come before the address. */
static void put_body(struct buf *out, const char *body)
{
	if (*body == '-')
		buf_printf(out, " %s", body);
	else if (*body)
		buf_printf(out, " -H 'Content-Type: application/json' -d '%s'", body);
}

void reference_put_example(struct buf *out, const struct route *x)
{
	const char *body = x->example ? x->example : "";
	size_t query = *body == '?' ? strcspn(body, " ") : 0;
	const char *after = body + query;
	buf_put_z(out, "curl");
	if (x->need != NEED_NOTHING)
		buf_put_z(out, " -H \"X-TrackerToken: $TOKEN\"");
	after += strspn(after, " ");
	if (strcmp(x->method, *after ? "POST" : "GET") != 0)
		buf_printf(out, " -X %s", x->method);
	put_body(out, after);
	buf_printf(out, " \"%s", x->flags & R_ROOT ? "$HOST" : "$API");
	put_path(out, x->path);
	buf_put(out, body, query);
	buf_put_char(out, '"');
}
