#include "programs/describe.h"

#include "api/reference.h"
#include "lib/json.h"
#include "lib/log.h"
#include "http/route.h"
#include "http/scope.h"
#include "http/sentence.h"
#include "old/old_path.h"

enum { RESOURCES_MAX = 200 };

/* Resources in the order in which routes and fields first name them. */
struct seen {
	const struct resource *list[RESOURCES_MAX];
	int n;
};

/* clang-format off */
static const char *const types[] = {
	[FT_KIND] = "kind", [FT_INT] = "int", [FT_FLOAT] = "float",
	[FT_DECIMAL] = "decimal", [FT_BOOL] = "bool",
	[FT_STRING] = "string", [FT_TEXT] = "text", [FT_WORD] = "word", [FT_TIME] = "time",
	[FT_DATE] = "date", [FT_IDS] = "ids", [FT_STRINGS] = "strings", [FT_JSON] = "json",
	[FT_EVENTS] = "events",
	[FT_URL] = "url", [FT_TOKEN] = "token", [FT_INLINE] = "inline", [FT_ONE] = "one",
	[FT_SOME] = "some", [FT_MANY] = "many", [FT_MANY_IDS] = "many_ids", [FT_ZONE] = "zone",
	[FT_REFS] = "refs", [FT_LABELS] = "labels", [FT_LIST] = "list", [FT_OBJECT] = "object", [FT_TALLY] = "tally",
};

struct flag {
	unsigned flag;
	const char *name;
};

static const struct flag field_flags[] = {
	{ F_DEFAULT, "default" }, { F_KEY, "key" }, { F_CREATE, "create" }, { F_UPDATE, "update" },
	{ F_REQUIRED, "required" }, { F_NULL, "null" }, { F_NO_BLANK, "no_blank" },
	{ F_QUERY, "query" }, { F_SIDE, "side" }, { F_IGNORED, "ignored" },
	{ F_HIDES_KEY, "hides_key" }, { F_HIDDEN, "hidden" }, { F_ANY_CASE, "any_case" }, { F_PERSON, "person" },
	{ F_PAST, "past" }, { F_MUST, "must" }, { F_ALONG, "along" },
	{ F_LOOSE, "loose" }, { F_STORED, "stored" }, { F_TOLD, "told" }, { F_TOLD_NEW, "told_new" },
	{ F_NAMES, "names" }, { F_CARRIED, "carried" }, { F_PARTS, "parts" }, { F_UNTOLD, "untold" },
	{ F_AUDIT, "audit" }, { F_SITE, "site" }, { F_PRESENT, "present" },
	{ 0, NULL },
};
static const struct flag route_flags[] = {
	{ R_PAGED, "paged" }, { R_BASIC, "basic" }, { R_STORY_TOTAL, "story_total" },
	{ R_ACTIVITY_TOTAL, "activity_total" },
	{ R_NO_PAGE_HEADERS, "no_page_headers" }, { R_QUIET, "quiet" },
	{ R_NEW_PROJECT, "new_project" }, { R_ARRAY_BODY, "array_body" },
	{ R_NOT_IN_PARTS, "not_in_parts" }, { R_LIST, "list" },
	{ R_BACKWARDS, "backwards" }, { R_ROOT, "root" }, { R_UPLOAD, "upload" },
	{ R_FORM, "form" }, { R_READS, "reads" }, { R_UNTOLD, "untold" }, { R_PASSWORD, "password" },
	{ R_WHOLE, "whole" }, { R_ENROLS, "enrols" }, { R_NO_OFFSET, "no_offset" }, { 0, NULL },
};
static const struct flag param_flags[] = {
	{ PARAM_REQUIRED, "required" }, { PARAM_PROJECT, "project" }, { PARAM_ALONE, "alone" },
	{ PARAM_PLACE, "place" }, { PARAM_LIST, "list" },
	{ 0, NULL },
};
/* clang-format on */

/* Members ------------------------------------------------------------------ */

static void put_text(struct json *j, const char *key, const char *text)
{
	if (!text)
		return;
	json_key(j, key);
	json_z(j, text);
}

static void put_number(struct json *j, const char *key, int64_t v)
{
	if (!v)
		return;
	json_key(j, key);
	json_int(j, v);
}

static void put_flags(struct json *j, const struct flag *names, unsigned flags)
{
	json_key(j, "flags");
	json_array(j);
	for (; names->name; names++)
		if (flags & names->flag)
			json_z(j, names->name);
	json_array_end(j);
}

static void put_words(struct json *j, const char *const *words)
{
	if (!words)
		return;
	json_key(j, "words");
	json_array(j);
	for (; *words; words++)
		json_z(j, *words);
	json_array_end(j);
}

static void put_statement(struct json *j, const char *key, enum stmt stmt)
{
	if (stmt)
		put_text(j, key, stmt_texts[stmt].name);
}

static void put_resource(
	struct json *j, const char *key, struct seen *seen, const struct resource *r)
{
	int i = 0;
	if (!r)
		return;
	while (i < seen->n && seen->list[i] != r)
		i++;
	if (i == RESOURCES_MAX)
		log_die("more than %d resources", RESOURCES_MAX);
	if (i == seen->n)
		seen->list[seen->n++] = r;
	json_key(j, key);
	json_int(j, i);
}

static void put_statement_text(struct json *j, enum stmt stmt)
{
	struct buf b = { 0 };
	db_put_statement(&b, stmt);
	json_key(j, stmt_texts[stmt].name);
	json_str(j, buf_str(&b));
	buf_free(&b);
}

/* Rows --------------------------------------------------------------------- */

static void put_param(struct json *j, const struct param *p)
{
	json_object(j);
	put_text(j, "name", p->name);
	put_text(j, "type", types[p->type]);
	put_flags(j, param_flags, p->flags);
	put_words(j, p->words);
	put_text(j, "where", p->where);
	put_statement(j, "read", p->read);
	put_number(j, "min", p->min);
	put_number(j, "max", p->max);
	put_text(j, "doc", p->doc);
	json_object_end(j);
}

static void put_example(struct json *j, const struct route *r)
{
	struct buf line = { 0 };
	reference_put_example(&line, r);
	json_key(j, "example");
	json_str(j, buf_str(&line));
	buf_free(&line);
}

/* The acts that the route writes to the audit log; nothing if it writes none. */
static void put_acts(struct json *j, uint64_t acts)
{
	if (!acts || acts == AUDIT_UNTOLD)
		return;
	json_put_array(j, "audit");
	for (int i = 0; audit_words[i]; i++)
		if (acts & UINT64_C(1) << i)
			json_z(j, audit_words[i]);
	json_array_end(j);
}

static void put_route(struct json *j, struct seen *seen, const struct route *r)
{
	json_object(j);
	put_text(j, "method", r->method);
	put_text(j, "path", r->path);
	put_text(j, "need", route_need(r->need));
	put_text(j, "scope", scope_word(scope_of(r)));
	put_resource(j, "resource", seen, r->resource);
	put_resource(j, "body", seen, r->body);
	put_flags(j, route_flags, r->flags);
	put_statement(j, "read", r->read);
	put_statement(j, "total", r->total);
	put_statement(j, "total_all", r->total_all);
	put_text(j, "activity", r->activity);
	put_acts(j, r->audit);
	put_number(j, "limit", r->limit);
	put_number(j, "limit_max", r->limit_max);
	put_text(j, "media", r->media);
	put_example(j, r);
	put_text(j, "one_of", r->one_of);
	json_key(j, "params");
	json_array(j);
	for (const struct param *p = r->params; p && p->name; p++)
		put_param(j, p);
	json_array_end(j);
	put_text(j, "doc", r->doc);
	json_object_end(j);
}

static void put_field(struct json *j, struct seen *seen, const struct field *f)
{
	json_object(j);
	put_text(j, "name", f->name);
	put_text(j, "type", types[f->type]);
	put_flags(j, field_flags, f->flags);
	put_text(j, "key", f->key);
	put_resource(j, "child", seen, f->child);
	put_words(j, f->words);
	put_statement(j, "fetch", f->fetch);
	put_statement(j, "fetch_root", f->fetch_root);
	put_statement(j, "fetch_ids", f->fetch_ids);
	put_number(j, "min", f->min);
	put_number(j, "max", f->max);
	put_text(j, "column", f->column);
	put_text(j, "stays", f->stays);
	put_text(j, "doc", f->doc);
	json_object_end(j);
}

static void put_old_path(struct json *j, const struct old_path *p)
{
	json_object(j);
	put_text(j, "method", p->method);
	put_text(j, "path", p->path);
	put_number(j, "versions", p->versions);
	put_text(j, "v5_method", p->v5_method);
	put_text(j, "v5_path", p->v5_path);
	put_text(j, "answer", p->answer ? p->answer->name : NULL);
	put_text(j, "body", p->body ? p->body->name : NULL);
	put_text(j, "doc", p->doc);
	json_object_end(j);
}

void describe_tables(struct buf *out)
{
	struct json j;
	struct seen seen = { .n = 0 };
	const struct route *r;
	json_init(&j, out);
	json_object(&j);
	json_key(&j, "routes");
	json_array(&j);
	for (int i = 0; (r = route_at(i)); i++)
		put_route(&j, &seen, r);
	json_array_end(&j);
	json_put_array(&j, "old_paths");
	for (const struct old_path *p = old_paths; p->method; p++)
		put_old_path(&j, p);
	json_array_end(&j);
	json_key(&j, "resources");
	json_array(&j);
	for (int i = 0; i < seen.n; i++) {
		json_object(&j);
		put_text(&j, "kind", seen.list[i]->kind);
		put_statement(&j, "by_ids", seen.list[i]->by_ids);
		put_number(&j, "depth", seen.list[i]->depth);
		json_key(&j, "fields");
		json_array(&j);
		for (int k = 0; k < seen.list[i]->n_fields; k++)
			put_field(&j, &seen, &seen.list[i]->fields[k]);
		json_array_end(&j);
		json_object_end(&j);
	}
	json_array_end(&j);
	json_key(&j, "statements");
	json_object(&j);
	for (int i = 1; i < STMT__MAX; i++)
		if (!stmt_texts[i].is_late)
			put_statement_text(&j, (enum stmt)i);
	json_object_end(&j);
	json_key(&j, "sentences");
	json_object(&j);
	for (int i = 0; i < sentences_count; i++) {
		json_key(&j, sentences[i].of);
		json_z(&j, sentences[i].text ? sentences[i].text : "");
	}
	json_object_end(&j);
	json_object_end(&j);
	buf_put_char(out, '\n');
}
