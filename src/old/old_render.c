#include "old/old_render.h"

#include <math.h>
#include <string.h>

#include "old/old_time.h"

/* What to ask for ------------------------------------------------------------- */

static void put_fields(struct buf *b, const struct old_kind *kind, enum old_version version);

static void put_nested(struct buf *b, const struct old_field *f, enum old_version version)
{
	switch (f->form) {
	case OLD_LABELS:
	case OLD_NAME: buf_put_z(b, "(name)"); break;
	case OLD_PERSON: buf_put_z(b, version == OLD_V3 ? "(name)" : "(id,name,initials)"); break;
	case OLD_OBJECT:
	case OLD_LIST:
	case OLD_NOTES:
		buf_put_char(b, '(');
		put_fields(b, f->child, version);
		buf_put_char(b, ')');
		break;
	default: break;
	}
}

static void put_fields(struct buf *b, const struct old_kind *kind, enum old_version version)
{
	const char *before = "";
	for (const struct old_field *f = kind->fields; f->name; f++) {
		if (f->flags & OLD_NOT_ASKED || !old_has(f, version))
			continue;
		buf_put_z(b, before);
		buf_put_z(b, old_source(f));
		put_nested(b, f, version);
		before = ",";
	}
}

struct str old_fields(struct arena *a, const struct old_kind *kind, enum old_version version)
{
	struct buf b = { 0 };
	put_fields(&b, kind, version);
	struct str text = arena_str(a, buf_str(&b));
	buf_free(&b);
	return text;
}

/* Values ---------------------------------------------------------------------- */

struct str old_text(const struct body *v)
{
	return v && v->type == BODY_TEXT ? v->text : STR("");
}

static double number_of(const struct body *v)
{
	return v->type == BODY_FLOAT ? v->number : v->type == BODY_INT ? (double)v->integer : NAN;
}

/* A whole number gets the type asked for; any other is a float, even in v3. */
static void put_number(struct old_render *r, const char *name, double v, bool is_float)
{
	bool is_whole = v == floor(v) && fabs(v) < 1e15;
	struct str text = is_whole ? arena_printf(r->arena, is_float ? "%.1f" : "%.0f", v)
				   : arena_printf(r->arena, "%.15g", v);
	xml_put(&r->xml, name, is_float || !is_whole ? "float" : "integer", text);
}

static void put_estimate(struct old_render *r, const struct old_field *f, const struct body *v)
{
	put_number(r, f->name, v ? number_of(v) : -1, r->version == OLD_V4);
}

static void put_time(struct old_render *r, const char *name, const struct body *v)
{
	struct buf b = { 0 };
	if (v->type == BODY_INT)
		old_time_put(&b, v->integer * 1000);
	xml_put(&r->xml, name, "datetime", buf_str(&b));
	buf_free(&b);
}

/* Labels are objects with a name, or in activities just texts. */
static void put_labels(struct old_render *r, const struct old_field *f, const struct body *list)
{
	struct buf b = { 0 };
	for (const struct body *x = list ? list->first : NULL; x; x = x->next) {
		if (b.n)
			buf_put_char(&b, ',');
		buf_put_str(&b, x->type == BODY_TEXT ? x->text : old_text(body_get(x, "name")));
	}
	if (b.n || f->flags & OLD_EMPTY_TOO)
		xml_put(&r->xml, f->name, NULL, b.n ? buf_str(&b) : STR(""));
	buf_free(&b);
}

void old_render_person(struct old_render *r, const char *name, const struct body *person)
{
	static const struct old_field fields[] = { { "id", .form = OLD_INT },
		{ "name", .form = OLD_TEXT }, { "initials", .form = OLD_TEXT }, { 0 } };
	static const struct old_kind kind = { "person", "people", fields };
	if (r->version == OLD_V3) {
		xml_put(&r->xml, name, NULL, old_text(body_get(person, "name")));
		return;
	}
	xml_begin(&r->xml, name, NULL);
	if (person && person->type == BODY_OBJECT)
		old_render_object(r, &kind, person);
	xml_end(&r->xml, name);
}

static void put_role(struct old_render *r, const char *name, struct str role)
{
	char *text = arena_chars(r->arena, role);
	if (*text >= 'a' && *text <= 'z')
		*text = (char)(*text - 'a' + 'A');
	xml_put(&r->xml, name, NULL, str_of(text));
}

/* Whether the external system is of the row's kind; if the row names none, of no known kind. */
static bool is_linked(const struct old_field *f, const struct body *object)
{
	static const char *const known[] = { "jira_integration", "zendesk_integration",
		"lighthouse_integration", "bugzilla_integration" };
	struct str kind = old_text(body_get(body_get(object, "integration"), "kind"));
	for (size_t i = 0; !f->of && i < sizeof known / sizeof *known; i++)
		if (str_equal_z(kind, known[i]))
			return false;
	return !f->of || str_equal_z(kind, f->of);
}

static void put_linked(struct old_render *r, const struct old_field *f, const struct body *object)
{
	struct str id = old_text(body_get(object, "external_id"));
	struct str place = old_text(body_get(body_get(object, "integration"), "base_url"));
	if (!id.n || !is_linked(f, object))
		return;
	if (f->form == OLD_LINKED)
		xml_put(&r->xml, f->name, NULL, id);
	else if (place.n)
		xml_put(&r->xml, f->name, NULL,
			arena_printf(r->arena, "%.*s%.*s", (int)place.n, place.p, (int)id.n, id.p));
}

/* Lists ------------------------------------------------------------------------ */

static bool is_shown(const struct old_field *f, const struct body *item)
{
	const struct body *files = body_get(item, "file_attachments");
	return f->form != OLD_NOTES || old_text(body_get(item, "text")).n || !files ||
		!files->first;
}

static void put_list(struct old_render *r, const struct old_field *f, const struct body *list)
{
	const struct body *x = list ? list->first : NULL;
	while (x && !is_shown(f, x))
		x = x->next;
	if (!x && !(f->flags & OLD_EMPTY_TOO))
		return;
	xml_begin(&r->xml, f->name, "type=\"array\"");
	for (; x; x = x->next)
		if (is_shown(f, x))
			old_render_object(r, f->child, x);
	xml_end(&r->xml, f->name);
}

static void put_note_files(
	struct old_render *r, const struct old_field *f, const struct body *notes)
{
	bool any = false;
	for (const struct body *note = notes ? notes->first : NULL; note; note = note->next) {
		const struct body *files = body_get(note, "file_attachments");
		for (const struct body *x = files ? files->first : NULL; x; x = x->next) {
			if (!any)
				xml_begin(&r->xml, f->name, "type=\"array\"");
			any = true;
			old_render_object(r, f->child, x);
		}
	}
	if (any)
		xml_end(&r->xml, f->name);
}

/* Objects ---------------------------------------------------------------------- */

/* Writes a value that is present. */
static void put_value(struct old_render *r, const struct old_field *f, const struct body *v)
{
	struct xml *x = &r->xml;
	switch (f->form) {
	case OLD_INT: xml_put_int(x, f->name, v->type == BODY_INT ? v->integer : 0); break;
	case OLD_NUMBER: put_number(r, f->name, number_of(v), true); break;
	case OLD_BOOL:
		xml_put(x, f->name, "boolean",
			v->type == BODY_BOOL && v->boolean ? STR("true") : STR("false"));
		break;
	case OLD_TIME: put_time(r, f->name, v); break;
	case OLD_PERSON: old_render_person(r, f->name, v); break;
	case OLD_NAME: xml_put(x, f->name, NULL, old_text(body_get(v, "name"))); break;
	case OLD_ROLE: put_role(r, f->name, old_text(v)); break;
	case OLD_AVERAGE:
		xml_put(x, f->name, NULL,
			arena_printf(r->arena, "Average of %lld iterations",
				v->type == BODY_INT ? (long long)v->integer : 0));
		break;
	case OLD_ADDRESS:
		xml_put(x, f->name, NULL,
			arena_printf(r->arena, "%s%.*s", r->base_url, (int)old_text(v).n,
				old_text(v).p));
		break;
	case OLD_OBJECT: old_render_object(r, f->child, v); break;
	default: xml_put(x, f->name, NULL, old_text(v));
	}
}

void old_render_field(struct old_render *r, const struct old_field *f, const struct body *object)
{
	const struct body *v = body_get(object, old_source(f));
	if (v && v->type == BODY_NULL)
		v = NULL;
	switch (f->form) {
	case OLD_ESTIMATE: put_estimate(r, f, v); break;
	case OLD_LABELS: put_labels(r, f, v); break;
	case OLD_LIST:
	case OLD_NOTES: put_list(r, f, v); break;
	case OLD_NOTE_FILES: put_note_files(r, f, v); break;
	case OLD_LINKED:
	case OLD_LINK: put_linked(r, f, object); break;
	case OLD_SAME: old_render_object(r, f->child, object); break;
	case OLD_CONSTANT:
		xml_put(&r->xml, f->name, f->flags & OLD_IS_BOOL ? "boolean" : NULL, str_of(f->of));
		break;
	case OLD_SECURE:
		xml_put(&r->xml, f->name, "boolean",
			strncmp(r->base_url, "https:", 6) ? STR("false") : STR("true"));
		break;
	default:
		if (v)
			put_value(r, f, v);
		else if (f->flags & OLD_EMPTY_TOO)
			xml_put(&r->xml, f->name, NULL, STR(""));
	}
}

void old_render_object(struct old_render *r, const struct old_kind *kind, const struct body *object)
{
	xml_begin(&r->xml, kind->name, NULL);
	for (const struct old_field *f = kind->fields; f->name; f++)
		if (old_has(f, r->version) && !(f->flags & OLD_ONLY_ASKED))
			old_render_field(r, f, object);
	xml_end(&r->xml, kind->name);
}
