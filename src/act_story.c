#include "act.h"
#include "crud.h"

enum rc act_story_label_delete(struct req *r)
{
	struct rows *rows;
	enum rc rc = crud_enter(r, true);
	if (rc)
		return rc;
	struct db_param label = db_int(r->arena, crud_id(r));
	const struct db_param params[] = { db_int(r->arena, route_id(r, ":project")),
		db_int(r->arena, route_id(r, ":story")), label };
	db_send(r->db, r->route->write, 3, params);
	crud_leave(r);
	db_send(r->db, r->route->read, 1, &label);
	db_flush(r->db);
	if ((rc = crud_entered(r)) || (rc = crud_skip(r, 1)) || (rc = crud_left(r)))
		return rc;
	if ((rc = db_next(r->db, &rows)))
		return req_fail_db(r, rc);
	struct fetched *f = fetch_wrap(r->arena, r->db, r->selection, r->route->read, rows);
	if ((rc = fetch_nested(r->arena, r->db, f)))
		return req_fail_db(r, rc);
	crud_render_one(r, f);
	return RC_OK;
}
