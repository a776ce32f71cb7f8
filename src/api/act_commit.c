#include "api/act.h"
#include "http/bind.h"
#include "api/crud.h"

enum rc act_source_commit(struct req *r)
{
	struct db_param param;
	bind_check(r, r->route->body, F_CREATE, NULL);
	enum rc rc = crud_enter(r);
	if (rc)
		return rc;
	bind_params(r, r->route->body, F_CREATE, &param, 1);
	db_send(r->db, r->route->write, 1, &param);
	param = db_null();
	db_send(r->db, r->route->read, 1, &param);
	crud_flush(r);
	if ((rc = crud_entered(r)) || (rc = crud_skip(r, 1)))
		return rc;
	return crud_answer_list(r);
}
