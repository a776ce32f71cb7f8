#include "api/openapi.h"

#include <ctype.h>
#include <string.h>

#include "api/openapi_old.h"
#include "api/openapi_schema.h"
#include "api/openapi_texts.h"
#include "api/routes.h"

struct document {
	struct json json;
	struct arena arena;
	struct reference names;
};

static void put_raw(struct json *j, const char *key, const char *value)
{
	json_key(j, key);
	json_raw(j, str_of(value));
}

static void put_ref(struct json *j, const char *key, const char *ref)
{
	if (key)
		json_key(j, key);
	json_object(j);
	json_put_z(j, "$ref", ref);
	json_object_end(j);
}

/* Parameters ------------------------------------------------------------------- */

static void begin_param(struct json *j, const char *name, const char *in, bool required)
{
	json_object(j);
	json_put_z(j, "name", name);
	json_put_z(j, "in", in);
	if (required)
		json_put_bool(j, "required", true);
}

static void put_path_param(struct document *d, const char *path, const char *part)
{
	struct json *j = &d->json;
	struct str name = arena_printf(&d->arena, "%.*s", (int)strcspn(part, "/"), part);
	bool is_word = str_equal_z(name, REFERENCE_WORD);
	begin_param(j, name.p, "path", true);
	if (is_word)
		json_put_z(j, "example", REFERENCE_NAME);
	else
		json_put_int(j, "example", reference_id(path, part));
	json_put_object(j, "schema");
	json_put_z(j, "type", is_word ? "string" : "integer");
	json_object_end(j);
	json_object_end(j);
}

static void put_param(struct json *j, const struct param *p)
{
	begin_param(j, p->name, "query", p->flags & PARAM_REQUIRED);
	json_put_z(j, "description", p->doc);
	bool is_list = p->type == FT_IDS || p->flags & PARAM_LIST;
	if (is_list)
		json_put_bool(j, "explode", false);
	json_key(j, "schema");
	openapi_put_param(j, p, p->flags & PARAM_LIST);
	json_object_end(j);
}

/* Body fields that are allowed in the query. */
static void put_body_params(struct json *j, const struct route *x)
{
	unsigned flag;
	const struct resource *body = reference_body(x, &flag);
	for (int i = 0; body && i < body->n_fields; i++) {
		const struct field *f = &body->fields[i];
		if (!(f->flags & F_QUERY) || !(f->flags & flag))
			continue;
		const struct param p = { .name = f->name,
			.type = f->type,
			.words = f->words,
			.min = f->min,
			.max = f->max,
			.doc = f->doc };
		put_param(j, &p);
	}
}

static void put_page_params(struct json *j, const struct route *x)
{
	if (!(x->flags & R_PAGED))
		return;
	begin_param(j, "limit", "query", false);
	json_put_z(j, "description",
		"The maximum number of results; values above the endpoint's "
		"maximum are lowered to it.");
	json_put_object(j, "schema");
	json_put_z(j, "type", "integer");
	json_put_int(j, "default", x->limit);
	json_object_end(j);
	json_object_end(j);
	if (!(x->flags & R_NO_OFFSET))
		put_ref(j, NULL, "#/components/parameters/offset");
}

static void put_params(struct document *d, const struct route *x)
{
	struct json *j = &d->json;
	json_put_array(j, "parameters");
	for (const char *p = strchr(x->path, ':'); p; p = strchr(p + 1, ':'))
		put_path_param(d, x->path, p + 1);
	for (const struct param *p = x->params; p && p->name; p++)
		put_param(j, p);
	put_body_params(j, x);
	put_page_params(j, x);
	if (x->resource)
		put_ref(j, NULL, "#/components/parameters/fields");
	put_ref(j, NULL, "#/components/parameters/date_format");
	put_ref(j, NULL, "#/components/parameters/envelope");
	json_array_end(j);
}

/* Bodies and answers ------------------------------------------------------------ */

static bool has_body(const struct route *x)
{
	unsigned flag;
	return reference_body(x, &flag) || x->flags & R_ARRAY_BODY;
}

static const char *name_operation(struct document *d, const struct route *x)
{
	struct str name = arena_printf(&d->arena, "%s%s", x->method, x->path);
	size_t n = 0;
	char *to = arena_alloc(&d->arena, name.n + 1);
	for (size_t i = 0; i < name.n; i++) {
		char c = name.p[i];
		if (c == ':')
			continue;
		to[n++] = isalnum((unsigned char)c) ? (char)tolower((unsigned char)c) : '_';
	}
	return to;
}

static void put_media(struct json *j, const char *media, const char *schema)
{
	json_put_object(j, media);
	put_ref(j, "schema", schema);
	json_object_end(j);
}

static void put_body(struct document *d, const struct route *x)
{
	struct json *j = &d->json;
	const char *schema =
		arena_printf(&d->arena, "#/components/schemas/%s_body", name_operation(d, x)).p;
	if (!has_body(x))
		return;
	json_put_object(j, "requestBody");
	json_put_object(j, "content");
	if (x->flags & R_UPLOAD) {
		put_media(j, "multipart/form-data", schema);
	} else {
		put_media(j, "application/json", schema);
		if (!(x->flags & R_ARRAY_BODY))
			put_media(j, "application/x-www-form-urlencoded", schema);
	}
	json_object_end(j);
	json_object_end(j);
}

static void put_answer_schema(struct document *d, const struct route *x)
{
	struct json *j = &d->json;
	switch (reference_answer(x)) {
	case REFERENCE_ONE: openapi_put_ref(&d->names, j, x->resource); return;
	case REFERENCE_LIST:
		json_object(j);
		json_put_z(j, "type", "array");
		json_key(j, "items");
		openapi_put_ref(&d->names, j, x->resource);
		json_object_end(j);
		return;
	default: json_raw(j, STR("{\"type\":\"object\"}"));
	}
}

/* The answer, or the answer in an envelope. */
static void put_answer_json(struct document *d, const struct route *x)
{
	struct json *j = &d->json;
	json_object(j);
	json_put_array(j, "anyOf");
	put_answer_schema(d, x);
	json_object(j);
	json_put_z(j, "type", "object");
	json_put_object(j, "properties");
	json_key(j, "data");
	put_answer_schema(d, x);
	put_raw(j, "http_status", "{\"type\":\"string\"}");
	put_raw(j, "project_version", "{\"type\":\"integer\"}");
	put_raw(j, "pagination", "{\"type\":\"object\"}");
	put_raw(j, "last_notification_timestamp", "{\"type\":\"integer\"}");
	json_object_end(j);
	put_raw(j, "required", "[\"data\",\"http_status\"]");
	json_put_bool(j, "additionalProperties", false);
	json_object_end(j);
	json_array_end(j);
	json_object_end(j);
}

static void put_headers(struct json *j, const struct route *x)
{
	bool pages = x->flags & R_PAGED && !(x->flags & R_NO_PAGE_HEADERS);
	bool version = strstr(x->path, ":project") && !(x->flags & R_QUIET);
	if (!pages && !version)
		return;
	json_put_object(j, "headers");
	if (version)
		put_ref(j, "X-Tracker-Project-Version", "#/components/headers/version");
	if (version && strcmp(x->method, "GET") && !(x->flags & R_READS))
		put_ref(j, "X-Tracker-Project-Changed", "#/components/headers/changed");
	if (pages) {
		put_ref(j, "X-Tracker-Pagination-Total", "#/components/headers/total");
		put_ref(j, "X-Tracker-Pagination-Limit", "#/components/headers/limit");
		put_ref(j, "X-Tracker-Pagination-Offset", "#/components/headers/offset");
		put_ref(j, "X-Tracker-Pagination-Returned", "#/components/headers/returned");
	}
	json_object_end(j);
}

static void put_success(struct document *d, const struct route *x)
{
	struct json *j = &d->json;
	enum reference_answer answer = reference_answer(x);
	if (x->flags & R_REDIRECTS) {
		put_raw(j, "303", "{\"description\":\"Redirects the browser to Location.\"}");
		return;
	}
	if (x->flags & R_OR_NOTHING)
		put_raw(j, "204", "{\"description\":\"Done; no content.\"}");
	json_put_object(j, answer == REFERENCE_NOTHING ? "204" : "200");
	json_put_z(j, "description", answer == REFERENCE_NOTHING ? "Done." : x->doc);
	put_headers(j, x);
	if (answer != REFERENCE_NOTHING) {
		struct str media = str_of(x->media ? x->media : "application/json");
		json_put_object(j, "content");
		json_key_str(j, str_cut(&media, ';'));
		json_object(j);
		json_key(j, "schema");
		if (answer == REFERENCE_MEDIA)
			json_raw(j, STR("{\"type\":\"string\"}"));
		else
			put_answer_json(d, x);
		json_object_end(j);
		json_object_end(j);
	}
	json_object_end(j);
}

static void put_responses(struct document *d, const struct route *x)
{
	struct json *j = &d->json;
	json_put_object(j, "responses");
	put_success(d, x);
	if (x->flags & R_REDIRECTS) {
		put_raw(j, "default",
			"{\"description\":\"A page with the reason why "
			"not.\",\"content\":{\"text/html\":{}}}");
		json_object_end(j);
		return;
	}
	if (x->flags & R_ROOT && x->need != NEED_NOTHING)
		put_raw(j, "206",
			"{\"description\":\"The bytes in "
			"Range.\",\"content\":{\"application/octet-stream\":{}}}");
	if (!strcmp(x->method, "GET"))
		put_ref(j, "304", "#/components/responses/unchanged");
	if (x->flags & R_RPC)
		put_raw(j, "202", "{\"description\":\"A notification, which has no answer.\"}");
	put_ref(j, "default",
		x->flags & R_RPC ? "#/components/responses/rpc_error"
				 : "#/components/responses/error");
	json_object_end(j);
}

/* Operations -------------------------------------------------------------------- */

static void put_security(struct json *j, const struct route *x)
{
	if (x->need == NEED_NOTHING)
		put_raw(j, "security", "[]");
	else if (x->need == NEED_VIEWER)
		put_raw(j, "security", "[" TOKENS ",{}]");
	else if (x->flags & R_BASIC)
		put_raw(j, "security", "[" TOKENS ",{\"password\":[]}]");
}

static void put_samples(struct document *d, const struct route *x)
{
	struct json *j = &d->json;
	struct buf line = { 0 };
	reference_put_example(&line, x);
	json_put_array(j, "x-codeSamples");
	json_object(j);
	json_put_z(j, "lang", "Shell");
	json_key(j, "source");
	json_str(j, buf_str(&line));
	json_object_end(j);
	json_array_end(j);
	buf_free(&line);
}

static void put_operation(struct document *d, const struct route *x, const char *tag)
{
	struct json *j = &d->json;
	char *method = arena_chars(&d->arena, str_of(x->method));
	for (char *c = method; *c; c++)
		*c = (char)tolower((unsigned char)*c);
	json_put_object(j, method);
	json_put_z(j, "operationId", name_operation(d, x));
	json_put_z(j, "summary", x->doc);
	json_put_z(j, "description",
		arena_printf(&d->arena, "For %s.%s", reference_who(x->need), reference_scope(x)).p);
	json_put_array(j, "tags");
	json_z(j, tag);
	json_array_end(j);
	put_security(j, x);
	put_params(d, x);
	put_body(d, x);
	put_responses(d, x);
	put_samples(d, x);
	json_object_end(j);
}

/* "/projects/:project" as "/projects/{project}". */
static const char *template(struct document *d, const char *path)
{
	struct buf b = { 0 };
	for (const char *p = path; *p; p++) {
		size_t n = *p == ':' ? strcspn(p, "/") : 0;
		if (n) {
			buf_printf(&b, "{%.*s}", (int)n - 1, p + 1);
			p += n - 1;
		} else {
			buf_put_char(&b, *p);
		}
	}
	const char *text = arena_str(&d->arena, buf_str(&b)).p;
	buf_free(&b);
	return text;
}

static bool is_first_of_path(int at)
{
	const struct route *x = route_at(at);
	for (int i = 0; i < at; i++)
		if (!strcmp(route_at(i)->path, x->path))
			return false;
	return true;
}

/* The title of the table that contains the row. */
static const char *title_of(const struct route *row)
{
	for (int t = 0; t < route_tables_count; t++)
		for (const struct route *x = route_tables[t].rows; x->method; x++)
			if (x == row)
				return route_tables[t].title;
	return "";
}

static void put_path(struct document *d, int first)
{
	struct json *j = &d->json;
	const char *path = route_at(first)->path;
	json_put_object(j, template(d, path));
	if (route_at(first)->flags & R_ROOT)
		put_raw(j, "servers", "[{\"url\":\"/\"}]");
	for (int i = first; route_at(i); i++)
		if (!strcmp(route_at(i)->path, path))
			put_operation(d, route_at(i), title_of(route_at(i)));
	json_object_end(j);
}

static void put_tags(struct json *j)
{
	json_put_array(j, "tags");
	for (int t = 0; t < route_tables_count; t++) {
		if (!route_tables[t].rows->method)
			continue;
		json_object(j);
		json_put_z(j, "name", route_tables[t].title);
		json_object_end(j);
	}
	openapi_put_old_tag(j);
	json_array_end(j);
}

static void put_schemas(struct document *d)
{
	struct json *j = &d->json;
	const struct route *x;
	json_put_object(j, "schemas");
	openapi_put_answers(&d->names, j);
	put_raw(j, "error", openapi_error_schema);
	for (int i = 0; (x = route_at(i)); i++) {
		if (!has_body(x))
			continue;
		json_key(j, arena_printf(&d->arena, "%s_body", name_operation(d, x)).p);
		openapi_put_body(j, x);
	}
	openapi_put_old_schemas(&d->arena, j);
	json_object_end(j);
}

void openapi_write(struct buf *out)
{
	struct document d = { 0 };
	struct json *j = &d.json;
	reference_collect(&d.names);
	buf_put_z(out, openapi_head);
	*j = (struct json){ .out = out, .comma = true, .depth = 1 };
	put_tags(j);
	json_put_object(j, "paths");
	put_raw(j, "/", openapi_root_path);
	for (int i = 0; route_at(i); i++)
		if (is_first_of_path(i))
			put_path(&d, i);
	openapi_put_old_paths(&d.arena, j);
	json_object_end(j);
	json_put_object(j, "components");
	put_schemas(&d);
	put_raw(j, "parameters", openapi_parameters);
	put_raw(j, "headers", openapi_headers);
	put_raw(j, "responses", openapi_responses);
	put_raw(j, "securitySchemes", openapi_security_schemes);
	json_object_end(j);
	json_object_end(j);
	reference_free(&d.names);
	arena_free(&d.arena);
}

/* The endpoint -------------------------------------------------------------------- */

/* It is the same for everybody, so it is generated once. */
static enum rc answer_openapi(struct req *r)
{
	static struct buf document;
	if (r->refused)
		return r->refused;
	if (document.n == 0)
		openapi_write(&document);
	json_raw(&r->json, buf_str(&document));
	return RC_OK;
}

const struct route openapi_routes[] = {
	{ "GET", "/openapi", NEED_NOTHING, answer_openapi, NULL,
		.flags = R_QUIET | R_READS | R_ALONE, .scope = SCOPE_NONE,
		.doc = "This API as an OpenAPI document (3.1)." },
	{ 0 },
};
