#define _GNU_SOURCE
#include "model/fetch.h"

#include <stdlib.h>
#include <string.h>

#include "lib/log.h"

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

static void find_columns(
	const struct resource *r, const struct rows *rows, const char *prefix, int16_t *columns)
{
	char name[128];
	for (int i = 0; i < r->n_fields; i++) {
		columns[i] = -1;
		if (!has_column(&r->fields[i]))
			continue;
		strcpy(stpcpy(name, prefix), r->fields[i].name);
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

static struct fetched *wrap_columns(
	struct arena *a, const struct selection *s, struct rows *rows, const int16_t *columns)
{
	struct fetched *f = arena_alloc(a, sizeof *f);
	f->selection = s;
	f->rows = rows;
	f->columns = columns;
	f->key_column =
		columns && key_field(s->resource) >= 0 ? columns[key_field(s->resource)] : -1;
	f->nested = arena_array(a, (size_t)s->resource->n_fields, sizeof(struct fetched *));
	return f;
}

/* Rows of a resource whose columns are in its parent's row. */
static void wrap_inline(struct arena *a, struct fetched *f)
{
	const struct resource *r = f->selection->resource;
	for (int i = 0; i < r->n_fields; i++) {
		if (r->fields[i].type != FT_INLINE || !select_has(f->selection, i))
			continue;
		const struct resource *child = r->fields[i].child;
		int16_t *columns = arena_array(a, (size_t)child->n_fields, sizeof *columns);
		find_columns(child, f->rows, arena_printf(a, "%s_", r->fields[i].name).p, columns);
		f->nested[i] = wrap_columns(a, f->selection->child[i], f->rows, columns);
	}
}

/* Values that are already in the rows, in another form. */
static void derive(struct arena *a, struct db *db, struct fetched *f)
{
	const struct resource *r = f->selection->resource;
	for (int i = 0; i < r->n_fields; i++) {
		const struct field *field = &r->fields[i];
		if (!field->derive || field->fetch || f->nested[i] || !select_has(f->selection, i))
			continue;
		fetch_attach(a, db, f, i, STMT_NONE, field->derive(a, db, f->rows));
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
	derive(a, db, f);
	return f;
}

/* Nested rows are found by key ------------------------------------------- */

static int compare_rows(const void *x, const void *y, void *keys)
{
	const int64_t *k = keys;
	int a = *(const int *)x, b = *(const int *)y;
	if (k[a] != k[b])
		return k[a] < k[b] ? -1 : 1;
	return a - b;
}

static void index_rows(struct arena *a, struct fetched *f, int column)
{
	int n = db_count(f->rows);
	int64_t *keys = arena_array(a, (size_t)n, sizeof *keys);
	int64_t *sorted = arena_array(a, (size_t)n, sizeof *sorted);
	int *order = arena_array(a, (size_t)n, sizeof *order);
	for (int i = 0; i < n; i++) {
		order[i] = i;
		keys[i] = db_get_int(f->rows, i, column);
	}
	qsort_r(order, (size_t)n, sizeof *order, compare_rows, keys);
	for (int i = 0; i < n; i++)
		sorted[i] = keys[order[i]];
	f->order = order;
	f->keys = sorted;
}

int fetch_range(const struct fetched *f, int64_t key, int *first)
{
	int low = 0, high = db_count(f->rows), n = high, end;
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

void fetch_attach(struct arena *a, struct db *db, struct fetched *parent, int i, enum stmt stmt,
	struct rows *rows)
{
	const struct field *field = &parent->selection->resource->fields[i];
	struct selection *s = parent->selection->child[i];
	struct fetched *f;
	if (field->flags & F_SIDE) {
		if (field->derive && field->fetch)
			rows = field->derive(a, db, rows);
		f = wrap_columns(a, parent->selection, rows, NULL);
	} else {
		if (!s) /* only ids are requested: the keys of the child are enough */
			s = select_default(a, field->child);
		f = fetch_wrap(a, db, s, stmt, rows);
	}
	bool by_id = field->type == FT_ONE || field->type == FT_SOME;
	if (by_id)
		f->parent_column =
			parent->columns[resource_field(parent->selection->resource, field->key)];
	if (by_id)
		f->written = arena_array(a, (size_t)db_count(rows), sizeof *f->written);
	index_rows(a, f, db_column(rows, by_id ? "id" : "parent_id"));
	parent->nested[i] = f;
}

/* Waves ------------------------------------------------------------------ */

struct ids {
	int64_t *v;
	size_t n;
};

static int compare_ids(const void *x, const void *y)
{
	int64_t a = *(const int64_t *)x, b = *(const int64_t *)y;
	return a < b ? -1 : a > b;
}

static void sort_unique(struct ids *ids)
{
	size_t n = 0;
	qsort(ids->v, ids->n, sizeof *ids->v, compare_ids);
	for (size_t i = 0; i < ids->n; i++)
		if (n == 0 || ids->v[i] != ids->v[n - 1])
			ids->v[n++] = ids->v[i];
	ids->n = n;
}

/* Space for the ids of a field in all rows. */
static size_t count_ids(const struct fetched *f, const struct field *field, int column)
{
	size_t n = 0;
	if (field->type != FT_SOME)
		return (size_t)db_count(f->rows);
	for (int i = 0; i < db_count(f->rows); i++)
		n += (size_t)db_array(f->rows, i, column).left;
	return n;
}

static struct ids collect_ids(struct arena *a, const struct fetched *f, const struct field *field)
{
	const struct resource *r = f->selection->resource;
	bool by_key = field->type == FT_ONE || field->type == FT_SOME;
	int column = by_key ? f->columns[resource_field(r, field->key)] : f->key_column;
	struct ids ids = { .v = arena_array(a, count_ids(f, field, column), sizeof *ids.v) };
	for (int i = 0; i < db_count(f->rows); i++) {
		struct db_array array;
		if (db_is_null(f->rows, i, column))
			continue;
		if (field->type != FT_SOME) {
			ids.v[ids.n++] = db_get_int(f->rows, i, column);
			continue;
		}
		for (array = db_array(f->rows, i, column);
			db_array_next_int(&array, &ids.v[ids.n]);)
			ids.n++;
	}
	sort_unique(&ids);
	return ids;
}

/* The statement that gives what field i nests; STMT_NONE: nothing to fetch. */
static enum stmt statement_of(const struct selection *s, int i)
{
	const struct field *f = &s->resource->fields[i];
	if (!select_has(s, i))
		return STMT_NONE;
	if (f->type == FT_ONE || f->type == FT_SOME)
		return f->fetch ? f->fetch : f->child->by_ids;
	if (f->type == FT_MANY || f->flags & F_SIDE)
		return f->fetch;
	if (f->type == FT_MANY_IDS)
		return s->resource->fields[resource_field(s->resource, f->key)].fetch;
	return STMT_NONE;
}

static bool is_computed(const struct selection *s, int i)
{
	return select_has(s, i) && s->resource->fields[i].compute;
}

/* Fields of the child that can be queried together with it, by its ids. */
static struct fieldset fields_ahead(const struct selection *s, int i)
{
	const struct selection *child = s->child[i];
	enum field_type type = s->resource->fields[i].type;
	struct fieldset ahead = { 0 };
	if (!child || (type != FT_ONE && type != FT_SOME))
		return ahead;
	for (int j = 0; j < child->resource->n_fields; j++)
		if (select_has(child, j) && child->resource->fields[j].fetch_ids)
			fieldset_add(&ahead, j);
	return ahead;
}

int fetch_waves(const struct selection *s, const struct fieldset *done)
{
	int waves = 0;
	for (int i = 0; i < s->resource->n_fields; i++) {
		bool is_inline = select_has(s, i) && s->resource->fields[i].type == FT_INLINE;
		if (!is_inline && !statement_of(s, i) && !is_computed(s, i))
			continue;
		struct fieldset ahead = fields_ahead(s, i);
		int below = s->child[i] ? fetch_waves(s->child[i], &ahead) : 0;
		if (!is_inline && !(done && fieldset_has(done, i)))
			below++;
		if (below > waves)
			waves = below;
	}
	return waves;
}

/* One relation queried in a wave. */
struct question {
	struct fetched *parent;
	int field;
	enum stmt stmt;
	struct question *next;
};

/* Side fields with the same statement, and a list together with its ids, are queried once. */
static bool shares_answer(struct fetched *f, int i, enum stmt stmt)
{
	for (int j = 0; j < i; j++)
		if (statement_of(f->selection, j) == stmt &&
			f->selection->resource->fields[j].type != FT_ONE &&
			f->selection->resource->fields[j].type != FT_SOME)
			return true;
	return false;
}

static void ask(struct arena *a, struct db *db, struct fetched *f, struct question ***end)
{
	const struct resource *r = f->selection->resource;
	for (int i = 0; i < r->n_fields; i++) {
		enum stmt stmt = statement_of(f->selection, i);
		if (!stmt || f->nested[i] || shares_answer(f, i, stmt))
			continue;
		struct ids ids = collect_ids(a, f, &r->fields[i]);
		if (ids.n == 0)
			continue;
		struct db_param param = db_ids(a, ids.v, ids.n);
		db_send(db, stmt, 1, &param);
		struct fieldset ahead = fields_ahead(f->selection, i);
		for (int j = -1; (j = fieldset_next(&ahead, j)) >= 0;)
			db_send(db, r->fields[i].child->fields[j].fetch_ids, 1, &param);
		struct question *q = arena_alloc(a, sizeof *q);
		*q = (struct question){ .parent = f, .field = i, .stmt = stmt };
		**end = q;
		*end = &q->next;
	}
}

static void share_answers(struct fetched *f, int i, enum stmt stmt)
{
	for (int j = i + 1; j < f->selection->resource->n_fields; j++)
		if (!f->nested[j] && statement_of(f->selection, j) == stmt)
			f->nested[j] = f->nested[i];
}

struct node {
	struct fetched *f;
	struct node *next;
};

/* With the objects in its rows, which may nest, too. */
static void add_node(struct arena *a, struct node ***end, struct fetched *f)
{
	const struct resource *r = f->selection->resource;
	struct node *n = arena_alloc(a, sizeof *n);
	n->f = f;
	**end = n;
	*end = &n->next;
	for (int i = 0; i < r->n_fields; i++)
		if (r->fields[i].type == FT_INLINE && f->nested[i])
			add_node(a, end, f->nested[i]);
}

/* Takes what was queried together with field i. */
static enum rc answer_ahead(
	struct arena *a, struct db *db, struct fetched *f, int i, struct node ***end)
{
	struct fetched *child = f->nested[i];
	struct fieldset ahead = fields_ahead(f->selection, i);
	for (int j = -1; (j = fieldset_next(&ahead, j)) >= 0;) {
		enum stmt stmt = child->selection->resource->fields[j].fetch_ids;
		struct rows *rows;
		enum rc rc = db_next(db, &rows);
		if (rc)
			return rc;
		fetch_attach(a, db, child, j, stmt, rows);
		add_node(a, end, child->nested[j]);
	}
	return RC_OK;
}

/* Fields that the program works out. */
static enum rc compute(struct arena *a, struct db *db, struct fetched *f)
{
	const struct resource *r = f->selection->resource;
	for (int i = 0; i < r->n_fields; i++) {
		const struct field *field = &r->fields[i];
		struct rows *rows;
		if (!is_computed(f->selection, i) || f->nested[i])
			continue;
		struct ids ids = collect_ids(a, f, field);
		if (ids.n == 0)
			continue;
		enum rc rc = field->compute(a, db, f->rows, ids.v, ids.n, &rows);
		if (rc)
			return rc;
		fetch_attach(a, db, f, i, STMT_NONE, rows);
		for (int j = i + 1; j < r->n_fields; j++)
			if (r->fields[j].compute == field->compute)
				f->nested[j] = f->nested[i];
	}
	return RC_OK;
}

static enum rc answer(struct arena *a, struct db *db, struct question *first, struct node ***end)
{
	for (struct question *q = first; q; q = q->next) {
		struct rows *rows;
		enum rc rc = db_next(db, &rows);
		if (rc)
			return rc;
		fetch_attach(a, db, q->parent, q->field, q->stmt, rows);
		const struct field *field = &q->parent->selection->resource->fields[q->field];
		if (!(field->flags & F_SIDE))
			add_node(a, end, q->parent->nested[q->field]);
		if ((rc = answer_ahead(a, db, q->parent, q->field, end)))
			return rc;
		if (field->type != FT_ONE && field->type != FT_SOME)
			share_answers(q->parent, q->field, q->stmt);
	}
	return RC_OK;
}

enum rc fetch_nested(struct arena *a, struct db *db, struct fetched *root)
{
	struct node *wave = NULL, **end = &wave;
	struct fieldset attached = { 0 };
	bool committed = false;
	add_node(a, &end, root);
	for (int i = 0; i < root->selection->resource->n_fields; i++)
		if (root->nested[i] && statement_of(root->selection, i)) {
			fieldset_add(&attached, i);
			add_node(a, &end, root->nested[i]);
		}
	for (int left = fetch_waves(root->selection, &attached); left > 0; left--) {
		struct question *questions = NULL, **last = &questions;
		enum rc rc = RC_OK;
		for (struct node *n = wave; n && !rc; n = n->next)
			rc = compute(a, db, n->f);
		if (rc)
			return rc;
		for (struct node *n = wave; n; n = n->next)
			ask(a, db, n->f, &last);
		if (!questions)
			break;
		wave = NULL;
		end = &wave;
		committed = left == 1;
		if (committed)
			db_commit(db);
		else
			db_flush(db);
		if ((rc = answer(a, db, questions, &end)))
			return rc;
	}
	if (!committed)
		db_commit(db);
	return db_finish(db);
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

bool fetch_check(struct db *db, const struct resource *r, enum stmt stmt)
{
	const struct rows *described = db_describe(db, stmt);
	bool ok = true;
	for (int i = 0; described && i < r->n_fields; i++) {
		const struct field *f = &r->fields[i];
		bool answered =
			f->flags & (F_DEFAULT | F_KEY) || !(f->flags & (F_WRITE | F_IGNORED));
		if (!has_column(f) || f->flags & (F_SIDE | F_HIDDEN) || !answered)
			continue;
		int column = db_column(described, f->name);
		if (column >= 0 && type_fits(f->type, db_column_type(described, column)))
			continue;
		log_error("statement %s: column %s of resource %s is %s", stmt_texts[stmt].name,
			f->name, r->kind, column < 0 ? "missing" : "of another type");
		ok = false;
	}
	return ok;
}
