#define _GNU_SOURCE
#include "model/fetch.h"

#include <stdlib.h>
#include <string.h>

#include "lib/log.h"
#include "model/cell.h"
#include "model/object.h"

/* Nested rows are found by key ------------------------------------------- */

static int compare_rows(const void *x, const void *y, void *keys)
{
	const int64_t *k = keys;
	int a = *(const int *)x, b = *(const int *)y;
	if (k[a] != k[b])
		return k[a] < k[b] ? -1 : 1;
	return a - b;
}

/* By the id in that column; without rows, by the id that begins each object. */
static void index_rows(struct arena *a, struct fetched *f, int column)
{
	int n = cell_count(f);
	int64_t *keys = arena_array(a, (size_t)n, sizeof *keys);
	int64_t *sorted = arena_array(a, (size_t)n, sizeof *sorted);
	int *order = arena_array(a, (size_t)n, sizeof *order);
	for (int i = 0; i < n; i++) {
		order[i] = i;
		keys[i] = f->rows ? db_get_int(f->rows, i, column) : object_id(f->objects.v[i]);
	}
	qsort_r(order, (size_t)n, sizeof *order, compare_rows, keys);
	for (int i = 0; i < n; i++)
		sorted[i] = keys[order[i]];
	f->order = order;
	f->keys = sorted;
}

int fetch_range(const struct fetched *f, int64_t key, int *first)
{
	int low = 0, high = cell_count(f), n = high, end;
	while (low < high) {
		int middle = low + (high - low) / 2;
		if (f->keys[middle] < key)
			low = middle + 1;
		else
			high = middle;
	}
	for (end = low; end < n && f->keys[end] == key; end++)
		;
	*first = low;
	return end - low;
}

/* Rows and objects ------------------------------------------------------- */

static bool has_column(const struct field *f)
{
	if (f->flags & F_HIDDEN && f->at && !(f->flags & F_STORED)) /* of objects in memory only */
		return false;
	switch (f->type) {
	case FT_URL: return !f->path;
	case FT_KIND:
	case FT_INLINE:
	case FT_ONE:
	case FT_SOME:
	case FT_MANY:
	case FT_MANY_IDS:
	case FT_ZONE:
	case FT_REFS:
	case FT_LABELS:
	case FT_LIST:
	case FT_OBJECT: return false;
	default: return true;
	}
}

static const char *column_name(const struct field *f)
{
	return f->is_first ? f->column : f->name;
}

static void find_columns(
	const struct resource *r, const struct rows *rows, const char *prefix, int16_t *columns)
{
	char name[128];
	for (int i = 0; i < r->n_fields; i++) {
		columns[i] = -1;
		if (!has_column(&r->fields[i]))
			continue;
		strcpy(stpcpy(name, prefix), column_name(&r->fields[i]));
		columns[i] = (int16_t)db_column(rows, name);
	}
}

/* -1: the resource only occurs inside others. */
static int key_field(const struct resource *r)
{
	for (int i = 0; i < r->n_fields; i++)
		if (r->fields[i].flags & F_KEY)
			return i;
	return -1;
}

static struct fetched *wrap_objects(
	struct arena *a, const struct selection *s, struct objects objects)
{
	struct fetched *f = arena_alloc(a, sizeof *f);
	f->selection = s;
	f->objects = objects;
	f->key_field = key_field(s->resource);
	f->nested = arena_array(a, (size_t)s->resource->n_fields, sizeof(struct fetched *));
	return f;
}

static struct fetched *wrap_columns(
	struct arena *a, const struct selection *s, struct rows *rows, const int16_t *columns)
{
	struct fetched *f = wrap_objects(a, s, (struct objects){ 0 });
	f->rows = rows;
	f->columns = columns;
	if (!columns)
		f->key_field = -1;
	return f;
}

/* Objects of a resource whose values are in its parent's row or struct. */
static void wrap_inline(struct arena *a, struct fetched *f)
{
	const struct resource *r = f->selection->resource;
	for (int i = 0; i < r->n_fields; i++) {
		if (r->fields[i].type != FT_INLINE || !select_has(f->selection, i))
			continue;
		const struct resource *child = r->fields[i].child;
		if (!f->rows) {
			f->nested[i] = wrap_objects(a, f->selection->child[i], f->objects);
			continue;
		}
		int16_t *columns = arena_array(a, (size_t)child->n_fields, sizeof *columns);
		find_columns(child, f->rows, arena_printf(a, "%s_", r->fields[i].name).p, columns);
		f->nested[i] = wrap_columns(a, f->selection->child[i], f->rows, columns);
	}
}

void fetch_attach_values(struct arena *a, struct fetched *parent, int i, struct objects values)
{
	parent->nested[i] = wrap_objects(a, parent->selection, values);
	index_rows(a, parent->nested[i], -1);
}

/* Values derived from what is already in the rows. */
static void derive(struct arena *a, struct fetched *f)
{
	const struct resource *r = f->selection->resource;
	for (int i = 0; i < r->n_fields; i++) {
		const struct field *field = &r->fields[i];
		if (!field->derive || field->fetch || f->nested[i] || !select_has(f->selection, i))
			continue;
		fetch_attach_values(a, f, i, field->derive(a, f->rows));
		for (int j = i + 1; j < r->n_fields; j++)
			if (r->fields[j].derive == field->derive)
				f->nested[j] = f->nested[i];
	}
}

struct fetched *fetch_wrap(struct arena *a, struct db *db, const struct selection *s,
	enum stmt stmt, struct rows *rows)
{
	const struct resource *r = s->resource;
	const int16_t *columns = stmt ? db_columns_known(db, stmt, r->fields) : NULL;
	if (!columns) {
		int16_t *found = arena_array(a, (size_t)r->n_fields, sizeof *found);
		find_columns(r, rows, "", found);
		if (stmt)
			db_columns_remember(db, stmt, r->fields, found, (size_t)r->n_fields);
		columns = found;
	}
	struct fetched *f = wrap_columns(a, s, rows, columns);
	wrap_inline(a, f);
	derive(a, f);
	return f;
}

struct fetched *fetch_wrap_objects(
	struct arena *a, const struct selection *s, struct objects objects)
{
	struct fetched *f = wrap_objects(a, s, objects);
	wrap_inline(a, f);
	return f;
}

void fetch_attach(struct arena *a, struct db *db, struct fetched *parent, int i, enum stmt stmt,
	struct rows *rows)
{
	const struct field *field = &parent->selection->resource->fields[i];
	struct selection *s = parent->selection->child[i];
	struct fetched *f;
	if (field->derive && field->fetch) {
		fetch_attach_values(a, parent, i, field->derive(a, rows));
		return;
	}
	if (field->flags & F_SIDE) {
		f = wrap_columns(a, parent->selection, rows, NULL);
	} else {
		if (!s) /* only ids are requested: the keys of the child are enough */
			s = select_default(a, field->child);
		f = fetch_wrap(a, db, s, stmt, rows);
	}
	bool by_id = field->type == FT_ONE || field->type == FT_SOME;
	if (by_id)
		f->parent_field = resource_field(parent->selection->resource, field->key);
	if (by_id)
		f->written = arena_array(a, (size_t)db_count(rows), sizeof *f->written);
	index_rows(a, f, db_column(rows, by_id ? "id" : "parent_id"));
	parent->nested[i] = f;
}

/* Check ------------------------------------------------------------------ */

static bool type_fits(enum field_type type, unsigned oid)
{
	switch (type) {
	case FT_INT: return oid == 20 || oid == 21 || oid == 23;
	case FT_FLOAT:
	case FT_DECIMAL: return oid == 700 || oid == 701;
	case FT_BOOL: return oid == 16;
	case FT_STRING:
	case FT_TEXT:
	case FT_URL:
	case FT_WORD: return oid == 25;
	case FT_TIME: return oid == 1184;
	case FT_DATE: return oid == 1082;
	case FT_IDS: return oid == 1016;
	case FT_STRINGS: return oid == 1009;
	case FT_JSON: return oid == 114 || oid == 3802;
	case FT_EVENTS: return oid == 25;
	case FT_TALLY: return oid == 1022;
	case FT_TOKEN: return oid == 17;
	default: return false;
	}
}

bool fetch_check(struct db *db, const struct resource *r, enum stmt stmt, bool brief)
{
	const struct rows *described = db_describe(db, stmt);
	bool ok = true;
	for (int i = 0; described && i < r->n_fields; i++) {
		const struct field *f = &r->fields[i];
		bool answered = f->flags & (F_DEFAULT | F_KEY) ||
			(!brief && !(f->flags & (F_WRITE | F_IGNORED)));
		if (!has_column(f) || f->flags & (F_SIDE | F_HIDDEN) || !answered)
			continue;
		int column = db_column(described, column_name(f));
		enum field_type type = f->is_first ? FT_IDS : f->type;
		if (column >= 0 && type_fits(type, db_column_type(described, column)))
			continue;
		log_error("statement %s: column %s of resource %s is %s", stmt_texts[stmt].name,
			column_name(f), r->kind, column < 0 ? "missing" : "of another type");
		ok = false;
	}
	return ok;
}
