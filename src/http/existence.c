#include "http/existence.h"

#include "http/list.h"

static const struct param *next_given(struct req *r, const struct param *p)
{
	while (p && p->name && !(p->exists && list_value(r, p->name)))
		p++;
	return p && p->name ? p : NULL;
}

void existence_send(struct req *r)
{
	struct db_param params[REQ_IDS_MAX];
	for (int i = 0; i < r->n_ids; i++)
		params[i] = db_int(r->arena, r->ids[i]);
	if (r->route->exists)
		db_send(r->db, r->route->exists, r->n_ids, params);
	for (const struct param *p = r->route->params; (p = next_given(r, p)); p++) {
		const struct db_param both[] = { db_int(r->arena, list_value(r, p->name)->integer),
			params[0] };
		db_send(r->db, p->exists, 2, both);
	}
}

static enum rc take_route(struct req *r)
{
	struct rows *rows;
	enum rc rc = req_next(r, &rows);
	if (rc)
		return rc;
	if (db_count(rows) == 0)
		return RC_UNFOUND_RESOURCE;
	return db_get_bool(rows, 0, db_column(rows, "allowed")) ? RC_OK : RC_UNAUTHORIZED_OPERATION;
}

static enum rc take_param(struct req *r, const struct param *p)
{
	struct rows *rows;
	enum rc rc = req_next(r, &rows);
	if (rc)
		return rc;
	if (db_count(rows) > 0)
		return RC_OK;
	return req_fail_field(r, p->name, p->unknown, (long long)list_value(r, p->name)->integer);
}

enum rc existence_take(struct req *r)
{
	enum rc rc = r->route->exists ? take_route(r) : RC_OK;
	for (const struct param *p = r->route->params; !rc && (p = next_given(r, p)); p++)
		rc = take_param(r, p);
	return rc;
}
