#include "api/act.h"
#include "http/bind.h"
#include "api/crud.h"
#include "api/gate.h"
#include "http/list.h"
#include "planning/plan.h"

enum { DAYS_MAX = 366, SNAPSHOTS_MAX = 31 };

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
	enum rc rc = gate_ask(r);
	if (rc)
		return rc;
	plan_send(r->arena, r->db, &wish);
	db_flush(r->db);
	if ((rc = gate_allows(r)))
		return rc;
	if ((rc = plan_take(r->arena, r->db, &wish, &plan)))
		return req_fail_db(r, rc);
	if (plan.n == 0)
		return RC_UNFOUND_RESOURCE;
	const struct plan_iteration *it = &plan.iterations[0];
	const struct db_param params[] = { db_int(r->arena, it->span.number),
		db_ids(r->arena, it->story_ids, it->stories_n) };
	db_send(r->db, r->route->read, 2, params);
	crud_flush(r);
	return list ? crud_answer_list(r) : crud_answer_one(r);
}

enum rc act_iteration_report(struct req *r)
{
	return report_iteration(r, false);
}

enum rc act_iteration_reports(struct req *r)
{
	return report_iteration(r, true);
}

/*
 * Days: the statement takes the path's last id, the dates of the query and how many days a request
 * may ask for. Which days are meant is looked up in front of it; those that do not fit it does
 * not work out.
 */

static struct db_param date_param(struct req *r, const char *name)
{
	const struct body *v = list_value(r, name);
	return v ? db_text(r->arena, v->text) : db_null();
}

static enum rc take_window(struct req *r, int days)
{
	struct rows *rows;
	enum rc rc = db_next(r->db, &rows);
	if (rc)
		return req_fail_db(r, rc);
	if (db_count(rows) == 0)
		return RC_UNFOUND_RESOURCE;
	int32_t first = db_get_date(rows, 0, db_column(rows, "first"));
	int32_t last = db_get_date(rows, 0, db_column(rows, "last"));
	if (first > last)
		return req_fail_field(r, "start_date", "start_date must not be after end_date.");
	if (last - first >= days)
		return req_fail_field(
			r, "start_date", "A request can ask for %d days or less.", days);
	return RC_OK;
}

static enum rc report_days(struct req *r, enum stmt window, int days, bool list)
{
	list_check(r);
	enum rc rc = gate_ask(r);
	if (rc)
		return rc;
	const struct db_param params[] = { db_int(r->arena, crud_id(r)),
		date_param(r, "start_date"), date_param(r, "end_date"), db_int(r->arena, days) };
	db_send(r->db, window, 4, params);
	db_send(r->db, r->route->read, 4, params);
	crud_flush(r);
	if ((rc = gate_allows(r)) || (rc = take_window(r, days)))
		return rc;
	return list ? crud_answer_list(r) : crud_answer_one(r);
}

enum rc act_history(struct req *r)
{
	return report_days(r, STMT_HISTORY_PROJECT_WINDOW, DAYS_MAX, false);
}

enum rc act_history_release(struct req *r)
{
	return report_days(r, STMT_HISTORY_RELEASE_WINDOW, DAYS_MAX, false);
}

enum rc act_history_list(struct req *r)
{
	return report_days(r, STMT_HISTORY_SNAPSHOTS_WINDOW, SNAPSHOTS_MAX, true);
}
