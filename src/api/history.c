/* History: reports over days and iterations, and their endpoints. */
#include "api/crud.h"
#include "api/gate.h"
#include "api/iteration.h"
#include "api/routes.h"
#include "http/list.h"
#include "lib/csv.h"
#include "lib/when.h"
#include "model/model.h"
#include "store/plan_load.h"

enum { DAYS_MAX = 366, SNAPSHOTS_MAX = 31 };

static const struct field project_snapshot_fields[] = {
	{ "kind", FT_KIND, F_DEFAULT, .doc = "project_snapshot" },
	{ "date", FT_DATE, F_DEFAULT, .doc = "The day, at its end." },
	{ "current", FT_JSON, F_DEFAULT,
		.doc = "Stories in the current iteration: story_id, state, estimate, story_type." },
	{ "backlog", FT_JSON, F_DEFAULT, .doc = "Stories in the backlog." },
	{ "icebox", FT_JSON, F_DEFAULT, .doc = "Stories in the icebox." },
};
static const struct resource res_project_snapshot = { "project_snapshot",
	RESOURCE_FIELDS(project_snapshot_fields) };

/* Reports ------------------------------------------------------------------- */

/* What happened in an iteration: the statement takes its key and its stories. */

static enum rc ask_iteration(struct req *r)
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
	plan_load_send(r->arena, r->db, &wish);
	db_flush(r->db);
	if ((rc = gate_allows(r)))
		return rc;
	if ((rc = plan_load_take(r->arena, r->db, &wish, &plan)))
		return req_fail_db(r, rc);
	if (plan.n == 0)
		return RC_UNFOUND_RESOURCE;
	const struct plan_iteration *it = &plan.iterations[0];
	const struct db_param params[] = { db_int(r->arena, iteration_key(&it->span)),
		db_ids(r->arena, it->story_ids, it->stories_n) };
	db_send(r->db, r->route->read, 2, params);
	return RC_OK;
}

static enum rc get_of_iteration(struct req *r)
{
	enum rc rc = ask_iteration(r);
	if (rc)
		return rc;
	crud_flush(r);
	return crud_answer_one(r);
}

static enum rc list_of_iteration(struct req *r)
{
	enum rc rc = ask_iteration(r);
	if (rc)
		return rc;
	crud_flush(r);
	return crud_answer_list(r);
}

/* The fields of the JSON form, except kind, under their names; missing values are blank. */
static void put_cycle_times(struct csv *csv, const struct rows *rows)
{
	const struct resource *of = &res_cycle_time_details;
	for (int row = -1; row < db_count(rows); row++) {
		for (int i = 0; i < of->n_fields; i++) {
			const struct field *f = &of->fields[i];
			if (f->type != FT_INT)
				continue;
			int column = db_column(rows, f->name);
			if (row < 0)
				csv_put(csv, str_of(f->name));
			else if (db_is_null(rows, row, column))
				csv_put(csv, STR(""));
			else
				csv_put_int(csv, db_get_int(rows, row, column));
		}
		csv_end_row(csv);
	}
}

static enum rc answer_cycle_times(struct req *r)
{
	struct rows *rows;
	struct csv csv;
	enum rc rc = ask_iteration(r);
	if (rc)
		return rc;
	db_commit(r->db);
	if ((rc = req_next(r, &rows)))
		return rc;
	if ((rc = db_finish(r->db)))
		return req_fail_db(r, rc);
	csv_init(&csv, r->out, CSV_RFC);
	put_cycle_times(&csv, rows);
	r->media_type = r->route->media;
	r->envelope = false;
	return RC_OK;
}

/*
 * Days: the statement takes the path's last id, the first day and the last. Which days are meant
 * follows from the query and from the project, which is looked up along with the gate.
 */

struct days {
	int32_t first, last;
};

/* The last day defaults to `until`, or to the first day if that is later; the first day defaults to
   `since`, or to the earliest one that keeps within `most` days. */
static enum rc find_days(struct req *r, int32_t since, int32_t until, int most, struct days *days)
{
	const struct body *first = list_value(r, "start_date"), *last = list_value(r, "end_date");
	if (first && !when_parse_date(first->text, &days->first))
		return RC_INVALID_PARAMETER;
	if (!last)
		days->last = first && days->first > until ? days->first : until;
	else if (!when_parse_date(last->text, &days->last))
		return RC_INVALID_PARAMETER;
	if (!first) {
		days->first = days->last - (most - 1) > since ? days->last - (most - 1) : since;
		if (days->first > days->last)
			days->first = days->last;
	}
	if (days->first > days->last)
		return req_fail_field(r, "start_date", "start_date must not be after end_date.");
	if (days->last - days->first >= most)
		return req_fail_field(
			r, "start_date", "A request can ask for at most %d days.", most);
	return RC_OK;
}

/* Passes the gate and loads the project; `release`: also the path's story, if it is a release. */
static enum rc look_up(struct req *r, struct plan_project **project, struct rows **release)
{
	struct db_param story = db_int(r->arena, crud_id(r));
	size_t n;
	list_check(r);
	enum rc rc = gate_ask(r);
	if (rc)
		return rc;
	plan_load_send_projects(r->arena, r->db, &(int64_t){ route_id(r, ":project") }, 1);
	if (release)
		db_send(r->db, STMT_HISTORY_RELEASE, 1, &story);
	db_flush(r->db);
	if ((rc = gate_allows(r)))
		return rc;
	if ((rc = plan_load_take_projects(r->arena, r->db, project, &n)))
		return req_fail_db(r, rc);
	if (release && (rc = req_next(r, release)))
		return rc;
	return n == 0 || (release && db_count(*release) == 0) ? RC_UNFOUND_RESOURCE : RC_OK;
}

static void send_days(struct req *r, const struct days *days, struct db_param more)
{
	const struct db_param params[] = { db_int(r->arena, crud_id(r)),
		db_date(r->arena, days->first), db_date(r->arena, days->last), more };
	db_send(r->db, r->route->read, 4, params);
	crud_flush(r);
}

static enum rc get_project_days(struct req *r)
{
	struct plan_project *p;
	struct days days;
	enum rc rc = look_up(r, &p, NULL);
	if (rc || (rc = find_days(r, plan_load_shown_day(p), p->today, DAYS_MAX, &days)))
		return rc;
	send_days(r, &days, db_null());
	return crud_answer_one(r);
}

static enum rc get_release_days(struct req *r)
{
	struct plan_project *p;
	struct rows *release;
	struct days days;
	enum rc rc = look_up(r, &p, &release);
	if (rc)
		return rc;
	int accepted = db_column(release, "accepted_day");
	int32_t made = db_get_date(release, 0, db_column(release, "created_day"));
	int32_t until =
		db_is_null(release, 0, accepted) ? p->today : db_get_date(release, 0, accepted);
	if ((rc = find_days(r, made, until, DAYS_MAX, &days)))
		return rc;
	send_days(r, &days, db_null());
	return crud_answer_one(r);
}

static enum rc list_snapshots(struct req *r)
{
	int64_t begins[SNAPSHOTS_MAX];
	struct plan_project *p;
	struct days days;
	enum rc rc = look_up(r, &p, NULL);
	if (rc || (rc = find_days(r, INT32_MAX, p->today, SNAPSHOTS_MAX, &days)))
		return rc;
	size_t n = planning_find_begins(&p->days, days.first, days.last, begins, SNAPSHOTS_MAX);
	send_days(r, &days, db_ids(r->arena, begins, n));
	return crud_answer_list(r);
}

/* Endpoints ----------------------------------------------------------------- */

static const struct param history_params[] = {
	{ "start_date", FT_DATE, .doc = "The first day." },
	{ "end_date", FT_DATE, .doc = "The last day; today by default." },
	{ 0 },
};

const struct route history_routes[] = {
	{ "GET", "/projects/:project/iterations/:number/analytics", NEED_VIEWER, get_of_iteration,
		&res_analytics, .read = STMT_ITERATION_ANALYTICS,
		.doc = "An iteration in four figures." },
	{ "GET", "/projects/:project/iterations/:number/analytics/cycle_time_details", NEED_VIEWER,
		list_of_iteration, &res_cycle_time_details, .read = STMT_ITERATION_CYCLE_TIMES,
		.flags = R_LIST,
		.doc = "How long the stories of an iteration spent in each state of work." },
	{ "GET", "/projects/:project/iterations/:number/analytics/cycle_time_details.csv",
		NEED_VIEWER, answer_cycle_times, NULL, .read = STMT_ITERATION_CYCLE_TIMES,
		.flags = R_NOT_IN_PARTS, .media = "text/csv; charset=utf-8", .fetch = FETCH_PAGE,
		.doc = "The same as CSV." },
	{ "GET", "/projects/:project/history/iterations/:number/days", NEED_VIEWER,
		get_of_iteration, &res_daily_history_container, .read = STMT_HISTORY_ITERATION_DAYS,
		.doc = "The days of an iteration, by the states of the stories that are in it." },
	{ "GET", "/projects/:project/history/days", NEED_VIEWER, get_project_days,
		&res_daily_history_container, .read = STMT_HISTORY_PROJECT_DAYS,
		.params = history_params,
		.doc = "Days by the states of all stories, at most 366; by default from the "
		       "first iteration that a client shows." },
	{ "GET", "/projects/:project/history/releases/:id/days", NEED_VIEWER, get_release_days,
		&res_daily_history_container, .read = STMT_HISTORY_RELEASE_DAYS,
		.params = history_params,
		.doc = "Days by the states of a release's stories, at most 366; by default from "
		       "the day it was created until it was accepted." },
	{ "GET", "/projects/:project/history/snapshots", NEED_VIEWER, list_snapshots,
		&res_project_snapshot, .read = STMT_HISTORY_SNAPSHOTS, .params = history_params,
		.flags = R_LIST,
		.doc = "Which stories were where at the end of each day, at most 31; by default "
		       "only today." },
	{ 0 },
};
