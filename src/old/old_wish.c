#include "old/old_wish.h"

#include <stdlib.h>
#include <string.h>

#include "lib/buf.h"
#include "lib/when.h"
#include "old/old_time.h"

static struct body *null_value(struct arena *a)
{
	struct body *v = body_new_text(a, STR(""));
	v->type = BODY_NULL;
	return v;
}

static struct body *time_value(struct arena *a, struct str text)
{
	struct buf b = { 0 };
	int64_t us;
	if (!old_time_read(text, &us))
		return body_new_text(a, text);
	when_put_exact(&b, us);
	struct body *v = body_new_text(a, buf_str(&b));
	buf_free(&b);
	return v;
}

/* The day of a time; version 5 wants it with dashes. */
static struct body *date_value(struct arena *a, struct str text)
{
	enum { DAY = 10 };
	struct body *v = time_value(a, text);
	bool is_time = v->text.n > DAY && v->text.p[DAY] == 'T';
	if (is_time)
		v->text.n = DAY;
	return v;
}

static struct body *labels_value(struct arena *a, struct str text)
{
	struct body *list = body_new_array(a);
	struct body **end = &list->first;
	while (text.p) {
		struct str name = str_trim(str_cut(&text, ','));
		if (!name.n)
			continue;
		*end = body_new_text(a, name);
		end = &(*end)->next;
		list->count++;
	}
	return list;
}

static struct body *lower_value(struct arena *a, struct str text)
{
	struct body *v = body_new_text(a, text);
	char *p = arena_chars(a, text);
	for (char *c = p; *c; c++)
		*c = *c >= 'A' && *c <= 'Z' ? (char)(*c - 'A' + 'a') : *c;
	v->text.p = p;
	return v;
}

/* -1, or v4's -1.0. */
static bool is_no_estimate(struct arena *a, struct str text)
{
	char *end;
	double v = strtod(arena_str(a, text).p, &end);
	return !*end && v <= -1 && v >= -1; /* false for what is no number, too */
}

/* The value of an element with text. */
static struct body *value_of(struct old_wish *w, const struct old_field *f, struct str text)
{
	struct arena *a = w->arena;
	switch (f->form) {
	case OLD_TIME: return time_value(a, text);
	case OLD_DATE: return date_value(a, text);
	case OLD_LABELS: return labels_value(a, text);
	case OLD_ROLE: return lower_value(a, text);
	case OLD_BOOL:
		if (str_equal_z(text, "1") || str_equal_z(text, "0"))
			return body_new_bool(a, *text.p == '1');
		return body_new_text(a, text);
	case OLD_ESTIMATE: return is_no_estimate(a, text) ? null_value(a) : body_new_text(a, text);
	default: return body_new_text(a, text);
	}
}

/* The value of an element without text; null: none. */
static struct body *empty_value(struct old_wish *w, const struct old_field *f)
{
	if (!(f->flags & OLD_CLEARS))
		return NULL;
	if (f->form == OLD_LABELS)
		return body_new_array(w->arena);
	/* An empty name or text is passed on, to be refused as blank. */
	bool is_text = f->form == OLD_TEXT && strcmp(f->name, "description") != 0;
	return is_text ? body_new_text(w->arena, STR("")) : null_value(w->arena);
}

static bool stands(const struct old_wish *w, const char *member)
{
	for (int i = 0; i < w->n_names; i++)
		if (!strcmp(w->names[i].writes, member))
			return true;
	return body_get(w->body, member) != NULL;
}

/* v4 nests <person><id>…</id></person>, or just the id; a name works, too. */
static void take_person(struct old_wish *w, const struct old_field *f, const struct body *given)
{
	const struct body *person = body_get(given, "person");
	const struct body *id = body_get(person ? person : given, "id");
	const struct body *name = body_get(person ? person : given, "name");
	struct str digits = id && id->type == BODY_TEXT ? str_trim(id->text) : STR("");
	int64_t number;
	if (str_to_int(digits, &number)) {
		body_append(w->body, str_of(f->writes), body_new_text(w->arena, digits));
		return;
	}
	if (name && name->type == BODY_TEXT)
		given = name;
	if (digits.n || given->type != BODY_TEXT || w->n_names == OLD_NAMES_MAX)
		w->problem =
			arena_printf(w->arena, "'%s' must be a person's name or id", f->name).p;
	else
		w->names[w->n_names++] =
			(struct old_wish_name){ f->name, f->writes, str_trim(given->text) };
}

static void take(struct old_wish *w, const struct old_field *f, const struct body *given)
{
	const char *member = f->writes ? f->writes : old_source(f);
	bool is_text = given->type == BODY_TEXT || given->type == BODY_NULL;
	struct str text = given->type == BODY_TEXT ? str_trim(given->text) : STR("");
	if (stands(w, member))
		return;
	if (f->form == OLD_PERSON && !(is_text && !text.n)) {
		take_person(w, f, given);
		return;
	}
	if (!is_text) {
		w->problem = arena_printf(w->arena, "'%s' must be a text", f->name).p;
		return;
	}
	struct body *v = !text.n      ? empty_value(w, f)
		: f->form == OLD_TEXT ? body_new_text(w->arena, given->text)
				      : value_of(w, f, text);
	bool is_false =
		f->flags & OLD_ONLY_TRUE && !str_equal_z(text, "true") && !str_equal_z(text, "1");
	if (v && !is_false)
		body_append(w->body, str_of(member), v);
}

static bool is_repeated(const struct body *given, const struct body *x)
{
	for (const struct body *y = given->first; y != x; y = y->next)
		if (str_equal(y->key, x->key))
			return true;
	return false;
}

void old_wish_read(struct old_wish *w, const struct old_kind *kind, const struct body *given)
{
	if (given->type == BODY_TEXT ? str_trim(given->text).n > 0 : given->type != BODY_OBJECT) {
		w->problem = arena_printf(w->arena, "'%s' must contain elements", kind->name).p;
		return;
	}
	const struct body *x = given->type == BODY_OBJECT ? given->first : NULL;
	for (; x && !w->problem; x = x->next) {
		const struct old_field *f = old_field(kind, w->version, x->key);
		if (!f && !w->unknown.p)
			w->unknown = x->key;
		if (!f || !(f->flags & OLD_WRITTEN))
			continue;
		if (is_repeated(given, x))
			w->problem = arena_printf(w->arena, "'%s' is given twice", f->name).p;
		else if (f->form == OLD_OBJECT)
			old_wish_read(w, f->child, x);
		else
			take(w, f, x);
	}
}
