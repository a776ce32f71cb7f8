#include "api/act.h"
#include "api/crud.h"

enum rc act_project_delete(struct req *r)
{
	enum rc rc = crud_delete(r);
	if (!rc)
		r->version++;
	return rc;
}
