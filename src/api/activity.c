/* Activities: endpoints. Commands make them (src/domain/activity.c). */
#include "api/crud.h"
#include "api/routes.h"
#include "model/model.h"

/* Endpoints ----------------------------------------------------------------- */

/* One plan suits all values, and open boards poll constantly. */
/* clang-format off */
#define ACTIVITY_PARAMS(ASCENDING, BEFORE, AFTER)						\
	{ "occurred_before", FT_TIME, .where = BEFORE, .flags = PARAM_ONE_PLAN,			\
		.doc = "Only what happened before this time." },				\
	{ "occurred_after", FT_TIME, .where = AFTER, .flags = PARAM_ONE_PLAN,			\
		.doc = "Only what happened after this time." },					\
	{ "since_version", FT_INT, .where = "a.project_version > %s::bigint",			\
		.flags = PARAM_ONE_PLAN, .doc = "Only what created versions above this one." },	\
	{ "sort_order", FT_STRING, .words = sort_orders, .read = ASCENDING, .read_when = "asc",	\
		.doc = "asc: oldest first; desc, the default: newest first." },			\
	{ 0 }

/* Activities of one object are found by the object. */
#define OF_THING(ASCENDING)									\
	ACTIVITY_PARAMS(ASCENDING, "a.occurred_at < %s::timestamptz", "a.occurred_at > %s::timestamptz")

/* Whole projects are read by version, starting from the one at that time (sql/feed.sql); `is true`
   keeps the planner from reading them by time, and sorting. */
#define LATE(ID) "(select p.told_late_s * interval '1 second' from project p where p.id = " ID ")"
#define EDGE(ID, SIDE) "(select x.version from activity x where x.project_id = " ID " and x.occurred_at " SIDE " limit 1)"
#define OF_PROJECT(ASCENDING, ID)								\
	ACTIVITY_PARAMS(ASCENDING,								\
		"(a.occurred_at < %s::timestamptz) is true and a.project_version <= coalesce("	\
		EDGE(ID, ">= %s::timestamptz + " LATE(ID) " order by x.occurred_at")		\
		", 9223372036854775807)",							\
		"(a.occurred_at > %s::timestamptz) is true and a.project_version >= coalesce("	\
		EDGE(ID, "<= %s::timestamptz - " LATE(ID) " order by x.occurred_at desc")	\
		", 0)")

static const char *const sort_orders[] = { "asc", "desc", NULL };
static const struct param activity_params[] = { OF_PROJECT(STMT_ACTIVITY_ASCENDING, "$1::bigint") };
static const struct param story_activity_params[] = { OF_THING(STMT_STORY_ACTIVITY_ASCENDING) };
static const struct param epic_activity_params[] = { OF_THING(STMT_EPIC_ACTIVITY_ASCENDING) };
static const struct param my_activity_params[] = { OF_PROJECT(STMT_MY_ACTIVITY_ASCENDING, "m.project_id") };
static const struct param workspace_activity_params[] = { OF_PROJECT(STMT_WORKSPACE_ACTIVITY_ASCENDING, "m.project_id") };
/* clang-format on */

static const struct tool activity_tools[] = {
	{ "changes_since", .takes = "since_version occurred_after limit offset",
		.query = "fields=project_version,occurred_at,performed_by(id,name),message,"
			 "primary_resources&limit=20" },
	{ 0 },
};

const struct route activity_routes[] = {
	{ "GET", "/my/activity", NEED_PERSON, crud_list, &res_activity,
		.read = STMT_MY_ACTIVITY_LIST, .params = my_activity_params,
		.flags = R_PAGED | R_QUIET, .limit = 100, .limit_max = 500,
		.total = STMT_MY_ACTIVITY_COUNT, .total_all = STMT_MY_ACTIVITY_COUNT_ALL,
		.doc = "What happened in the caller's projects, newest first." },
	{ "GET", "/my/workspaces/:workspace/activity", NEED_PERSON, crud_list, &res_activity,
		.read = STMT_WORKSPACE_ACTIVITY_LIST, .exists = STMT_WORKSPACE_EXISTS,
		.params = workspace_activity_params, .flags = R_PAGED | R_QUIET, .limit = 100,
		.limit_max = 500, .total = STMT_WORKSPACE_ACTIVITY_COUNT,
		.total_all = STMT_WORKSPACE_ACTIVITY_COUNT_ALL,
		.doc = "What happened in the projects of a workspace, newest first." },
	{ "GET", "/projects/:project/activity", NEED_VIEWER, crud_list, &res_activity,
		.read = STMT_ACTIVITY_LIST, .params = activity_params,
		.flags = R_PAGED | R_ACTIVITY_TOTAL, .limit = 100, .limit_max = 500,
		.total = STMT_ACTIVITY_COUNT, .example = "?limit=10",
		.doc = "What happened in a project, newest first.", .tools = activity_tools },
	{ "GET", "/projects/:project/stories/:story/activity", NEED_VIEWER, crud_list,
		&res_activity, .read = STMT_STORY_ACTIVITY_LIST, .params = story_activity_params,
		.flags = R_PAGED, .limit = 100, .limit_max = 500,
		.total = STMT_STORY_ACTIVITY_COUNT,
		.doc = "What happened to a story, newest first." },
	{ "GET", "/projects/:project/epics/:epic/activity", NEED_VIEWER, crud_list, &res_activity,
		.read = STMT_EPIC_ACTIVITY_LIST, .params = epic_activity_params, .flags = R_PAGED,
		.limit = 100, .limit_max = 500, .total = STMT_EPIC_ACTIVITY_COUNT,
		.doc = "What happened to an epic, newest first." },
	{ 0 },
};
