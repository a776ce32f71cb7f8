#include "api/act.h"
#include "http/bind.h"
#include "api/crud.h"
#include "api/gate.h"
#include "http/list.h"
#include "model/model.h"
#include "planning/plan.h"

#include <string.h>

static bool wants(const struct req *r, const char *field)
{
	return select_has(r->selection, resource_field(&res_iteration, field));
}

static struct plan_wish make_wish(struct req *r)
{
	const struct body *label = list_value(r, "label");
	return (struct plan_wish){
		.project = route_id(r, ":project"),
		.stories = wants(r, "stories") || wants(r, "story_ids") || wants(r, "points") ||
			wants(r, "accepted_points") || wants(r, "effective_points"),
		.velocities = wants(r, "velocity"),
		.label = label ? label->text : (struct str){ 0 },
	};
}

/* The page as rows of res_iteration. */
static struct rows *make_rows(struct req *r, const struct plan *p, int64_t project)
{
	static const char *const columns[] = { "number", "project_id", "length", "team_strength",
		"story_ids", "start", "finish", "velocity", "points", "accepted_points",
		"effective_points", "planned" };
	struct arena *a = r->arena;
	struct rows *rows = db_make_rows(r->db, columns, 12);
	for (size_t i = 0; i < p->n; i++) {
		const struct plan_iteration *it = &p->iterations[i];
		const struct db_param values[] = {
			db_int(a, it->span.number),
			db_int(a, project),
			db_int(a, it->span.weeks),
			db_float(a, it->span.strength),
			db_ids(a, it->story_ids, it->stories_n),
			db_time(a, it->span.start),
			db_time(a, it->span.finish),
			db_float(a, it->velocity),
			db_float(a, it->points),
			db_float(a, it->accepted_points),
			db_float(a, it->effective_points),
			db_bool(a,
				!p->project.automatic_planning &&
					it->span.number == p->calendar.current),
		};
		for (int column = 0; column < 12; column++)
			db_put(rows, (int)i, column, values[column]);
	}
	return rows;
}

/* Loads the page and what is nested in it, and ends the transaction. */
static enum rc read_page(
	struct req *r, const struct plan_wish *wish, struct plan *plan, struct fetched **f)
{
	enum rc rc = gate_ask(r);
	if (rc)
		return rc;
	plan_send(r->arena, r->db, wish);
	crud_flush(r);
	if ((rc = gate_allows(r)))
		return rc;
	if ((rc = plan_take(r->arena, r->db, wish, plan)))
		return req_fail_db(r, rc);
	return crud_fetch(r, STMT_NONE, make_rows(r, plan, wish->project), f);
}

static enum plan_scope find_scope(struct req *r)
{
	const struct body *word = list_value(r, "scope");
	for (int i = 1; word && i < PLAN__MAX; i++)
		if (str_equal_z(word->text, plan_scopes[i]))
			return (enum plan_scope)i;
	return PLAN_ALL;
}

enum rc act_iterations(struct req *r)
{
	struct fetched *f;
	struct plan plan;
	struct plan_wish wish = make_wish(r);
	wish.scope = find_scope(r);
	wish.total = true;
	wish.limit = 1;
	if (wish.scope == PLAN_CURRENT) { /* a recorded reply has no pagination headers */
		list_check_params(r);
	} else {
		list_check(r);
		wish.offset = r->page.offset;
		wish.limit = r->page.limit;
	}
	if (wish.offset < 0 && wish.scope != PLAN_DONE && wish.scope != PLAN_DONE_CURRENT)
		req_refuse(r,
			req_fail(r, RC_INVALID_PARAMETER,
				"'offset' may only be negative with scope=done or done_current"));
	enum rc rc = read_page(r, &wish, &plan, &f);
	if (rc)
		return rc;
	r->page.total = plan.total;
	r->page.returned = (int64_t)plan.n;
	crud_render_list(r, f);
	return RC_OK;
}

enum rc act_iteration(struct req *r)
{
	struct fetched *f;
	struct plan plan;
	list_check(r);
	struct plan_wish wish = make_wish(r);
	if (crud_id(r) < 1)
		req_refuse(r, RC_UNFOUND_RESOURCE);
	wish.offset = crud_id(r) - 1;
	wish.limit = 1;
	enum rc rc = read_page(r, &wish, &plan, &f);
	if (rc)
		return rc;
	if (plan.n == 0)
		return RC_UNFOUND_RESOURCE;
	crud_render_one(r, f);
	return RC_OK;
}
