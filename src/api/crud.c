#include "api/crud.h"

#include "api/gate.h"
#include "http/existence.h"
#include "http/list.h"
#include "http/scope.h"
#include "model/render.h"

int64_t crud_id(const struct req *r)
{
	return r->n_ids ? r->ids[r->n_ids - 1] : 0;
}

int64_t crud_parent(const struct req *r)
{
	return r->n_ids > 1 ? r->ids[r->n_ids - 2] : 0;
}

/* Reading ------------------------------------------------------------------ */

/* Sessions see secrets only in routes that manage credentials, named tokens never. */
static const struct crypt *opener(const struct req *r)
{
	bool is_free = !r->session_id && !r->named.id;
	return is_free || scope_of(r->route) == SCOPE_OWN ? r->crypt : NULL;
}

static struct render renderer(struct req *r)
{
	return (struct render){ .arena = r->arena,
		.json = &r->json,
		.base_url = r->conf->base_url,
		.crypt = opener(r),
		.person = r->person_id,
		.millis = r->millis };
}

static void render_all(struct req *r, const struct fetched *f, bool is_list)
{
	struct render x = renderer(r);
	if (is_list)
		render_rows(&x, f);
	else
		render_row(&x, f, 0);
}

/*
 * A write whose answer would be too large still takes effect: its answer then has only the ids of
 * its objects.
 */
static void render_answer(struct req *r, const struct fetched *f, bool is_list)
{
	size_t from = r->out->n;
	struct json before = r->json;
	struct fetched keys = *f;
	render_all(r, f, is_list);
	if (!json_is_full(&r->json) || str_equal_z(r->method, "GET"))
		return;
	r->out->n = from;
	r->json = before;
	keys.selection = select_key(r->arena, f->selection->resource);
	render_all(r, &keys, is_list);
}

void crud_render_one(struct req *r, const struct fetched *f)
{
	render_answer(r, f, false);
}

void crud_render_list(struct req *r, const struct fetched *f)
{
	render_answer(r, f, true);
}

void crud_flush(struct req *r)
{
	if (fetch_waves(r->selection, NULL) == 0)
		db_commit(r->db);
	else
		db_flush(r->db);
}

static enum rc fetch_rest(struct req *r, struct fetched *f)
{
	enum rc rc = fetch_waves(r->selection, NULL) ? fetch_nested(r->arena, r->db, f)
						     : db_finish(r->db);
	return rc ? req_fail_db(r, rc) : RC_OK;
}

enum rc crud_fetch(struct req *r, enum stmt stmt, struct rows *rows, struct fetched **f)
{
	*f = fetch_wrap(r->arena, r->db, r->selection, stmt, rows);
	return fetch_rest(r, *f);
}

enum rc crud_fetch_objects(struct req *r, struct objects objects, struct fetched **f)
{
	*f = fetch_wrap_objects(r->arena, r->selection, objects);
	return fetch_rest(r, *f);
}

static enum rc fetch_read(struct req *r, struct fetched **f)
{
	struct rows *rows;
	enum rc rc = req_next(r, &rows);
	return rc ? rc : crud_fetch(r, r->route->read, rows, f);
}

enum rc crud_answer_one(struct req *r)
{
	struct fetched *f;
	enum rc rc = fetch_read(r, &f);
	if (rc)
		return rc;
	if (cell_count(f) == 0)
		return RC_UNFOUND_RESOURCE;
	crud_render_one(r, f);
	return RC_OK;
}

enum rc crud_answer_list(struct req *r)
{
	struct fetched *f;
	enum rc rc = fetch_read(r, &f);
	if (!rc)
		crud_render_list(r, f);
	return rc;
}

void crud_send_read(struct req *r, struct crud_read *read, int64_t id, int64_t parent)
{
	const struct selection *s = r->selection;
	const struct db_param params[] = { db_int_or_null(r->arena, id, 0),
		db_int_or_null(r->arena, parent, 0), db_int_or_null(r->arena, r->project_id, 0) };
	*read = (struct crud_read){ 0 };
	db_send(r->db, r->route->read, 3, params);
	for (int i = 0; i < s->resource->n_fields; i++)
		if (s->resource->fields[i].fetch_root && select_has(s, i)) {
			db_send(r->db, s->resource->fields[i].fetch_root, 1, params);
			fieldset_add(&read->attached, i);
		}
	read->waves = fetch_waves(s, &read->attached);
	if (read->waves == 0)
		db_commit(r->db);
	else
		db_flush(r->db);
}

enum rc crud_take_read(struct req *r, struct crud_read *read)
{
	const struct resource *resource = r->selection->resource;
	struct rows *nested;
	enum rc rc = req_next(r, &read->rows);
	if (rc)
		return rc;
	struct fetched *f = fetch_wrap(r->arena, r->db, r->selection, r->route->read, read->rows);
	for (int i = -1; (i = fieldset_next(&read->attached, i)) >= 0;) {
		if ((rc = req_next(r, &nested)))
			return rc;
		fetch_attach(r->arena, r->db, f, i, resource->fields[i].fetch_root, nested);
	}
	if (db_count(read->rows) == 0)
		return RC_UNFOUND_RESOURCE;
	rc = read->waves ? fetch_nested(r->arena, r->db, f) : db_finish(r->db);
	if (rc)
		return req_fail_db(r, rc);
	crud_render_one(r, f);
	return RC_OK;
}

enum rc crud_get(struct req *r)
{
	struct crud_read read;
	enum rc rc = gate_ask(r);
	if (rc)
		return rc;
	existence_send(r);
	crud_send_read(r, &read, crud_id(r), crud_parent(r));
	if ((rc = gate_allows(r)) || (rc = existence_take(r)))
		return rc;
	return crud_take_read(r, &read);
}

enum rc crud_pass(struct req *r, const struct crud_where *where)
{
	enum rc rc = gate_ask(r);
	if (rc)
		return rc;
	where->ahead(r);
	db_flush(r->db);
	rc = gate_allows(r);
	return rc ? rc : where->take(r);
}

enum rc crud_list_where(struct req *r, const struct crud_where *where)
{
	struct list list;
	struct rows *rows;
	struct fetched *f;
	enum rc rc;
	list_check(r);
	if ((rc = where ? crud_pass(r, where) : gate_ask(r)))
		return rc;
	existence_send(r);
	list_send(r, &list, where ? where->more : NULL);
	crud_flush(r);
	if ((!where && (rc = gate_allows(r))) || (rc = existence_take(r)) ||
		(rc = list_take(r, &list, &rows)) || (rc = crud_fetch(r, list.stmt, rows, &f)))
		return rc;
	crud_render_list(r, f);
	return RC_OK;
}

enum rc crud_list_own(struct req *r)
{
	enum rc rc = gate_ask(r);
	if (rc)
		return rc;
	db_send(r->db, r->route->read, 0, NULL);
	crud_flush(r);
	rc = gate_allows(r);
	return rc ? rc : crud_answer_list(r);
}

enum rc crud_list(struct req *r)
{
	return crud_list_where(r, NULL);
}
