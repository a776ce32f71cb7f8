#include "api/crud.h"

#include "api/gate.h"
#include "http/bind.h"
#include "http/known.h"
#include "http/list.h"
#include "model/render.h"

int64_t crud_id(const struct req *r)
{
	return r->n_ids ? r->ids[r->n_ids - 1] : 0;
}

int64_t crud_parent(const struct req *r)
{
	return r->n_ids > 1 ? r->ids[r->n_ids - 2] : 0;
}

static struct db_param id_param(struct req *r, int64_t id)
{
	return id ? db_int(r->arena, id) : db_null();
}

/* Enter and leave ---------------------------------------------------------- */

static void send_enter(struct req *r)
{
	gate_tell_caller(r);
	const struct db_caller *caller = db_caller(r->db);
	const struct db_param params[] = { caller->token, caller->person,
		db_text(r->arena, str_of(route_need(r->route->need))),
		db_bool(r->arena, !r->refused), caller->project, id_param(r, route_id(r, ":story")),
		id_param(r, route_id(r, ":account")), id_param(r, route_id(r, ":epic")),
		db_null() };
	db_send(r->db, STMT_ENTER, 9, params);
}

enum rc crud_enter(struct req *r)
{
	send_enter(r);
	if (!r->refused)
		return RC_OK;
	struct req_error error = r->error;
	db_commit(r->db);
	enum rc rc = crud_entered(r);
	if (rc)
		return rc;
	r->error = error;
	return r->refused;
}

enum rc crud_entered(struct req *r)
{
	struct rows *rows;
	enum rc rc = db_next(r->db, &rows);
	if (rc)
		return req_fail_db(r, rc);
	r->person_id = db_is_null(rows, 0, 0) ? 0 : db_get_int(rows, 0, 0);
	r->project_id = db_is_null(rows, 0, 1) ? 0 : db_get_int(rows, 0, 1);
	r->version = db_is_null(rows, 0, 2) ? 0 : db_get_int(rows, 0, 2);
	r->story_total = 0;
	struct db_array counts = db_array(rows, 0, 3);
	for (int64_t n; db_array_next_int(&counts, &n);)
		r->story_total += n;
	gate_tell_caller(r);
	return RC_OK;
}

enum rc crud_skip(struct req *r, int n)
{
	struct rows *rows;
	for (int i = 0; i < n; i++) {
		enum rc rc = db_next(r->db, &rows);
		if (rc)
			return req_fail_db(r, rc);
	}
	return RC_OK;
}

void crud_leave(struct req *r)
{
	struct db_param kind = db_text(r->arena, str_of(r->route->activity));
	if (r->route->activity)
		db_send(r->db, STMT_LEAVE, 1, &kind);
}

enum rc crud_left(struct req *r)
{
	struct rows *rows;
	if (!r->route->activity)
		return RC_OK;
	enum rc rc = db_next(r->db, &rows);
	if (rc)
		return req_fail_db(r, rc);
	r->version = db_get_int(rows, 0, 0);
	return RC_OK;
}

/* Statements of the route's own ------------------------------------------------ */

enum { PARAMS_MAX = 64 };

/* Its parameters: path ids, then the body's fields. */
static void send_own(struct req *r, enum stmt stmt, const struct resource *body, unsigned flag)
{
	struct db_param params[PARAMS_MAX];
	int n = 0;
	for (; n < r->n_ids; n++)
		params[n] = db_int(r->arena, r->ids[n]);
	if (body)
		n += bind_params(r, body, flag, params + n, PARAMS_MAX - n);
	db_send(r->db, stmt, n, params);
}

static int send_allow(struct req *r, const struct resource *body, unsigned flag)
{
	if (!r->route->allow)
		return 0;
	send_own(r, r->route->allow, body, flag);
	return 1;
}

/* Reading ------------------------------------------------------------------ */

static struct render renderer(struct req *r)
{
	return (struct render){ .arena = r->arena,
		.json = &r->json,
		.base_url = r->conf->base_url,
		.crypt = r->crypt,
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

/* A write whose answer would be too large is done all the same: it tells which objects it is about. */
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

enum rc crud_fetch(struct req *r, enum stmt stmt, struct rows *rows, struct fetched **f)
{
	*f = fetch_wrap(r->arena, r->db, r->selection, stmt, rows);
	enum rc rc = fetch_waves(r->selection, NULL) ? fetch_nested(r->arena, r->db, *f)
						     : db_finish(r->db);
	return rc ? req_fail_db(r, rc) : RC_OK;
}

static enum rc fetch_read(struct req *r, struct fetched **f)
{
	struct rows *rows;
	enum rc rc = db_next(r->db, &rows);
	return rc ? req_fail_db(r, rc) : crud_fetch(r, r->route->read, rows, f);
}

enum rc crud_answer_one(struct req *r)
{
	struct fetched *f;
	enum rc rc = fetch_read(r, &f);
	if (rc)
		return rc;
	if (db_count(f->rows) == 0)
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
	const struct db_param params[] = { id_param(r, id), id_param(r, parent),
		id_param(r, r->project_id) };
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
	enum rc rc = db_next(r->db, &read->rows);
	if (rc)
		return req_fail_db(r, rc);
	struct fetched *f = fetch_wrap(r->arena, r->db, r->selection, r->route->read, read->rows);
	for (int i = -1; (i = fieldset_next(&read->attached, i)) >= 0;) {
		if ((rc = db_next(r->db, &nested)))
			return req_fail_db(r, rc);
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
	known_send(r);
	crud_send_read(r, &read, crud_id(r), crud_parent(r));
	if ((rc = gate_allows(r)) || (rc = known_take(r)))
		return rc;
	return crud_take_read(r, &read);
}

enum rc crud_list_where(struct req *r, void (*more)(struct req *, struct sql *))
{
	struct list list;
	struct rows *rows;
	struct fetched *f;
	enum rc rc;
	list_check(r);
	if ((rc = more ? gate_pass(r) : gate_ask(r)))
		return rc;
	known_send(r);
	list_send(r, &list, more);
	crud_flush(r);
	if ((!more && (rc = gate_allows(r))) || (rc = known_take(r)) ||
		(rc = list_take(r, &list, &rows)) || (rc = crud_fetch(r, list.stmt, rows, &f)))
		return rc;
	crud_render_list(r, f);
	return RC_OK;
}

enum rc crud_list(struct req *r)
{
	return crud_list_where(r, NULL);
}

/* Writing ------------------------------------------------------------------ */

static const struct resource *body_of(const struct req *r)
{
	return r->route->body ? r->route->body : r->route->resource;
}

/* What stands in front of the ids of the path: the parent of a new object. */
static int64_t new_parent(const struct req *r, const struct resource *resource)
{
	if (!resource->parent)
		return 0;
	return crud_id(r);
}

static enum rc finish_write(struct req *r, int statements, struct crud_read *read)
{
	enum rc rc = crud_entered(r);
	if (!rc)
		rc = crud_skip(r, statements);
	if (!rc)
		rc = crud_left(r);
	if (rc)
		return rc;
	if (read)
		return crud_take_read(r, read);
	rc = db_finish(r->db);
	return rc ? req_fail_db(r, rc) : RC_OK;
}

enum rc crud_create(struct req *r)
{
	const struct resource *body = body_of(r);
	struct crud_read read;
	int statements = 1;
	bind_check(r, body, F_CREATE, r->route->one_of);
	enum rc rc = crud_enter(r);
	if (rc)
		return rc;
	statements += send_allow(r, body, F_CREATE) + bind_before(r, body, F_CREATE);
	if (r->route->write)
		send_own(r, r->route->write, body, F_CREATE);
	else
		bind_insert(r, body, new_parent(r, body));
	statements += bind_after(r, body, F_CREATE, 0);
	crud_leave(r);
	crud_send_read(r, &read, 0, crud_id(r));
	rc = finish_write(r, statements, &read);
	if (!rc && r->route->flags & R_NEW_PROJECT)
		r->version = 1;
	return rc;
}

/* The project above a resource that hangs on the project, also for /stories/:story. */
static int64_t parent_of(const struct req *r)
{
	return r->n_ids > 1 ? crud_parent(r) : 0;
}

enum rc crud_update(struct req *r)
{
	const struct resource *body = body_of(r);
	struct crud_read read;
	int statements = 1;
	bind_check(r, body, F_UPDATE, r->route->one_of);
	enum rc rc = crud_enter(r);
	if (rc)
		return rc;
	statements += send_allow(r, body, F_UPDATE) + bind_before(r, body, F_UPDATE);
	if (r->route->write)
		send_own(r, r->route->write, body, F_UPDATE);
	else
		bind_update(r, body, crud_id(r), parent_of(r));
	statements += bind_after(r, body, F_UPDATE, crud_id(r));
	crud_leave(r);
	if (!r->route->resource) {
		db_commit(r->db);
		r->status = 204;
		return finish_write(r, statements, NULL);
	}
	crud_send_read(r, &read, crud_id(r), parent_of(r));
	return finish_write(r, statements, &read);
}

enum rc crud_delete(struct req *r)
{
	struct crud_read read;
	enum rc rc = crud_enter(r);
	if (rc)
		return rc;
	int statements = 1 + send_allow(r, NULL, 0);
	if (r->route->write)
		send_own(r, r->route->write, NULL, 0);
	else
		bind_delete(r, body_of(r), crud_id(r), parent_of(r));
	crud_leave(r);
	if (r->route->read) {
		crud_send_read(r, &read, crud_id(r), crud_parent(r));
		return finish_write(r, statements, &read);
	}
	db_commit(r->db);
	rc = finish_write(r, statements, NULL);
	r->status = 204;
	return rc;
}
