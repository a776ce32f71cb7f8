#include "http/bind.h"

#include <string.h>

#include "lib/buf.h"
#include "lib/when.h"

static struct str ids_text(struct arena *a, const struct body *list)
{
	struct buf b = { 0 };
	buf_put_char(&b, '{');
	for (const struct body *x = list->first; x; x = x->next) {
		if (x != list->first)
			buf_put_char(&b, ',');
		buf_put_int(&b, x->integer);
	}
	buf_put_char(&b, '}');
	struct str s = arena_str(a, buf_str(&b));
	buf_free(&b);
	return s;
}

static struct db_param time_param(struct arena *a, const struct body *v)
{
	int64_t us = v->type == BODY_INT ? v->integer * 1000 : 0;
	if (v->type == BODY_TEXT && !when_parse(v->text, &us))
		return db_null();
	return db_time(a, us);
}

struct db_param bind_param(struct arena *a, const struct field *f, const struct body *v)
{
	if (!v || v->type == BODY_NULL)
		return db_null();
	switch (f->type) {
	case FT_INT: return db_text(a, arena_printf(a, "%lld", (long long)v->integer));
	case FT_FLOAT:
		return db_text(a,
			v->type == BODY_INT ? arena_printf(a, "%lld", (long long)v->integer)
					    : arena_printf(a, "%.17g", v->number));
	case FT_BOOL: return db_text(a, v->boolean ? STR("t") : STR("f"));
	case FT_TIME: return time_param(a, v);
	case FT_IDS: return db_text(a, ids_text(a, v));
	case FT_REFS:
	case FT_STRINGS:
	case FT_ZONE:
	case FT_LABELS:
	case FT_LIST:
	case FT_OBJECT: return db_text(a, body_text(a, v));
	default: return db_text(a, v->text);
	}
}

int bind_params(struct req *r, const struct resource *resource, unsigned flag,
	struct db_param *params, int max)
{
	int n = 0;
	for (int i = 0; i < resource->n_fields && n < max; i++) {
		const struct field *f = &resource->fields[i];
		if (f->flags & flag && !(f->flags & F_IGNORED))
			params[n++] = bind_param(r->arena, f, body_get(r->body, f->name));
	}
	return n;
}

/* Fields of the body that are columns of the row ------------------------- */

static const char *column_of(const struct field *f)
{
	return f->column ? f->column : f->name;
}

/* A column is written once: owner_ids and owned_by_id say the same thing. */
static bool is_written_before(
	const struct req *r, const struct resource *resource, int i, unsigned flag)
{
	for (int j = 0; j < i; j++) {
		const struct field *f = &resource->fields[j];
		if (f->flags & flag && !strcmp(column_of(f), column_of(&resource->fields[i])) &&
			body_get(r->body, f->name))
			return true;
	}
	return false;
}

static const struct body *written_value(
	const struct req *r, const struct resource *resource, int i, unsigned flag)
{
	const struct field *f = &resource->fields[i];
	if (!(f->flags & flag) || f->flags & F_IGNORED || f->before || f->after)
		return NULL;
	if (is_written_before(r, resource, i, flag))
		return NULL;
	return body_get(r->body, f->name);
}

static void put_value(struct sql *q, const struct field *f, const struct body *v)
{
	struct db_param p = bind_param(q->arena, f, v);
	if (f->bind)
		sql_put_with(q, f->bind, p);
	else
		sql_param(q, p);
}

static void put_parent(struct sql *q, const struct resource *resource, int64_t parent_id)
{
	if (resource->parent_value) {
		sql_put(q, resource->parent_value);
		return;
	}
	sql_param(q, db_int(q->arena, parent_id));
	sql_put(q, "::bigint");
}

void bind_insert(struct req *r, const struct resource *resource, int64_t parent_id)
{
	struct sql q, values;
	bool first = true;
	sql_init(&q, r->arena);
	sql_init(&values, r->arena);
	sql_put(&q, "with i as (insert into ");
	sql_put(&q, resource->table);
	sql_put(&q, " (");
	if (resource->parent) {
		sql_put(&q, resource->parent);
		put_parent(&values, resource, parent_id);
		first = false;
	}
	for (int i = 0; i < resource->n_fields; i++) {
		const struct body *v = written_value(r, resource, i, F_CREATE);
		if (!v)
			continue;
		sql_put(&q, first ? "" : ", ");
		sql_put(&values, first ? "" : ", ");
		first = false;
		sql_put(&q, column_of(&resource->fields[i]));
		put_value(&values, &resource->fields[i], v);
	}
	sql_put(&q, ") values (");
	sql_append(&q, &values);
	sql_put(&q, ") returning id) select made(id) from i");
	sql_send(&q, r->db);
}

static void put_match(struct sql *q, const struct resource *resource, int64_t id, int64_t parent_id)
{
	sql_put(q, " where id = ");
	sql_param(q, db_int(q->arena, id));
	if (resource->parent) {
		sql_put(q, " and ");
		sql_put(q, resource->parent);
		sql_put(q, " = ");
		put_parent(q, resource, parent_id);
	}
}

void bind_update(struct req *r, const struct resource *resource, int64_t id, int64_t parent_id)
{
	struct sql q;
	bool first = true;
	sql_init(&q, r->arena);
	sql_put(&q, "with u as (update ");
	sql_put(&q, resource->table);
	sql_put(&q, " set ");
	for (int i = 0; i < resource->n_fields; i++) {
		const struct body *v = written_value(r, resource, i, F_UPDATE);
		if (!v)
			continue;
		sql_put(&q, first ? "" : ", ");
		first = false;
		sql_put(&q, column_of(&resource->fields[i]));
		sql_put(&q, " = ");
		put_value(&q, &resource->fields[i], v);
	}
	if (first)
		sql_put(&q, resource->touch);
	put_match(&q, resource, id, parent_id);
	sql_put(&q, " returning 1) select must(count(*)) from u");
	sql_send(&q, r->db);
}

void bind_delete(struct req *r, const struct resource *resource, int64_t id, int64_t parent_id)
{
	struct sql q;
	sql_init(&q, r->arena);
	sql_put(&q, "with d as (delete from ");
	sql_put(&q, resource->table);
	put_match(&q, resource, id, parent_id);
	sql_put(&q, " returning 1) select must(count(*)) from d");
	sql_send(&q, r->db);
}

/* Statements that fields bring along -------------------------------------- */

int bind_before(struct req *r, const struct resource *resource, unsigned flag)
{
	int sent = 0;
	enum stmt last = STMT_NONE;
	for (int i = 0; i < resource->n_fields; i++) {
		const struct field *f = &resource->fields[i];
		const struct body *v = body_get(r->body, f->name);
		struct db_param params[8];
		int n = 0;
		if (!f->before || f->flags & F_ALONG || !(f->flags & flag) || !v ||
			v->type == BODY_NULL || f->before == last)
			continue;
		for (int j = 0; j < resource->n_fields && n < 8; j++)
			if (resource->fields[j].before == f->before)
				params[n++] = bind_param(r->arena, &resource->fields[j],
					body_get(r->body, resource->fields[j].name));
		db_send(r->db, f->before, n, params);
		last = f->before;
		sent++;
	}
	return sent;
}

int bind_after(struct req *r, const struct resource *resource, unsigned flag, int64_t id)
{
	int sent = 0;
	for (int i = 0; i < resource->n_fields; i++) {
		const struct field *f = &resource->fields[i];
		const struct body *v = body_get(r->body, f->name);
		if (!f->after || !(f->flags & flag) || !v ||
			(v->type == BODY_ARRAY && v->count == 0))
			continue;
		const struct db_param params[] = { bind_param(r->arena, f, v),
			id ? db_int(r->arena, id) : db_null() };
		db_send(r->db, f->after, 2, params);
		sent++;
	}
	return sent;
}

/* Query values ------------------------------------------------------------ */

static struct body *number_value(struct arena *a, struct str text)
{
	const char *problem;
	struct body *v = body_parse(a, text, &problem);
	return v && (v->type == BODY_INT || v->type == BODY_FLOAT) ? v : NULL;
}

bool bind_is_beyond(const struct body *v)
{
	return v->type == BODY_FLOAT && v->number >= 9223372036854775808.0;
}

static struct body *ids_value(struct arena *a, struct str text)
{
	struct body *list = body_new_array(a);
	struct body **end = &list->first; /* body_append would walk the list for each id */
	while (text.p && text.n) {
		struct str item = str_trim(str_cut(&text, ','));
		int64_t id;
		if (str_to_int(item, &id)) {
			*end = body_new_int(a, id);
			end = &(*end)->next;
			list->count++;
			continue;
		}
		const struct body *number = number_value(a, item);
		if (!number || !bind_is_beyond(number))
			return NULL;
	}
	return list;
}
struct body *bind_query_value(struct arena *a, enum field_type type, struct str text)
{
	int64_t v;
	int32_t day;
	switch (type) {
	case FT_INT: return str_to_int(text, &v) ? body_new_int(a, v) : NULL;
	case FT_FLOAT: return number_value(a, text);
	case FT_BOOL:
		if (str_equal_z(text, "true") || str_equal_z(text, "false"))
			return body_new_bool(a, text.n == 4);
		return NULL;
	case FT_TIME:
		if (str_to_int(text, &v))
			return v >= INT64_C(-62135596800000) && v <= INT64_C(253402300799999)
				? body_new_int(a, v)
				: NULL;
		return when_parse(text, &v) ? body_new_text(a, text) : NULL;
	case FT_DATE: return when_parse_date(text, &day) ? body_new_text(a, text) : NULL;
	case FT_IDS: return ids_value(a, text);
	default: return body_new_text(a, text);
	}
}
