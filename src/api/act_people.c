#include "api/act.h"
#include "http/bind.h"
#include "api/crud.h"
#include "http/list.h"

enum rc act_known_people(struct req *r)
{
	struct db_param param;
	list_check(r);
	bind_check(r, r->route->body, F_CREATE, NULL);
	enum rc rc = crud_enter(r, false);
	if (rc)
		return rc;
	bind_params(r, r->route->body, F_CREATE, &param, 1);
	db_send(r->db, r->route->read, 1, &param);
	crud_flush(r);
	rc = crud_entered(r);
	return rc ? rc : crud_answer_list(r);
}
