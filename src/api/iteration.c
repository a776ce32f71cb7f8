/* Iterations: fields, how a page of them is planned, and endpoints. */
#include <string.h>

#include "api/crud.h"
#include "api/gate.h"
#include "api/iteration.h"
#include "api/routes.h"
#include "domain/iteration_override.h"
#include "http/list.h"
#include "model/model.h"
#include "model/things.h"
#include "store/plan_load.h"

_Static_assert(ITERATION_AHEAD_MAX == PLANNING_BACKLOG_MAX, "an iteration beyond every plan");

/* Fields -------------------------------------------------------------------- */

struct iteration {
	int64_t number, project_id, length;
	double team_strength;
	struct ids story_ids;
	int64_t start, finish;
	double velocity, points, accepted_points, effective_points;
	int64_t span;
	bool planned;
};

static const struct field iteration_fields[] = {
	{ "number", FT_INT, F_DEFAULT | F_KEY,
		.doc = "Counted from 1; unique within the project." },
	{ "project_id", FT_INT, F_DEFAULT, AT(iteration, project_id), .doc = "The project." },
	{ "project", FT_ONE, F_HIDES_KEY, .child = &res_project, .key = "project_id",
		.doc = "The project." },
	{ "length", FT_INT, F_DEFAULT, AT(iteration, length), .doc = "Weeks." },
	{ "team_strength", FT_FLOAT, F_DEFAULT, AT(iteration, team_strength),
		.doc = "1 is the full team, 0 nobody." },
	{ "stories", FT_SOME, F_DEFAULT, .child = &res_story, .key = "story_ids",
		.doc = "In order: accepted, in progress, planned." },
	{ "story_ids", FT_IDS, 0, AT(iteration, story_ids),
		.doc = "Ids of the stories, in order." },
	{ "start", FT_TIME, F_DEFAULT, AT(iteration, start),
		.doc = "Midnight in the project's zone." },
	{ "finish", FT_TIME, F_DEFAULT, AT(iteration, finish),
		.doc = "Start of the next iteration." },
	{ "kind", FT_KIND, F_DEFAULT, .doc = "iteration" },
	{ "velocity", FT_DECIMAL, 0, AT(iteration, velocity),
		.doc = "The velocity in force during it." },
	{ "points", FT_FLOAT, 0, AT(iteration, points), .doc = "Points of all its stories." },
	{ "accepted_points", FT_FLOAT, 0, AT(iteration, accepted_points),
		.doc = "Points of its accepted stories." },
	{ "effective_points", FT_DECIMAL, 0, AT(iteration, effective_points),
		.doc = "points over team_strength; 0 at strength 0." },
	{ "accepted", FT_ONE, 0, .child = &res_daily_history_container, .key = "span",
		.fetch = STMT_ITERATIONS_ACCEPTED, .doc = "Points and stories accepted, by day." },
	{ "created", FT_ONE, 0, .child = &res_daily_history_container, .key = "span",
		.fetch = STMT_ITERATIONS_CREATED, .doc = "Points and stories created, by day." },
	{ "analytics", FT_ONE, 0, .child = &res_analytics, .key = "span",
		.fetch = STMT_ANALYTICS_OF_ITERATIONS, .doc = "The iteration in four figures." },
	{ "span", FT_INT, F_HIDDEN, AT(iteration, span),
		.doc = "Its days, in one number: iteration_key()." },
	{ "planned", FT_BOOL, 0, AT(iteration, planned),
		.doc = "Whether it is the current one of a manually planned project." },
};
static const struct resource res_iteration = { "iteration", RESOURCE_FIELDS(iteration_fields),
	.size = sizeof(struct iteration), .is_versioned = true };

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

static struct objects make_page(struct arena *a, const struct plan *p, int64_t project)
{
	struct objects page = { 0 };
	struct iteration *list = arena_array(a, p->n, sizeof *list);
	for (size_t i = 0; i < p->n; i++) {
		const struct plan_iteration *it = &p->iterations[i];
		list[i] = (struct iteration){
			.number = it->span.number,
			.project_id = project,
			.length = it->span.weeks,
			.team_strength = it->span.strength,
			.story_ids = { it->story_ids, it->stories_n },
			.start = it->span.start,
			.finish = it->span.finish,
			.velocity = it->velocity,
			.points = it->points,
			.accepted_points = it->accepted_points,
			.effective_points = it->effective_points,
			.span = iteration_key(&it->span),
			.planned = !p->project.automatic_planning &&
				it->span.number == p->calendar.current,
		};
		objects_add(a, &page, &list[i]);
	}
	return page;
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
	return crud_fetch_objects(r, make_page(r->arena, plan, wish->project), f);
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
			req_fail(r, RC_INVALID_PARAMETER, "'offset' may only be negative with %s",
				r->old.path ? "group=done" : "scope=done or done_current"));
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
	{ "scope", FT_STRING, .words = scopes, .doc = "Which iterations; all by default." },
	{ "label", FT_STRING, .doc = "List only stories with this label, by name." },
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
