#include "api/act.h"
#include "http/bind.h"
#include "api/crud.h"
#include "api/gate.h"
#include "http/list.h"

enum rc act_known_people(struct req *r)
{
	struct db_param params[3];
	list_check(r);
	bind_check(r, r->route->body, F_CREATE, NULL);
	enum rc rc = gate_ask(r);
	if (rc)
		return rc;
	bind_params(r, r->route->body, F_CREATE, params, 1);
	params[1] = db_int(r->arena, r->page.limit);
	params[2] = db_int(r->arena, list_offset(r));
	db_send(r->db, r->route->read, 3, params);
	crud_flush(r);
	rc = gate_allows(r);
	return rc ? rc : crud_answer_list(r);
}
