#include "api/openapi_schema.h"

#include <string.h>

/* Scalars ------------------------------------------------------------------- */

static const char *scalar(enum field_type type)
{
	switch (type) {
	case FT_INT:
	case FT_MANY_IDS:
	case FT_IDS: return "integer";
	case FT_FLOAT:
	case FT_DECIMAL: return "number";
	case FT_BOOL: return "boolean";
	case FT_EVENTS:
	case FT_TALLY:
	case FT_LIST:
	case FT_JSON:
	case FT_OBJECT: return "object";
	default: return "string";
	}
}

/* "type": one name, or several separated by spaces; null adds one. */
static void put_type(struct json *j, const char *types, bool null)
{
	struct str rest = str_of(types);
	json_key(j, "type");
	if (!strchr(types, ' ') && !null) {
		json_z(j, types);
		return;
	}
	json_array(j);
	while (rest.p)
		json_str(j, str_cut(&rest, ' '));
	if (null)
		json_z(j, "null");
	json_array_end(j);
}

static void put_words(struct json *j, const char *const *words, bool null)
{
	json_put_array(j, "enum");
	for (; *words; words++)
		json_z(j, *words);
	if (null)
		json_null(j);
	json_array_end(j);
}

static void put_bounds(struct json *j, const struct field *f)
{
	if (f->type == FT_INT && (f->min || f->max)) {
		json_put_int(j, "minimum", f->min);
		json_put_int(j, "maximum", f->max);
	}
	if ((f->type == FT_STRING || f->type == FT_TEXT) && f->max)
		json_put_int(j, "maxLength", f->max);
}

static void put_items(struct json *j, const char *types)
{
	json_put_object(j, "items");
	put_type(j, types, false);
	json_object_end(j);
}

/* Answers -------------------------------------------------------------------- */

void openapi_put_ref(const struct reference *names, struct json *j, const struct resource *r)
{
	char text[100];
	json_object(j);
	json_put_z(j, "$ref",
		str_print(text, sizeof text, "#/components/schemas/%s", reference_name(names, r))
			.p);
	json_object_end(j);
}

static void put_answer_type(const struct reference *names, struct json *j, const struct field *f)
{
	switch (f->type) {
	case FT_JSON: return; /* anything */
	case FT_TIME:
		put_type(j, "string integer", false);
		json_put_z(j, "format", "date-time");
		return;
	case FT_DATE:
		put_type(j, "string", false);
		json_put_z(j, "format", "date");
		return;
	case FT_IDS:
	case FT_MANY_IDS:
	case FT_STRINGS:
	case FT_EVENTS:
		put_type(j, "array", false);
		put_items(j, scalar(f->type));
		return;
	case FT_SOME:
	case FT_MANY:
		put_type(j, "array", false);
		json_key(j, "items");
		openapi_put_ref(names, j, f->child);
		return;
	default: put_type(j, scalar(f->type), false);
	}
	if (f->type == FT_WORD && f->words)
		put_words(j, f->words, false);
}

static void put_answer_field(const struct reference *names, struct json *j,
	const struct resource *r, const struct field *f)
{
	json_key(j, f->name);
	if (f->type == FT_INLINE || f->type == FT_ONE) {
		openapi_put_ref(names, j, f->child);
		return;
	}
	json_object(j);
	if (f->type == FT_KIND)
		json_put_z(j, "const", r->kind);
	else
		put_answer_type(names, j, f);
	json_put_z(j, "description", f->doc);
	json_object_end(j);
}

/* Fields that were not requested or have no value are left out; the key never is. */
static void put_answer(const struct reference *names, struct json *j, const struct resource *r)
{
	json_object(j);
	put_type(j, "object", false);
	json_put_object(j, "properties");
	for (int i = 0; i < r->n_fields; i++)
		if (reference_is_answered(&r->fields[i]))
			put_answer_field(names, j, r, &r->fields[i]);
	json_object_end(j);
	json_put_array(j, "required");
	for (int i = 0; i < r->n_fields; i++)
		if (r->fields[i].flags & F_KEY && reference_is_answered(&r->fields[i]))
			json_z(j, r->fields[i].name);
	json_array_end(j);
	json_put_bool(j, "additionalProperties", false);
	json_object_end(j);
}

void openapi_put_answers(const struct reference *names, struct json *j)
{
	for (int i = 0; i < names->n; i++) {
		json_key(j, names->list[i].name);
		put_answer(names, j, names->list[i].of);
	}
}

/* Bodies ----------------------------------------------------------------------- */

static void put_object(struct json *j, const struct resource *r, unsigned flag);

/* In an update, an item of a list may have an id: then that object is changed. */
static void put_list(struct json *j, const struct field *f, unsigned flag)
{
	bool changes = flag & F_UPDATE && f->flags & F_PARTS;
	put_type(j, "array", f->flags & F_NULL);
	json_put_int(j, "maxItems", f->max ? f->max : 500);
	json_key(j, "items");
	if (!changes) {
		put_object(j, f->child, F_CREATE);
		return;
	}
	json_object(j);
	json_put_array(j, "anyOf");
	put_object(j, f->child, F_CREATE);
	put_object(j, f->child, F_UPDATE | F_KEY);
	json_array_end(j);
	json_object_end(j);
}

static void put_body_list(struct json *j, const struct field *f, const char *items)
{
	put_type(j, "array", f->flags & F_NULL);
	json_put_int(j, "maxItems", f->max ? f->max : 500);
	put_items(j, items);
}

static void put_body_type(struct json *j, const struct field *f, unsigned flag)
{
	bool null = f->flags & F_NULL;
	switch (f->type) {
	case FT_TIME: put_type(j, "string integer", null); return;
	case FT_ZONE: put_type(j, "string object", null); return;
	case FT_STRINGS: put_body_list(j, f, "string"); return;
	case FT_IDS: put_body_list(j, f, f->flags & F_LOOSE ? "number" : "integer"); return;
	case FT_REFS: put_body_list(j, f, "integer object"); return;
	case FT_LABELS: put_body_list(j, f, "string object"); return;
	case FT_LIST: put_list(j, f, flag); return;
	default: put_type(j, scalar(f->type), null);
	}
	if (f->type == FT_DATE)
		json_put_z(j, "format", "date");
	if (f->type == FT_WORD && f->words && !(f->flags & F_ANY_CASE))
		put_words(j, f->words, null);
	put_bounds(j, f);
}

void openapi_put_field(struct json *j, const struct field *f, unsigned flag)
{
	bool nests = f->type == FT_OBJECT && f->child && !(f->flags & F_IGNORED);
	json_key(j, f->name);
	if (nests && !(f->flags & F_NULL)) {
		put_object(j, f->child, flag);
		return;
	}
	json_object(j);
	if (nests) {
		json_put_array(j, "anyOf");
		put_object(j, f->child, flag);
		json_raw(j, STR("{\"type\":\"null\"}"));
		json_array_end(j);
	} else if (!(f->flags & (F_IGNORED | F_PRESENT))) {
		put_body_type(j, f, flag);
	}
	json_put_z(j, "description", f->doc);
	json_object_end(j);
}

static bool is_first(const struct resource *r, int at, unsigned flag)
{
	for (int i = 0; i < at; i++)
		if (r->fields[i].flags & flag && !strcmp(r->fields[i].name, r->fields[at].name))
			return false;
	return true;
}

static bool is_writable(const struct resource *r, const char *name, unsigned flag)
{
	for (int i = 0; i < r->n_fields; i++)
		if (r->fields[i].flags & flag && !strcmp(r->fields[i].name, name))
			return true;
	return false;
}

static const char *const path_parts[] = { ":project", ":story", ":epic" };
static const char *const path_keys[] = { "project_id", "story_id", "epic_id" };

/* Whether the path has the part; x: null for an object inside a body. */
static bool has_part(const struct route *x, int i)
{
	const char *at = x ? strstr(x->path, path_parts[i]) : NULL;
	return at && (!at[strlen(path_parts[i])] || at[strlen(path_parts[i])] == '/');
}

static bool is_path_key(const struct route *x, const char *name)
{
	for (int i = 0; i < 3; i++)
		if (has_part(x, i) && !strcmp(path_keys[i], name))
			return true;
	return false;
}

/* What only answers have, since a client may send back what it read (bind_leave_out). */
static void put_only_read(
	struct json *j, const struct resource *r, const struct field *f, unsigned flag)
{
	if (!(f->flags & F_DEFAULT) || is_writable(r, f->name, flag))
		return;
	json_put_object(j, f->name);
	json_put_z(j, "description", "As it was read, together with the id: it changes nothing.");
	json_object_end(j);
}

static void put_properties(
	struct json *j, const struct route *x, const struct resource *r, unsigned flag)
{
	bool takes_id = is_writable(r, "id", flag);
	const struct resource *answer = x && r == x->body && takes_id ? x->resource : r;
	json_put_object(j, "properties");
	for (int i = 0; i < r->n_fields; i++)
		if (r->fields[i].flags & flag && is_first(r, i, flag))
			openapi_put_field(j, &r->fields[i], flag);
	for (int i = 0; i < answer->n_fields && (flag & F_UPDATE || (x && takes_id)); i++)
		if (!is_path_key(x, answer->fields[i].name))
			put_only_read(j, r, &answer->fields[i], flag);
}

/* Fields that may be in the query instead are not required in the body. */
static void put_required(struct json *j, const struct resource *r, unsigned flag)
{
	unsigned wanted = flag & F_KEY ? F_KEY : flag == F_CREATE ? F_REQUIRED : F_MUST;
	json_put_array(j, "required");
	for (int i = 0; i < r->n_fields; i++)
		if (r->fields[i].flags & wanted && !(r->fields[i].flags & F_QUERY))
			json_z(j, r->fields[i].name);
	json_array_end(j);
	json_put_bool(j, "additionalProperties", false);
}

static void put_object(struct json *j, const struct resource *r, unsigned flag)
{
	json_object(j);
	put_type(j, "object", false);
	put_properties(j, NULL, r, flag);
	json_object_end(j);
	put_required(j, r, flag);
	json_object_end(j);
}

/* Ids in the path may be repeated in the body. */
static void put_path_ids(struct json *j, const struct route *x, unsigned flag)
{
	const struct resource *body = x->body ? x->body : x->resource;
	for (int i = 0; i < 3; i++) {
		if (!has_part(x, i) || is_writable(body, path_keys[i], flag))
			continue;
		json_put_object(j, path_keys[i]);
		put_type(j, "integer", false);
		json_put_z(j, "description", "Repeats the one in the path.");
		json_object_end(j);
	}
}

static void put_upload(struct json *j, const struct resource *body)
{
	json_put_object(j, "properties");
	for (int i = 0; i < body->n_fields; i++) {
		json_put_object(j, body->fields[i].name);
		json_put_z(j, "description", body->fields[i].doc);
		json_object_end(j);
	}
	json_object_end(j);
}

static void put_one_of(struct json *j, const char *names)
{
	struct str rest = str_of(names);
	if (!names)
		return;
	json_put_array(j, "anyOf");
	while (rest.p) {
		json_object(j);
		json_put_array(j, "required");
		json_str(j, str_trim(str_cut(&rest, ',')));
		json_array_end(j);
		json_object_end(j);
	}
	json_array_end(j);
}

/* The properties of a JSON-RPC message. */
static const char message_properties[] =
	"{\"jsonrpc\":{\"const\":\"2.0\"},\"id\":{\"type\":[\"string\",\"number\"],\"description\":\"Left out: a "
	"notification.\"},\"method\":{\"type\":\"string\"},\"params\":{\"type\":\"object\"}}";

void openapi_put_body(struct json *j, const struct route *x)
{
	unsigned flag;
	const struct resource *body = reference_body(x, &flag);
	json_object(j);
	if (x->flags & R_RPC) {
		json_put_z(j, "type", "object");
		json_key(j, "properties");
		json_raw(j, str_of(message_properties));
		json_put_array(j, "required");
		json_z(j, "jsonrpc");
		json_z(j, "method");
		json_array_end(j);
	} else if (x->flags & R_ARRAY_BODY) {
		put_type(j, "array", false);
		put_items(j, "string");
	} else if (x->flags & R_UPLOAD) {
		put_type(j, "object", false);
		put_upload(j, body);
	} else {
		put_type(j, "object", false);
		put_properties(j, x, body, flag);
		put_path_ids(j, x, flag);
		json_object_end(j);
		put_required(j, body, flag);
		put_one_of(j, x->one_of);
	}
	json_object_end(j);
}

/* Parameters ------------------------------------------------------------------- */

void openapi_put_param(struct json *j, const struct param *p, bool is_list)
{
	const struct field f = { .type = p->type, .min = p->min, .max = p->max };
	json_object(j);
	if (p->type == FT_IDS) {
		put_type(j, "array", false);
		put_items(j, "number");
	} else if (is_list) {
		put_type(j, "array", false);
		json_key(j, "items");
		openapi_put_param(j, p, false);
	} else {
		put_type(j, p->type == FT_TIME ? "string integer" : scalar(p->type), false);
		put_bounds(j, &f);
	}
	if (p->words && !is_list)
		put_words(j, p->words, false);
	json_object_end(j);
}
