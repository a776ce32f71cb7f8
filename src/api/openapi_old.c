#include "api/openapi_old.h"

#include <ctype.h>
#include <string.h>

#include "old/old_path.h"

enum { KINDS_MAX = 40 };

static const char tag[] = "Retired versions";

/* All kinds, in the order in which paths and fields first name them. */
struct kinds {
	const struct old_kind *list[KINDS_MAX];
	int n;
};

static void collect(struct kinds *kinds, const struct old_kind *kind)
{
	for (int i = 0; i < kinds->n; i++)
		if (kinds->list[i] == kind)
			return;
	if (!kind || kinds->n == KINDS_MAX)
		return;
	kinds->list[kinds->n++] = kind;
	for (const struct old_field *f = kind->fields; f && f->name; f++)
		if (!(f->flags & OLD_ONLY_ASKED))
			collect(kinds, f->child);
}

static struct kinds all_kinds(void)
{
	struct kinds kinds = { .n = 0 };
	for (const struct old_path *p = old_paths; p->method; p++) {
		collect(&kinds, p->answer);
		collect(&kinds, p->body);
	}
	return kinds;
}

/* Its name, with a number appended unless it is the first kind of that name. */
static struct str name_of(struct arena *a, const struct kinds *kinds, const struct old_kind *kind)
{
	int n = 0;
	for (int i = 0; i < kinds->n && kinds->list[i] != kind; i++)
		n += !strcmp(kinds->list[i]->name, kind->name);
	return n ? arena_printf(a, "old_%s_%d", kind->name, n + 1)
		 : arena_printf(a, "old_%s", kind->name);
}

static void put_ref(
	struct arena *a, struct json *j, const struct kinds *kinds, const struct old_kind *kind)
{
	json_object(j);
	json_put_z(
		j, "$ref", arena_printf(a, "#/components/schemas/%s", name_of(a, kinds, kind).p).p);
	json_object_end(j);
}

static void put_raw(struct json *j, const char *key, const char *value)
{
	json_key(j, key);
	json_raw(j, str_of(value));
}

/* Schemas ----------------------------------------------------------------------- */

static void put_list(struct arena *a, struct json *j, const struct kinds *kinds, const char *name,
	const struct old_kind *kind)
{
	json_object(j);
	json_put_z(j, "type", "array");
	json_put_object(j, "xml");
	json_put_z(j, "name", name);
	json_put_bool(j, "wrapped", true);
	json_object_end(j);
	json_key(j, "items");
	put_ref(a, j, kinds, kind);
	json_object_end(j);
}

static void put_field(
	struct arena *a, struct json *j, const struct kinds *kinds, const struct old_field *f)
{
	json_key(j, f->name);
	switch (f->form) {
	case OLD_INT: json_raw(j, STR("{\"type\":\"integer\"}")); break;
	case OLD_ESTIMATE:
	case OLD_NUMBER: json_raw(j, STR("{\"type\":\"number\"}")); break;
	case OLD_SECURE:
	case OLD_BOOL: json_raw(j, STR("{\"type\":\"boolean\"}")); break;
	case OLD_PERSON: /* v3, v4 */
		json_raw(j, STR("{\"anyOf\":[{\"type\":\"string\"},{\"type\":\"object\"}]}"));
		break;
	case OLD_OBJECT:
	case OLD_SAME: put_ref(a, j, kinds, f->child); break;
	case OLD_LIST:
	case OLD_NOTES:
	case OLD_NOTE_FILES: put_list(a, j, kinds, f->name, f->child); break;
	default: json_raw(j, STR("{\"type\":\"string\"}"));
	}
}

static void put_kind(
	struct arena *a, struct json *j, const struct kinds *kinds, const struct old_kind *kind)
{
	json_put_object(j, name_of(a, kinds, kind).p);
	json_put_z(j, "type", "object");
	json_put_object(j, "xml");
	json_put_z(j, "name", kind->name);
	json_object_end(j);
	json_put_object(j, "properties");
	for (const struct old_field *f = kind->fields; f && f->name; f++)
		if (!(f->flags & OLD_ONLY_ASKED))
			put_field(a, j, kinds, f);
	json_object_end(j);
	json_object_end(j);
}

void openapi_put_old_schemas(struct arena *a, struct json *j)
{
	const struct kinds kinds = all_kinds();
	for (int i = 0; i < kinds.n; i++)
		put_kind(a, j, &kinds, kinds.list[i]);
	put_raw(j, "old_errors",
		"{\"type\":\"object\",\"xml\":{\"name\":\"errors\"},\"properties\":{\"error\":{\"type\":"
		"\"array\",\"items\":{\"type\":\"string\"}},\"possible_fix\":{\"type\":\"string\"}}}");
	put_raw(j, "old_message", "{\"type\":\"string\",\"xml\":{\"name\":\"message\"}}");
}

/* Operations --------------------------------------------------------------------- */

static void put_path_params(struct arena *a, struct json *j, const struct old_path *p)
{
	json_object(j);
	json_put_z(j, "name", "version");
	json_put_z(j, "in", "path");
	json_put_bool(j, "required", true);
	put_raw(j, "schema",
		p->versions == OLD_V3           ? "{\"enum\":[\"v3\"]}"
			: p->versions == OLD_V4 ? "{\"enum\":[\"v4\"]}"
						: "{\"enum\":[\"v3\",\"v4\"]}");
	json_object_end(j);
	for (const char *c = strchr(p->path, ':'); c; c = strchr(c + 1, ':')) {
		json_object(j);
		json_put_z(j, "name", arena_printf(a, "%.*s", (int)strcspn(c + 1, "/"), c + 1).p);
		json_put_z(j, "in", "path");
		json_put_bool(j, "required", true);
		put_raw(j, "schema", "{\"type\":\"integer\"}");
		json_object_end(j);
	}
}

static void put_query_params(struct json *j, const struct old_path *p)
{
	for (const struct old_param *x = p->params; x && x->name; x++) {
		json_object(j);
		json_put_z(j, "name", x->name);
		json_put_z(j, "in", "query");
		json_put_z(j, "description", x->doc);
		put_raw(j, "schema",
			x->form == OLD_INT ? "{\"type\":\"integer\"}" : "{\"type\":\"string\"}");
		json_object_end(j);
	}
}

static void put_body(
	struct arena *a, struct json *j, const struct kinds *kinds, const struct old_path *p)
{
	if (p->act == OLD_ATTACHES) {
		put_raw(j, "requestBody",
			"{\"content\":{\"multipart/form-data\":{\"schema\":{\"type\":\"object\","
			"\"properties\":{\"Filedata\":{\"type\":\"string\"}}}}}}");
		return;
	}
	if (!p->body)
		return;
	json_put_object(j, "requestBody");
	json_put_object(j, "content");
	json_put_object(j, "application/xml");
	json_key(j, "schema");
	put_ref(a, j, kinds, p->body);
	json_object_end(j);
	put_raw(j, "application/x-www-form-urlencoded", "{\"schema\":{\"type\":\"object\"}}");
	json_object_end(j);
	json_object_end(j);
}

static void put_answers(
	struct arena *a, struct json *j, const struct kinds *kinds, const struct old_path *p)
{
	json_put_object(j, "responses");
	json_put_object(j, "200");
	json_put_z(j, "description", p->doc);
	json_put_object(j, "content");
	json_put_object(j, "application/xml");
	json_key(j, "schema");
	if (!p->answer)
		json_raw(j, STR("{\"$ref\":\"#/components/schemas/old_message\"}"));
	else if (p->is_list)
		put_list(a, j, kinds, p->answer->plural, p->answer);
	else
		put_ref(a, j, kinds, p->answer);
	json_object_end(j);
	json_object_end(j);
	json_object_end(j);
	if (!strcmp(p->method, "GET"))
		put_raw(j, "304", "{\"$ref\":\"#/components/responses/unchanged\"}");
	put_raw(j, "default",
		"{\"description\":\"Errors.\",\"content\":{\"application/xml\":{\"schema\":{\"$ref\":"
		"\"#/components/schemas/old_errors\"}}}}");
	json_object_end(j);
}

static void put_operation(
	struct arena *a, struct json *j, const struct kinds *kinds, const struct old_path *p)
{
	char *method = arena_chars(a, str_of(p->method));
	char *id = arena_chars(a, arena_printf(a, "old_%s%s", p->method, p->path));
	for (char *c = method; *c; c++)
		*c = (char)tolower((unsigned char)*c);
	for (char *c = id; *c; c++)
		*c = isalnum((unsigned char)*c) ? (char)tolower((unsigned char)*c) : '_';
	json_put_object(j, method);
	json_put_z(j, "operationId", id);
	json_put_z(j, "summary", p->doc);
	json_put_z(j, "description",
		arena_printf(a,
			"%s %s of version 5, where the setting old_versions turns this version "
			"on.",
			p->v5_method, p->v5_path)
			.p);
	json_put_array(j, "tags");
	json_z(j, tag);
	json_array_end(j);
	json_put_array(j, "parameters");
	put_path_params(a, j, p);
	put_query_params(j, p);
	json_array_end(j);
	put_body(a, j, kinds, p);
	put_answers(a, j, kinds, p);
	json_object_end(j);
}

static struct str template(struct arena *a, const char *path)
{
	struct str rest = str_of(path + 1), text = STR("/{version}");
	while (rest.p) {
		struct str part = str_cut(&rest, '/');
		text = *part.p == ':'
			? arena_printf(a, "%s/{%.*s}", text.p, (int)part.n - 1, part.p + 1)
			: arena_printf(a, "%s/%.*s", text.p, (int)part.n, part.p);
	}
	return text;
}

static bool is_first(const struct old_path *p)
{
	for (const struct old_path *q = old_paths; q != p; q++)
		if (!strcmp(q->path, p->path))
			return false;
	return true;
}

void openapi_put_old_paths(struct arena *a, struct json *j)
{
	const struct kinds kinds = all_kinds();
	for (const struct old_path *p = old_paths; p->method; p++) {
		if (!is_first(p))
			continue;
		json_put_object(j, template(a, p->path).p);
		put_raw(j, "servers", "[{\"url\":\"/services\"}]");
		for (const struct old_path *q = p; q->method; q++)
			if (!strcmp(q->path, p->path))
				put_operation(a, j, &kinds, q);
		json_object_end(j);
	}
}

void openapi_put_old_tag(struct json *j)
{
	json_object(j);
	json_put_z(j, "name", tag);
	json_object_end(j);
}
