#include "api/act.h"
#include "http/bind.h"
#include "api/crud.h"
#include "http/list.h"
#include "planning/plan.h"

/* Sends the route's statement, ends the transaction and writes what it gave. */
static enum rc answer(struct req *r, int n, const struct db_param *params, bool entered, bool list)
{
	enum rc rc;
	db_send(r->db, r->route->read, n, params);
	crud_flush(r);
	if (!entered && (rc = crud_entered(r)))
		return rc;
	return list ? crud_answer_list(r) : crud_answer_one(r);
}

/* Iterations: the statement takes the number and the stories that are in it ------- */

static enum rc report_iteration(struct req *r, bool list)
{
	struct plan plan;
	struct plan_wish wish = { .project = route_id(r, ":project"),
		.offset = crud_id(r) - 1,
		.limit = 1,
		.stories = true };
	if (crud_id(r) < 1)
		req_refuse(r, RC_UNFOUND_RESOURCE);
	enum rc rc = crud_enter(r, false);
	if (rc)
		return rc;
	plan_send(r->arena, r->db, &wish);
	db_flush(r->db);
	if ((rc = crud_entered(r)))
		return rc;
	if ((rc = plan_take(r->arena, r->db, &wish, &plan)))
		return req_fail_db(r, rc);
	if (plan.n == 0)
		return RC_UNFOUND_RESOURCE;
	const struct plan_iteration *it = &plan.iterations[0];
	const struct db_param params[] = { db_int(r->arena, it->span.number),
		db_ids(r->arena, it->story_ids, it->stories_n) };
	return answer(r, 2, params, true, list);
}

enum rc act_iteration_report(struct req *r)
{
	return report_iteration(r, false);
}

enum rc act_iteration_reports(struct req *r)
{
	return report_iteration(r, true);
}

/* Days: the statement takes the path's last id and the dates of the query --------- */

static struct db_param date_param(struct req *r, const char *name)
{
	const struct body *v = list_value(r, name);
	return v ? db_text(r->arena, v->text) : db_null();
}

static enum rc report_days(struct req *r, bool list)
{
	list_check(r);
	enum rc rc = crud_enter(r, false);
	if (rc)
		return rc;
	const struct db_param params[] = { db_int(r->arena, crud_id(r)),
		date_param(r, "start_date"), date_param(r, "end_date") };
	return answer(r, 3, params, false, list);
}

enum rc act_history(struct req *r)
{
	return report_days(r, false);
}

enum rc act_history_list(struct req *r)
{
	return report_days(r, true);
}
