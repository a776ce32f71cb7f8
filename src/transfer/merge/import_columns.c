#include "transfer/merge/import_columns.h"

#include <ctype.h>
#include <string.h>

#include "model/object.h"
#include "model/travel.h"
#include "model/words.h"

static const struct resource *resource(const struct import_kind *k)
{
	return intake_resource(k->kind);
}

/* Whether a text has the word, with `before` and `after` around it. */
static bool has_word(const char *text, const char *before, const char *word, const char *after)
{
	size_t b = strlen(before), n = strlen(word);
	for (const char *at = text; at && (at = strstr(at, word)); at++) {
		bool begins = (size_t)(at - text) >= b && !strncmp(at - b, before, b) &&
			(at - b == text ||
				!(isalnum((unsigned char)at[-b - 1]) || at[-b - 1] == '_'));
		bool ends = !strncmp(at + n, after, strlen(after)) &&
			!(isalnum((unsigned char)at[n]) || at[n] == '_');
		if (begins && ends)
			return true;
	}
	return false;
}

/* Fields that clients change, or that name people; the position among others is no change. */
static bool can_change(const struct import_kind *k, const struct field *f)
{
	return travel_field(f) &&
		(f->flags & (F_WRITE | F_CARRIED) || travel_person(resource(k), f)) &&
		strcmp(f->name, "project_id") != 0 && strcmp(f->name, "position") != 0 &&
		!has_word(k->apart, "", f->name, "");
}

static const struct field *next(const struct import_kind *k, const struct field *f)
{
	const struct resource *r = resource(k);
	for (f = f ? f + 1 : r->fields; f < r->fields + r->n_fields; f++)
		if (travel_field(f))
			return f;
	return NULL;
}

static void put(struct buf *to, bool *comma, const char *name)
{
	buf_put_z(to, *comma ? ", " : "");
	buf_put_z(to, name);
	*comma = true;
}

void import_columns_all(struct buf *to, const struct import_kind *k)
{
	bool comma = false;
	for (const struct field *f = NULL; (f = next(k, f));)
		put(to, &comma, f->name);
	if (k->also)
		buf_put_z(to, k->also);
}

void import_columns_compared(struct buf *to, const struct import_kind *k)
{
	bool comma = false;
	if (k->told_by) {
		buf_put_z(to, k->told_by);
		return;
	}
	for (const struct field *f = NULL; (f = next(k, f));)
		if (can_change(k, f))
			put(to, &comma, f->name);
}

void import_columns_updated(struct buf *to, const struct import_kind *k)
{
	bool comma = false;
	for (const struct field *f = NULL; (f = next(k, f));)
		if (can_change(k, f) || !strcmp(f->name, "updated_at"))
			put(to, &comma, f->name);
	if (k->also && strcmp(k->also, ", project_id") != 0)
		buf_put_z(to, k->also);
}

/* What a record says ------------------------------------------------------------------------ */

static void put_quoted(struct buf *to, struct str text)
{
	buf_put_char(to, '\'');
	for (size_t i = 0; i < text.n; i++) {
		if (text.p[i] == '\'')
			buf_put_char(to, '\'');
		buf_put_char(to, text.p[i]);
	}
	buf_put_char(to, '\'');
}

/* Puts what a new object has; false if that is nothing. */
static bool put_preset(struct buf *to, const struct resource *r, const struct field *f)
{
	const void *at = r->preset && f->at ? object_value(f, r->preset) : NULL;
	const struct str *text = at;
	bool can_be_null = f->flags & F_NULL;
	switch (f->type) {
	case FT_BOOL:
		if (!can_be_null)
			buf_put_z(to, at && *(const bool *)at ? "true" : "false");
		return !can_be_null;
	case FT_WORD:
		if (!at || *(const int *)at == WORD_NONE)
			return false;
		put_quoted(to, str_of(f->words[*(const int *)at]));
		return true;
	case FT_STRING:
	case FT_TEXT:
		if ((!at || !text->p) && !(f->flags & F_REQUIRED))
			return false;
		put_quoted(to, at && text->p ? *text : STR(""));
		return true;
	case FT_INT: buf_put_z(to, "0"); return f->flags & F_REQUIRED;
	case FT_IDS: buf_put_z(to, "'{}'"); return true;
	default: return false;
	}
}

static void put_said(struct buf *to, const struct import_kind *k, const struct field *f)
{
	const char *person = travel_person(resource(k), f);
	struct buf preset = { 0 };
	buf_put_z(to, ", ");
	if (person)
		buf_printf(to, "(select k.person_id from person_map k where k.key = s.%s)", person);
	else if (f->type == FT_TIME)
		buf_printf(to, "coalesce(s.%s, s.%s_local at time zone r.zone)", f->name, f->name);
	else if (put_preset(&preset, resource(k), f))
		buf_printf(to, "coalesce(s.%s, %.*s)", f->name, (int)preset.n, preset.p);
	else
		buf_printf(to, "s.%s", f->name);
	buf_printf(to, " as %s", f->name);
	buf_free(&preset);
}

void import_columns_rest(struct buf *to, const struct import_kind *k, const char *sql)
{
	for (const struct field *f = NULL; (f = next(k, f));)
		if (!has_word(sql, "as ", f->name, ""))
			put_said(to, k, f);
}

void import_columns_unsaid(struct buf *to, const struct import_kind *k, const char *sql)
{
	for (const struct field *f = NULL; (f = next(k, f));)
		if (can_change(k, f) && !has_word(sql, "", f->name, " ="))
			buf_printf(to,
				",\n\t%s = case when m.said & %lld = 0 then t.%s else m.%s end",
				f->name, (long long)stage_bits(k->kind, f->name), f->name, f->name);
}
