#include "model/wish.h"

#include <string.h>

#include "lib/when.h"
#include "model/words.h"

/* The field that a body's key refers to; null: ignored, or only checked. */
static const struct field *field_of(const struct resource *of, struct str key, unsigned flag)
{
	for (int i = 0; i < of->n_fields; i++) {
		const struct field *f = &of->fields[i];
		if (f->flags & flag && !(f->flags & F_IGNORED) && (f->at || f->flags & F_KEY) &&
			str_equal_z(key, f->name))
			return f;
	}
	return NULL;
}

/* In memory, the smallest integer means null; nothing that a request can name has it, nor the next
   one. */
static int64_t read_int(int64_t v)
{
	return v == NIL ? NIL + 1 : v;
}

static struct ids read_ids(struct arena *a, const struct body *list)
{
	int64_t *v = arena_array(a, list->count, sizeof *v);
	struct ids ids = { v, 0 };
	for (const struct body *x = list->first; x; x = x->next)
		v[ids.n++] =
			read_int(x->type == BODY_OBJECT ? body_get(x, "id")->integer : x->integer);
	return ids;
}

static struct strs read_strs(struct arena *a, const struct body *list)
{
	struct str *v = arena_array(a, list->count, sizeof *v);
	struct strs strs = { v, 0 };
	for (const struct body *x = list->first; x; x = x->next)
		v[strs.n++] = x->text;
	return strs;
}

/* Items of a list of parts; one with an id changes that part. */
static struct wishes read_wishes(
	struct arena *a, const struct field *f, const struct body *list, unsigned flag)
{
	struct wishes w = { arena_array(a, list->count, sizeof(struct wish *)), 0 };
	bool changes = flag & F_UPDATE && f->flags & F_PARTS;
	for (const struct body *x = list->first; x; x = x->next)
		w.v[w.n++] = wish_read(
			a, f->child, x, changes && body_get(x, "id") ? F_UPDATE | F_KEY : F_CREATE);
	return w;
}

static struct label_ref read_label(const struct body *x)
{
	const struct body *id = body_get(x, "id"), *name = body_get(x, "name");
	struct label_ref ref = { NIL, { 0 } };
	if (x->type == BODY_TEXT)
		ref.name = x->text;
	else if (id && id->type == BODY_INT)
		ref.id = read_int(id->integer);
	else if (!id && name && name->type == BODY_TEXT)
		ref.name = name->text;
	return ref;
}

static struct label_refs read_labels(struct arena *a, const struct body *list)
{
	struct label_ref *v = arena_array(a, list->count, sizeof *v);
	struct label_refs refs = { v, 0 };
	for (const struct body *x = list->first; x; x = x->next)
		v[refs.n++] = read_label(x);
	return refs;
}

/* {"olson_name"} or the name; anything else gives the empty name. */
static struct str read_zone(const struct body *v)
{
	const struct body *name = v->type == BODY_OBJECT ? body_get(v, "olson_name") : v;
	return name && name->type == BODY_TEXT ? name->text : STR("");
}

static int64_t read_time(const struct body *v)
{
	int64_t us = v->type == BODY_INT ? v->integer * 1000 : NIL;
	if (v->type == BODY_TEXT && !when_parse(v->text, &us))
		us = NIL;
	return us;
}

/* Answers have times in seconds, or in milliseconds for clients that ask for them. */
static int64_t unit_of(const struct body *v, int64_t us)
{
	return v->type == BODY_INT ? 1000 : us % 1000000 == 0 ? 1000000 : 1;
}

static void note_unit(struct wish *w, const struct body *v, int64_t us)
{
	int64_t unit = unit_of(v, us);
	if (w->unit == 0 || unit < w->unit)
		w->unit = unit;
}

static int64_t read_date(const struct body *v)
{
	int32_t days;
	return when_parse_date(v->text, &days) ? days : NIL;
}

static int read_word(const struct field *f, struct str s)
{
	for (int i = 0; f->words[i]; i++)
		if (f->flags & F_ANY_CASE ? str_equal_nocase(s, str_of(f->words[i]))
					  : str_equal_z(s, f->words[i]))
			return i;
	return WORD_NONE;
}

static void read_value(
	struct arena *a, const struct field *f, const struct body *v, unsigned flag, void *to)
{
	switch (f->type) {
	case FT_INT: *(int64_t *)to = read_int(v->integer); break;
	case FT_TIME: *(int64_t *)to = read_time(v); break;
	case FT_DATE: *(int64_t *)to = read_date(v); break;
	case FT_FLOAT:
	case FT_DECIMAL:
		*(double *)to = v->type == BODY_INT ? (double)v->integer : v->number;
		break;
	case FT_BOOL: object_set_bool(f, to, v->boolean); break;
	case FT_WORD: *(int *)to = read_word(f, v->text); break;
	case FT_IDS:
	case FT_REFS: *(struct ids *)to = read_ids(a, v); break;
	case FT_STRINGS: *(struct strs *)to = read_strs(a, v); break;
	case FT_ZONE: *(struct str *)to = read_zone(v); break;
	case FT_LABELS: *(struct label_refs *)to = read_labels(a, v); break;
	case FT_LIST: *(struct wishes *)to = read_wishes(a, f, v, flag); break;
	case FT_OBJECT: *(struct wish **)to = wish_read(a, f->child, v, flag); break;
	case FT_JSON: *(struct str *)to = body_text(a, v); break;
	default: *(struct str *)to = v->text;
	}
}

struct wish *wish_read(
	struct arena *a, const struct resource *of, const struct body *object, unsigned flag)
{
	struct wish *w = arena_alloc(a, sizeof *w);
	w->of = of;
	w->members = object->count;
	w->object = object_null(a, of);
	w->asked = arena_array(a, object->count, sizeof *w->asked);
	for (const struct body *v = object->first; v; v = v->next) {
		const struct field *f = field_of(of, v->key, flag);
		if (!f)
			continue;
		char *to = (char *)w->object + f->at;
		if (v->type != BODY_NULL && !(f->flags & F_PRESENT))
			read_value(a, f, v, flag, to);
		if (v->type != BODY_NULL && f->type == FT_TIME)
			note_unit(w, v, *(int64_t *)to);
		w->asked[w->n++] = f;
	}
	return w;
}

struct wish *wish_none(struct arena *a, const struct resource *of)
{
	struct wish *w = arena_alloc(a, sizeof *w);
	*w = (struct wish){ .of = of };
	return w;
}

struct wish *wish_for(struct arena *a, const struct resource *of, void *object)
{
	struct wish *w = arena_alloc(a, sizeof *w);
	w->of = of;
	w->object = object;
	w->asked = arena_array(a, (size_t)of->n_fields, sizeof *w->asked);
	for (int i = 0; i < of->n_fields; i++)
		if (of->fields[i].at && !object_is_null(&of->fields[i], object))
			w->asked[w->n++] = &of->fields[i];
	return w;
}

static bool is_text(const struct field *f)
{
	return f->type == FT_STRING || f->type == FT_TEXT || f->type == FT_ZONE;
}

struct wish *wish_of_row(
	struct arena *a, struct db *db, const struct resource *of, const struct rows *rows)
{
	struct objects found = object_load(a, db, of, STMT_NONE, rows);
	struct wish *w = wish_for(a, of, found.n ? found.v[0] : object_null(a, of));
	size_t n = 0;
	for (size_t i = 0; i < w->n; i++) {
		const struct field *f = w->asked[i];
		int c = db_column(rows, f->column ? f->column : f->name);
		if (found.n == 0 || c < 0 || db_is_null(rows, 0, c))
			continue;
		if (is_text(f)) {
			struct str *s = (struct str *)((char *)w->object + f->at);
			*s = arena_str(a, *s);
		}
		w->asked[n++] = f;
	}
	w->n = n;
	return w;
}

bool wish_asks_at(const struct wish *w, size_t at)
{
	for (size_t i = 0; i < w->n; i++)
		if (w->asked[i]->at == at)
			return true;
	return false;
}

bool wish_asks_only(const struct wish *w, const size_t *places, size_t n)
{
	for (size_t i = 0; i < w->n; i++) {
		size_t k = 0;
		while (k < n && places[k] != w->asked[i]->at)
			k++;
		if (k == n)
			return false;
	}
	return true;
}

static int64_t floor_to(int64_t us, int64_t unit)
{
	return us - ((us % unit) + unit) % unit;
}

static bool is_as_read(const struct wish *w, const struct field *f, const void *object)
{
	if (f->type != FT_TIME || w->unit == 0 || object_is_null(f, object) ||
		object_is_null(f, w->object))
		return false;
	return floor_to(*(const int64_t *)object_value(f, object), w->unit) ==
		*(const int64_t *)object_value(f, w->object);
}

void wish_apply(const struct wish *w, void *object)
{
	for (size_t i = 0; i < w->n; i++)
		if (w->asked[i]->flags & F_STORED && !is_as_read(w, w->asked[i], object))
			object_set(w->asked[i], object, w->object);
}
