/* Iterations: fields, how a page of them is planned, and endpoints. */
#include <string.h>

#include "api/crud.h"
#include "api/gate.h"
#include "api/iteration.h"
#include "api/routes.h"
#include "domain/iteration_override.h"
#include "http/list.h"
#include "model/model.h"
#include "store/plan_load.h"

_Static_assert(ITERATION_AHEAD_MAX == PLANNING_BACKLOG_MAX, "an iteration beyond every plan");

/* Fields -------------------------------------------------------------------- */

static const struct field iteration_fields[] = {
	{ "number", FT_INT, F_DEFAULT | F_KEY, .doc = "Counted from 1; unique in the project." },
	{ "project_id", FT_INT, F_DEFAULT, .doc = "The project." },
	{ "project", FT_ONE, F_HIDES_KEY, .child = &res_project, .key = "project_id",
		.doc = "The project." },
	{ "length", FT_INT, F_DEFAULT, .doc = "Weeks." },
	{ "team_strength", FT_FLOAT, F_DEFAULT, .doc = "1 is the whole team, 0 nobody." },
	{ "stories", FT_SOME, F_DEFAULT, .child = &res_story, .key = "story_ids",
		.doc = "In order: accepted ones, those in progress, those to come." },
	{ "story_ids", FT_IDS, 0, .doc = "Ids of the stories, in order." },
	{ "start", FT_TIME, F_DEFAULT, .doc = "Midnight of the project's zone." },
	{ "finish", FT_TIME, F_DEFAULT, .doc = "Start of the next iteration." },
	{ "kind", FT_KIND, F_DEFAULT, .doc = "iteration" },
	{ "velocity", FT_DECIMAL, 0, .doc = "The velocity in force during it." },
	{ "points", FT_FLOAT, 0, .doc = "Points of all its stories." },
	{ "accepted_points", FT_FLOAT, 0, .doc = "Points of those that are accepted." },
	{ "effective_points", FT_DECIMAL, 0, .doc = "points over team_strength; 0 at strength 0." },
	{ "accepted", FT_ONE, 0, .child = &res_daily_history_container, .key = "span",
		.fetch = STMT_ITERATIONS_ACCEPTED, .doc = "Points and stories accepted, by day." },
	{ "created", FT_ONE, 0, .child = &res_daily_history_container, .key = "span",
		.fetch = STMT_ITERATIONS_CREATED, .doc = "Points and stories made, by day." },
	{ "analytics", FT_ONE, 0, .child = &res_analytics, .key = "span",
		.fetch = STMT_ANALYTICS_OF_ITERATIONS, .doc = "The iteration in four figures." },
	{ "span", FT_INT, F_HIDDEN, .doc = "Its days, in one number: iteration_key()." },
	{ "planned", FT_BOOL, 0,
		.doc = "Whether it is the current one of a project planned by hand." },
};
static const struct resource res_iteration = { "iteration", RESOURCE_FIELDS(iteration_fields),
	.is_versioned = true };

int64_t iteration_key(const struct planning_span *span)
{
	return (int64_t)span->day * 4096 + (int64_t)span->weeks * 7;
}

/* A page -------------------------------------------------------------------- */

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
		"effective_points", "planned", "span" };
	enum { COLUMNS = sizeof columns / sizeof *columns };
	struct arena *a = r->arena;
	struct rows *rows = db_make_rows(r->db, columns, COLUMNS);
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
			db_int(a, iteration_key(&it->span)),
		};
		for (int column = 0; column < COLUMNS; column++)
			db_put(rows, (int)i, column, values[column]);
	}
	return rows;
}

/* Loads the page and its nested objects, and ends the transaction. */
static enum rc read_page(
	struct req *r, const struct plan_wish *wish, struct plan *plan, struct fetched **f)
{
	enum rc rc = gate_ask(r);
	if (rc)
		return rc;
	plan_load_send(r->arena, r->db, wish);
	db_flush(r->db);
	if ((rc = gate_allows(r)))
		return rc;
	if ((rc = plan_load_take(r->arena, r->db, wish, plan)))
		return req_fail_db(r, rc);
	if (fetch_waves(r->selection, NULL) == 0)
		db_commit(r->db);
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

static enum rc list_iterations(struct req *r)
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

static enum rc get_iteration(struct req *r)
{
	struct fetched *f;
	struct plan plan;
	list_check(r);
	struct plan_wish wish = make_wish(r);
	if (crud_id(r) < 1)
		req_refuse(r, RC_UNFOUND_RESOURCE);
	wish.number = crud_id(r);
	wish.limit = 1;
	enum rc rc = read_page(r, &wish, &plan, &f);
	if (rc)
		return rc;
	if (plan.n == 0)
		return RC_UNFOUND_RESOURCE;
	crud_render_one(r, f);
	return RC_OK;
}

/* Endpoints ----------------------------------------------------------------- */

static const char *const scopes[] = { "done", "current", "backlog", "current_backlog",
	"done_current", NULL };
static const struct param iteration_params[] = {
	{ "scope", FT_STRING, .words = scopes, .doc = "Which iterations; all without it." },
	{ "label", FT_STRING, .doc = "Only stories with the label of this name are listed." },
	{ 0 },
};

#define TOLD                                                                                       \
	"fields=number,start,finish,team_strength,velocity,points,accepted_points,"                \
	"stories(id,name,story_type,current_state,estimate,owners(id,name),labels(name))"

static const struct tool iteration_tools[] = {
	{ "current_iteration", .query = "scope=current&" TOLD,
		.uri = "planwright://project/{project_id}/iteration/current",
		.title = "Current iteration", .doc = "The current iteration with its stories." },
	{ "backlog", .takes = "limit offset", .query = "scope=backlog&limit=3&" TOLD,
		.doc = "Coming iterations as planned from velocity, with their stories in order." },
	{ 0 },
};

const struct route iteration_routes[] = {
	{ "GET", "/projects/:project/iterations", NEED_VIEWER, list_iterations, &res_iteration,
		.params = iteration_params, .flags = R_PAGED | R_BACKWARDS | R_VIEWS, .limit = 10,
		.limit_max = 100, .example = "?scope=current_backlog",
		.doc = "Iterations: done, current and projected.", .tools = iteration_tools },
	{ "GET", "/projects/:project/iterations/:number", NEED_VIEWER, get_iteration,
		&res_iteration, .params = iteration_params + 1,
		.doc = "One iteration, by its number." },
	{ 0 },
};
