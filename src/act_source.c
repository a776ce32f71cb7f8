/* POST /source_commits: a commit's message moves stories and comments on them. */
#include "act.h"

#include "bind.h"
#include "crud.h"

enum rc act_source_commit(struct req *r)
{
	struct db_param commit;
	struct rows *rows;
	bind_check(r, r->route->body, F_CREATE, NULL);
	enum rc rc = crud_enter(r, false);
	if (rc)
		return rc;
	bind_params(r, r->route->body, F_CREATE, &commit, 1);
	db_send(r->db, r->route->write, 1, &commit);
	db_send(r->db, r->route->read, 0, NULL);
	db_flush(r->db);
	if ((rc = crud_entered(r)) || (rc = crud_skip(r, 1)))
		return rc;
	if ((rc = db_next(r->db, &rows)))
		return req_fail_db(r, rc);
	struct fetched *f = fetch_wrap(r->arena, r->db, r->selection, r->route->read, rows);
	if ((rc = fetch_nested(r->arena, r->db, f)))
		return req_fail_db(r, rc);
	crud_render_list(r, f);
	return RC_OK;
}
