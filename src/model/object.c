#include "model/object.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "lib/log.h"
#include "lib/when.h"
#include "model/tally.h"
#include "model/words.h"

int64_t object_id(const void *object)
{
	return *(const int64_t *)object;
}

/* Values ------------------------------------------------------------------- */

static bool has_place(const struct field *f)
{
	return f->at || f->flags & F_KEY;
}

static size_t size_of(const struct field *f)
{
	switch (f->type) {
	case FT_INT:
	case FT_TIME:
	case FT_DATE: return sizeof(int64_t);
	case FT_FLOAT:
	case FT_DECIMAL: return sizeof(double);
	case FT_BOOL: return f->flags & F_NULL ? sizeof(int) : sizeof(bool);
	case FT_STRING:
	case FT_TEXT:
	case FT_ZONE:
	case FT_JSON: return sizeof(struct str);
	case FT_WORD: return sizeof(int);
	case FT_IDS:
	case FT_REFS: return sizeof(struct ids);
	case FT_STRINGS: return sizeof(struct strs);
	case FT_TALLY: return TALLY_MAX * sizeof(double);
	case FT_SOME: return sizeof(struct objects);
	case FT_LIST: return sizeof(struct wishes);
	case FT_OBJECT: return sizeof(struct wish *);
	case FT_LABELS: return sizeof(struct label_refs);
	default: return 0;
	}
}

/* The address of a value; the memory is aligned for it. */
static void *place(const struct field *f, void *object)
{
	return (char *)object + f->at;
}

const void *object_value(const struct field *f, const void *object)
{
	return (const char *)object + f->at;
}

void object_set(const struct field *f, void *to, const void *from)
{
	memcpy(place(f, to), object_value(f, from), size_of(f));
}

static void set_null(const struct field *f, void *object)
{
	static const int64_t nil = NIL;
	static const int none = WORD_NONE, no = 0;
	const double nan = NAN;
	switch (f->type) {
	case FT_INT:
	case FT_TIME:
	case FT_DATE: memcpy(place(f, object), &nil, sizeof nil); break;
	case FT_FLOAT:
	case FT_DECIMAL: memcpy(place(f, object), &nan, sizeof nan); break;
	case FT_WORD: memcpy(place(f, object), &none, sizeof none); break;
	case FT_BOOL: memcpy(place(f, object), f->flags & F_NULL ? &none : &no, size_of(f)); break;
	default: memset(place(f, object), 0, size_of(f));
	}
}

void *object_null(struct arena *a, const struct resource *of)
{
	if (of->size == 0)
		log_die("there is no struct for the resource %s", of->kind);
	void *object = arena_alloc(a, of->size);
	for (int i = 0; i < of->n_fields; i++)
		if (has_place(&of->fields[i]))
			set_null(&of->fields[i], object);
	return object;
}

void *object_new(struct arena *a, const struct resource *of)
{
	return of->preset ? object_copy(a, of, of->preset) : object_null(a, of);
}

void *object_copy(struct arena *a, const struct resource *of, const void *object)
{
	return memcpy(arena_alloc(a, of->size), object, of->size);
}

/* The value of one that is not null. */
static bool bool_at(const struct field *f, const void *p)
{
	return f->flags & F_NULL ? *(const int *)p == 1 : *(const bool *)p;
}

void object_set_bool(const struct field *f, void *p, bool v)
{
	if (f->flags & F_NULL)
		*(int *)p = v;
	else
		*(bool *)p = v;
}

bool object_value_is_null(const struct field *f, const void *p)
{
	switch (f->type) {
	case FT_INT:
	case FT_TIME:
	case FT_DATE: return *(const int64_t *)p == NIL;
	case FT_FLOAT:
	case FT_DECIMAL: return isnan(*(const double *)p);
	case FT_STRING:
	case FT_TEXT:
	case FT_ZONE:
	case FT_JSON: return !((const struct str *)p)->p;
	case FT_WORD: return *(const int *)p == WORD_NONE;
	case FT_BOOL: return f->flags & F_NULL && *(const int *)p == WORD_NONE;
	default: return false;
	}
}

bool object_is_null(const struct field *f, const void *object)
{
	return object_value_is_null(f, object_value(f, object));
}

static bool same_float(double a, double b)
{
	return isnan(a) ? isnan(b) : !isnan(b) && !(a < b) && !(a > b);
}

static bool same_str(struct str a, struct str b)
{
	return !a.p == !b.p && str_equal(a, b);
}

bool ids_same(struct ids a, struct ids b)
{
	return a.n == b.n && (a.n == 0 || !memcmp(a.v, b.v, a.n * sizeof *a.v));
}

bool object_same(const struct field *f, const void *a, const void *b)
{
	const void *x = object_value(f, a), *y = object_value(f, b);
	switch (f->type) {
	case FT_FLOAT:
	case FT_DECIMAL: return same_float(*(const double *)x, *(const double *)y);
	case FT_STRING:
	case FT_TEXT:
	case FT_ZONE:
	case FT_JSON: return same_str(*(const struct str *)x, *(const struct str *)y);
	case FT_IDS:
	case FT_REFS: return ids_same(*(const struct ids *)x, *(const struct ids *)y);
	default: return !memcmp(x, y, size_of(f));
	}
}

/* From rows ------------------------------------------------------------------ */

struct ids object_ids(struct arena *a, const struct rows *rows, int row, int column)
{
	struct db_array array = db_array(rows, row, column);
	int64_t *v = arena_array(a, (size_t)array.left, sizeof *v);
	struct ids ids = { v, 0 };
	while (db_array_next_int(&array, &v[ids.n]))
		ids.n++;
	return ids;
}

static void load_value(struct arena *a, const struct field *f, void *to, const struct rows *rows,
	int row, int column)
{
	switch (f->type) {
	case FT_INT: *(int64_t *)to = db_get_int(rows, row, column); break;
	case FT_TIME: *(int64_t *)to = db_get_time(rows, row, column); break;
	case FT_DATE: *(int64_t *)to = db_get_date(rows, row, column); break;
	case FT_FLOAT:
	case FT_DECIMAL: *(double *)to = db_get_float(rows, row, column); break;
	case FT_BOOL: object_set_bool(f, to, db_get_bool(rows, row, column)); break;
	case FT_STRING:
	case FT_TEXT:
	case FT_ZONE:
	case FT_JSON: *(struct str *)to = db_get_text(rows, row, column); break;
	case FT_WORD: {
		struct str word = db_get_text(rows, row, column);
		*(int *)to = words_find(f->words, word.p, word.n);
		break;
	}
	case FT_IDS:
	case FT_REFS: *(struct ids *)to = object_ids(a, rows, row, column); break;
	case FT_TALLY: tally_load(to, rows, row, column); break;
	default: break;
	}
}

/* The column of each field; -1: none. Those of a statement are found once and kept. */
static const int16_t *find_columns(struct arena *a, struct db *db, const struct resource *of,
	enum stmt stmt, const struct rows *rows)
{
	const int16_t *known = stmt ? db_columns_known(db, stmt, &of->size) : NULL;
	if (known)
		return known;
	int16_t *columns = arena_array(a, (size_t)of->n_fields, sizeof *columns);
	for (int i = 0; i < of->n_fields; i++) {
		const struct field *f = &of->fields[i];
		columns[i] = has_place(f)
			? (int16_t)db_column(rows, f->column ? f->column : f->name)
			: -1;
	}
	if (stmt)
		db_columns_remember(db, stmt, &of->size, columns, (size_t)of->n_fields);
	return columns;
}

/* A list has room up to the next power of two: objects_add relies on it. */
static size_t room_for(size_t n)
{
	size_t room = 1;
	while (room < n)
		room *= 2;
	return room;
}

struct objects object_load(struct arena *a, struct db *db, const struct resource *of,
	enum stmt stmt, const struct rows *rows)
{
	const int16_t *columns = find_columns(a, db, of, stmt, rows);
	struct objects list = { arena_array(a, room_for((size_t)db_count(rows)), sizeof(void *)),
		0 };
	for (int row = 0; row < db_count(rows); row++) {
		void *object = object_new(a, of);
		for (int i = 0; i < of->n_fields; i++) {
			if (columns[i] < 0)
				continue;
			if (db_is_null(rows, row, columns[i]))
				set_null(&of->fields[i], object);
			else
				load_value(a, &of->fields[i], place(&of->fields[i], object), rows,
					row, columns[i]);
		}
		list.v[list.n++] = object;
	}
	return list;
}

/* To the database -------------------------------------------------------------- */

static struct db_param tally_param(struct arena *a, const double *tally)
{
	struct buf b = { 0 };
	for (int i = 0; i < TALLY_MAX; i++)
		buf_printf(&b, "%c%.17g", i ? ',' : '{', tally[i]);
	buf_put_char(&b, '}');
	struct db_param p = db_text(a, buf_str(&b));
	buf_free(&b);
	return p;
}

struct db_param object_param(struct arena *a, const struct field *f, const void *object)
{
	const void *p = object_value(f, object);
	if (object_is_null(f, object))
		return db_null();
	switch (f->type) {
	/* As text, since columns differ in width. */
	case FT_INT: return db_text(a, arena_printf(a, "%lld", (long long)*(const int64_t *)p));
	case FT_TIME: return db_time(a, *(const int64_t *)p);
	case FT_DATE: return db_date(a, (int32_t)*(const int64_t *)p);
	case FT_FLOAT:
	case FT_DECIMAL: return db_float(a, *(const double *)p);
	case FT_BOOL: return db_bool(a, bool_at(f, p));
	case FT_WORD: return db_text(a, str_of(f->words[*(const int *)p]));
	case FT_IDS:
	case FT_REFS: return db_ids(a, ((const struct ids *)p)->v, ((const struct ids *)p)->n);
	case FT_TALLY: return tally_param(a, p);
	default: return db_text(a, *(const struct str *)p);
	}
}

/* To activities ------------------------------------------------------------------ */

static void put_date(struct json *j, int32_t days)
{
	char text[40];
	struct buf b = { .p = text, .cap = sizeof text };
	when_put_date(&b, days);
	json_str(j, buf_str(&b));
}

/* All members of the default answer that are not null, as one object in that form. */
static void put_all(struct json *j, const struct resource *of, const void *object);

static void put_list(struct json *j, const struct field *f, const void *p)
{
	const struct objects *objects = p;
	const struct ids *ids = p;
	const struct strs *strs = p;
	const double *tally = p;
	json_array(j);
	if (f->type == FT_SOME)
		for (size_t i = 0; i < objects->n; i++)
			put_all(j, f->child, objects->v[i]);
	else if (f->type == FT_STRINGS)
		for (size_t i = 0; i < strs->n; i++)
			json_str(j, strs->v[i]);
	else if (f->type == FT_TALLY)
		for (int i = 0; i < TALLY_MAX; i++)
			json_float(j, tally[i]);
	else
		for (size_t i = 0; i < ids->n; i++)
			json_int(j, ids->v[i]);
	json_array_end(j);
}

void object_put(struct json *j, const struct field *f, const void *object)
{
	const void *p = object_value(f, object);
	if (object_is_null(f, object)) {
		json_null(j);
		return;
	}
	switch (f->type) {
	case FT_INT: json_int(j, *(const int64_t *)p); break;
	case FT_TIME: json_int(j, when_millis(*(const int64_t *)p)); break;
	case FT_DATE: put_date(j, (int32_t)*(const int64_t *)p); break;
	case FT_FLOAT: json_float(j, *(const double *)p); break;
	case FT_DECIMAL: json_float_dot(j, *(const double *)p); break;
	case FT_BOOL: json_bool(j, bool_at(f, p)); break;
	case FT_WORD: json_z(j, f->words[*(const int *)p]); break;
	case FT_JSON: json_raw(j, *(const struct str *)p); break;
	case FT_IDS:
	case FT_REFS:
	case FT_STRINGS:
	case FT_TALLY:
	case FT_SOME: put_list(j, f, p); break;
	default: json_str(j, *(const struct str *)p);
	}
}

static void put_all(struct json *j, const struct resource *of, const void *object)
{
	json_object(j);
	for (int i = 0; i < of->n_fields; i++) {
		const struct field *f = &of->fields[i];
		if (f->type == FT_KIND) {
			json_key(j, "kind");
			json_z(j, of->kind);
		} else if (f->flags & F_DEFAULT && has_place(f) && !object_is_null(f, object)) {
			json_key(j, f->name);
			object_put(j, f, object);
		}
	}
	json_object_end(j);
}

/* Lists ---------------------------------------------------------------------- */

void *objects_find(const struct objects *list, int64_t id)
{
	for (size_t i = 0; i < list->n; i++)
		if (object_id(list->v[i]) == id)
			return list->v[i];
	return NULL;
}

size_t objects_place(const struct objects *list, int64_t id)
{
	size_t low = 0, high = list->n;
	while (low < high) {
		size_t middle = low + (high - low) / 2;
		if (object_id(list->v[middle]) < id)
			low = middle + 1;
		else
			high = middle;
	}
	return low < list->n && object_id(list->v[low]) == id ? low : list->n;
}

static int compare_ids(const void *a, const void *b)
{
	int64_t x = object_id(*(void *const *)a), y = object_id(*(void *const *)b);
	return x < y ? -1 : x > y;
}

struct objects objects_sorted(struct arena *a, struct objects list)
{
	struct objects sorted = { arena_array(a, list.n, sizeof *sorted.v), list.n };
	if (list.n) {
		memcpy(sorted.v, list.v, list.n * sizeof *sorted.v);
		qsort(sorted.v, sorted.n, sizeof *sorted.v, compare_ids);
	}
	return sorted;
}

void objects_add(struct arena *a, struct objects *list, void *object)
{
	/* Grown at powers of two, so that many are added in linear time. */
	if (list->n == 0 || (list->n & (list->n - 1)) == 0) {
		void **v = arena_array(a, list->n ? 2 * list->n : 1, sizeof *v);
		if (list->n)
			memcpy(v, list->v, list->n * sizeof *v);
		list->v = v;
	}
	list->v[list->n++] = object;
}

bool ids_have(struct ids ids, int64_t id)
{
	for (size_t i = 0; i < ids.n; i++)
		if (ids.v[i] == id)
			return true;
	return false;
}

struct ids ids_with(struct arena *a, struct ids ids, int64_t id)
{
	int64_t *v = arena_array(a, ids.n + 1, sizeof *v);
	if (ids.n)
		memcpy(v, ids.v, ids.n * sizeof *v);
	v[ids.n] = id;
	return (struct ids){ v, ids.n + 1 };
}

struct ids ids_without(struct arena *a, struct ids ids, int64_t id)
{
	int64_t *v = arena_array(a, ids.n, sizeof *v);
	size_t n = 0;
	for (size_t i = 0; i < ids.n; i++)
		if (ids.v[i] != id)
			v[n++] = ids.v[i];
	return (struct ids){ v, n };
}

struct ids ids_once(struct arena *a, struct ids ids)
{
	int64_t *v = arena_array(a, ids.n, sizeof *v);
	struct ids once = { v, 0 };
	for (size_t i = 0; i < ids.n; i++)
		if (!ids_have(once, ids.v[i]))
			v[once.n++] = ids.v[i];
	return once;
}
