#include "api/act.h"
#include "api/command.h"
#include "api/crud.h"
#include "domain/notification.h"
#include "model/model.h"
#include "api/routes.h"

/* clang-format off */
#define ACTIVITY_PARAMS(ASCENDING)								\
	{ "occurred_before", FT_TIME, .where = "a.occurred_at < %s::timestamptz",		\
		.doc = "Only what happened before this time." },				\
	{ "occurred_after", FT_TIME, .where = "a.occurred_at > %s::timestamptz",		\
		.doc = "Only what happened after this time." },					\
	{ "since_version", FT_INT, .where = "a.project_version > %s::bigint",			\
		.doc = "Only what made versions above this one." },				\
	{ "sort_order", FT_STRING, .words = sort_orders, .read = ASCENDING, .read_when = "asc",	\
		.doc = "asc: oldest first; desc, the default: newest first." },			\
	{ 0 }
/* clang-format on */

static const char *const sort_orders[] = { "asc", "desc", NULL };
static const struct param activity_params[] = { ACTIVITY_PARAMS(STMT_ACTIVITY_ASCENDING) };
static const struct param story_activity_params[] = { ACTIVITY_PARAMS(
	STMT_STORY_ACTIVITY_ASCENDING) };
static const struct param epic_activity_params[] = { ACTIVITY_PARAMS(
	STMT_EPIC_ACTIVITY_ASCENDING) };
static const struct param my_activity_params[] = { ACTIVITY_PARAMS(STMT_MY_ACTIVITY_ASCENDING) };
static const struct param workspace_activity_params[] = { ACTIVITY_PARAMS(
	STMT_WORKSPACE_ACTIVITY_ASCENDING) };

static const char *const notification_types[] = { ":all", ":default", NULL };
static const struct param notification_params[] = {
	{ "created_after", FT_TIME, .where = "n.created_at > %s::timestamptz",
		.doc = "Only what was made after this time; the last ten days by default." },
	{ "updated_after", FT_TIME, .where = "n.updated_at > %s::timestamptz",
		.doc = "Only what was changed after this time." },
	{ "notification_types", FT_STRING, .words = notification_types,
		.doc = ":default: stories, epics, comments and mentions; :all: blockers and webhooks, too." },
	{ 0 },
};
static const struct param since_params[] = {
	{ "notification_types", FT_STRING, .words = notification_types,
		.doc = ":default: stories, epics, comments and mentions; :all: blockers and webhooks, too." },
	{ 0 },
};

const struct route feed_routes[] = {
	{ "GET", "/my/activity", NEED_PERSON, crud_list, &res_activity,
		.read = STMT_MY_ACTIVITY_LIST, .params = my_activity_params,
		.flags = R_PAGED | R_QUIET, .limit = 100, .limit_max = 500,
		.total = STMT_MY_ACTIVITY_COUNT, .total_all = STMT_MY_ACTIVITY_COUNT_ALL,
		.doc = "What happened in the caller's projects, newest first." },
	{ "GET", "/my/workspaces/:workspace/activity", NEED_PERSON, crud_list, &res_activity,
		.read = STMT_WORKSPACE_ACTIVITY_LIST, .known = STMT_WORKSPACE_KNOWN,
		.params = workspace_activity_params, .flags = R_PAGED | R_QUIET, .limit = 100,
		.limit_max = 500, .total = STMT_WORKSPACE_ACTIVITY_COUNT,
		.total_all = STMT_WORKSPACE_ACTIVITY_COUNT_ALL,
		.doc = "What happened in the projects of a workspace, newest first." },
	{ "GET", "/projects/:project/activity", NEED_VIEWER, crud_list, &res_activity,
		.read = STMT_ACTIVITY_LIST, .params = activity_params,
		.flags = R_PAGED | R_ACTIVITY_TOTAL, .limit = 100, .limit_max = 500,
		.total = STMT_ACTIVITY_COUNT, .doc = "What happened in a project, newest first." },
	{ "GET", "/projects/:project/stories/:story/activity", NEED_VIEWER, crud_list,
		&res_activity, .read = STMT_STORY_ACTIVITY_LIST, .params = story_activity_params,
		.flags = R_PAGED, .limit = 100, .limit_max = 500,
		.total = STMT_STORY_ACTIVITY_COUNT,
		.doc = "What happened to a story, newest first." },
	{ "GET", "/projects/:project/epics/:epic/activity", NEED_VIEWER, crud_list, &res_activity,
		.read = STMT_EPIC_ACTIVITY_LIST, .params = epic_activity_params, .flags = R_PAGED,
		.limit = 100, .limit_max = 500, .total = STMT_EPIC_ACTIVITY_COUNT,
		.doc = "What happened to an epic, newest first." },
	{ "GET", "/my/notifications", NEED_PERSON, act_notification_list, &res_notification,
		.read = STMT_NOTIFICATION_LIST, .params = notification_params,
		.flags = R_PAGED | R_NO_OFFSET | R_NO_PAGE_HEADERS | R_QUIET, .limit = 1000,
		.limit_max = 1000, .doc = "The caller's notifications, newest first." },
	{ "GET", "/people/:person/notifications/since/:timestamp", NEED_PERSON,
		act_notification_since, &res_notification, .read = STMT_NOTIFICATION_SINCE,
		.known = STMT_NOTIFICATION_ALLOWED, .params = since_params,
		.flags = R_PAGED | R_NO_PAGE_HEADERS | R_QUIET, .limit = 500, .limit_max = 1000,
		.doc = "Notifications after the one of this time, oldest first." },
	{ "PUT", "/my/notifications/mark_read", NEED_PERSON, command_run, NULL,
		.body = &res_mark_read_body, .decide = notification_mark_read,
		.flags = R_QUIET | R_UNTOLD, .doc = "Mark all up to a notification as read." },
	{ "PUT", "/my/notifications/read_list", NEED_PERSON, command_run, NULL,
		.body = &res_read_list_body, .decide = notification_mark_read,
		.flags = R_QUIET | R_UNTOLD, .doc = "Mark notifications as read." },
	{ "PUT", "/my/notifications/:id", NEED_PERSON, command_run, &res_notification,
		.read = STMT_NOTIFICATION_GET, .target = &res_notification,
		.find = STMT_NOTIFICATION_LOAD, .decide = notification_update,
		.flags = R_QUIET | R_UNTOLD, .doc = "Mark a notification as read." },
	{ 0 },
};
