#include "model/fetch.h"

#include <stdlib.h>

#include "model/cell.h"

/* Waves ------------------------------------------------------------------ */

struct id_list {
	int64_t *v;
	size_t n;
};

static int compare_ids(const void *x, const void *y)
{
	int64_t a = *(const int64_t *)x, b = *(const int64_t *)y;
	return a < b ? -1 : a > b;
}

static void sort_unique(struct id_list *ids)
{
	size_t n = 0;
	qsort(ids->v, ids->n, sizeof *ids->v, compare_ids);
	for (size_t i = 0; i < ids->n; i++)
		if (n == 0 || ids->v[i] != ids->v[n - 1])
			ids->v[n++] = ids->v[i];
	ids->n = n;
}

/* Space for the ids of a field in all rows. */
static size_t count_ids(const struct fetched *f, const struct field *field, int key)
{
	size_t n = 0;
	if (field->type != FT_SOME)
		return (size_t)cell_count(f);
	for (int i = 0; i < cell_count(f); i++) {
		struct cell_ids ids = cell_ids(f, i, key);
		n += cell_ids_left(&ids);
	}
	return n;
}

static struct id_list collect_ids(
	struct arena *a, const struct fetched *f, const struct field *field)
{
	const struct resource *r = f->selection->resource;
	bool by_key = field->type == FT_ONE || field->type == FT_SOME;
	int key = by_key ? resource_field(r, field->key) : f->key_field;
	struct id_list ids = { .v = arena_array(a, count_ids(f, field, key), sizeof *ids.v) };
	for (int i = 0; i < cell_count(f); i++) {
		if (key < 0 || cell_is_null(f, i, key))
			continue;
		if (field->type != FT_SOME) {
			ids.v[ids.n++] = cell_int(f, i, key);
			continue;
		}
		for (struct cell_ids list = cell_ids(f, i, key);
			cell_next_id(&list, &ids.v[ids.n]);)
			ids.n++;
	}
	sort_unique(&ids);
	return ids;
}

/* The statement for what field i nests; STMT_NONE: nothing to fetch. */
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
		struct id_list ids = collect_ids(a, f, &r->fields[i]);
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

/* Adds f and the objects in its rows, which may nest others. */
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

/* Computes fields that no statement returns. */
static enum rc compute(struct arena *a, struct db *db, struct fetched *f)
{
	const struct resource *r = f->selection->resource;
	for (int i = 0; i < r->n_fields; i++) {
		const struct field *field = &r->fields[i];
		struct objects values;
		if (!is_computed(f->selection, i) || f->nested[i])
			continue;
		struct id_list ids = collect_ids(a, f, field);
		if (ids.n == 0)
			continue;
		enum rc rc = field->compute(a, db, f, ids.v, ids.n, &values);
		if (rc)
			return rc;
		fetch_attach_values(a, f, i, values);
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
