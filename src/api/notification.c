/* Notifications: their lists, and endpoints. Commands make them (src/domain/news.c). */
#include "domain/notification.h"

#include "api/command.h"
#include "api/crud.h"
#include "api/gate.h"
#include "api/routes.h"
#include "http/existence.h"
#include "http/list.h"
#include "lib/when.h"
#include "model/model.h"

/* A mark's id is that of its person. */
static const struct field mark_read_fields[] = {
	{ "id", FT_INT, F_HIDDEN, .doc = "The person." },
	{ "before", FT_INT, F_UPDATE | F_QUERY | F_MUST | F_STORED | F_UNTOLD,
		AT(read_mark, before), .doc = "The last notification to mark as read." },
	{ "read_at", FT_TIME, F_HIDDEN | F_STORED, AT(read_mark, read_at), .doc = "When." },
};
static const struct resource res_mark_read_body = { "notification",
	RESOURCE_FIELDS(mark_read_fields), .size = sizeof(struct read_mark),
	.put = STMT_NOTIFICATION_MARK_READ };

static const struct field read_list_fields[] = {
	{ "id", FT_INT, F_HIDDEN, .doc = "The person." },
	{ "ids", FT_IDS, F_UPDATE | F_QUERY | F_MUST | F_LOOSE | F_STORED | F_UNTOLD,
		AT(read_mark, ids), .max = 1000, .doc = "Notifications to mark as read." },
	{ "read_at", FT_TIME, F_HIDDEN | F_STORED, AT(read_mark, read_at), .doc = "When." },
};
static const struct resource res_read_list_body = { "notification",
	RESOURCE_FIELDS(read_list_fields), .size = sizeof(struct read_mark),
	.put = STMT_NOTIFICATION_READ_LIST };

/* Lists, whose answers carry the time of the newest one ---------------------- */

/* Without either date the last ten days are meant (contract 2.2). */
static void put_window(struct req *r, struct sql *q)
{
	if (!list_value(r, "created_after") && !list_value(r, "updated_after"))
		sql_put(q, " and n.created_at > now() - interval '10 days'");
	if (!list_value(r, "notification_types") ||
		str_equal_z(list_value(r, "notification_types")->text, ":default"))
		sql_put(q,
			" and n.notification_type = any(array['story', 'epic', 'comment',"
			" 'comment_with_mention'])");
}

/*
 * Reads the newest time before the list, so that a client that continues from it misses none in
 * between.
 */
static enum rc take_newest(struct req *r)
{
	struct rows *newest;
	enum rc rc = req_next(r, &newest);
	if (rc)
		return rc;
	r->tells_newest = true;
	r->newest_notification = db_is_null(newest, 0, 0) ? 0 : db_get_int(newest, 0, 0);
	return RC_OK;
}

static enum rc list_notifications(struct req *r)
{
	struct list list;
	struct rows *rows;
	struct fetched *f;
	list_check(r);
	enum rc rc = gate_ask(r);
	if (rc)
		return rc;
	db_send(r->db, STMT_NOTIFICATION_NEWEST, 0, NULL);
	list_send(r, &list, put_window);
	crud_flush(r);
	if ((rc = gate_allows(r)) || (rc = take_newest(r)) || (rc = list_take(r, &list, &rows)) ||
		(rc = crud_fetch(r, list.stmt, rows, &f)))
		return rc;
	crud_render_list(r, f);
	return RC_OK;
}

/* Always in an envelope, with times in milliseconds; parameters that change the format are
   refused. */
static void check_since(struct req *r)
{
	static const char *const refused[] = { "fields", "envelope", "date_format" };
	for (int i = 0; i < 3; i++)
		if (uri_find(r->params, refused[i]))
			req_refuse(r,
				req_fail(r, RC_INVALID_PARAMETER,
					"this endpoint cannot accept the parameter: %s",
					refused[i]));
	list_check(r);
	r->envelope = true;
	r->millis = true;
	r->page.on = false;
}

/* The path's time in microseconds; one beyond the year 9999 becomes a time without
   notifications. */
static int64_t since_us(const struct req *r)
{
	static const int64_t past_ms = INT64_C(253402300799999);
	return (r->ids[1] < past_ms ? r->ids[1] : past_ms) * 1000;
}

static enum rc take_since(struct req *r)
{
	struct rows *rows;
	enum rc rc = req_next(r, &rows);
	if (rc)
		return rc;
	if (db_count(rows) > 0)
		return RC_OK;
	return req_fail(r, RC_INVALID_PARAMETER,
		"timestamp must be the time of one of your notifications, in milliseconds since the "
		"epoch.");
}

static enum rc list_since(struct req *r)
{
	struct rows *rows;
	check_since(r);
	enum rc rc = gate_ask(r);
	if (rc)
		return rc;
	const struct body *types = list_value(r, "notification_types");
	const struct db_param params[] = { db_time(r->arena, since_us(r)),
		db_bool(r->arena, types && str_equal_z(types->text, ":all")),
		db_int(r->arena, r->page.limit) };
	existence_send(r);
	db_send(r->db, STMT_NOTIFICATION_EXISTS_AT, 1, params);
	db_send(r->db, STMT_NOTIFICATION_NEWEST, 0, NULL);
	db_send(r->db, r->route->read, 3, params);
	db_commit(r->db);
	if ((rc = gate_allows(r)) || (rc = existence_take(r)) || (rc = take_since(r)) ||
		(rc = take_newest(r)))
		return rc;
	if ((rc = req_next(r, &rows)))
		return rc;
	if (db_count(rows) > 0) /* the list may end before the newest */
		r->newest_notification = when_millis(
			db_get_time(rows, db_count(rows) - 1, db_column(rows, "created_at")));
	if ((rc = db_finish(r->db)))
		return req_fail_db(r, rc);
	crud_render_list(r, fetch_wrap(r->arena, r->db, r->selection, r->route->read, rows));
	return RC_OK;
}

/* Marking some as read lowers the number of unread ones on all open pages of the person. */
static void tell_reader(struct command *c)
{
	db_hint(c->r->db, HINT_PERSON, c->scene.me->id, 0);
}

/* Endpoints ----------------------------------------------------------------- */

static const char *const notification_types[] = { ":all", ":default", NULL };
static const struct param notification_params[] = {
	{ "created_after", FT_TIME, .where = "n.created_at > %s::timestamptz",
		.doc = "Only what was created after this time; the last ten days by default." },
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

const struct route notification_routes[] = {
	{ "GET", "/my/notifications", NEED_PERSON, list_notifications, &res_notification,
		.read = STMT_NOTIFICATION_LIST, .params = notification_params,
		.flags = R_PAGED | R_NO_OFFSET | R_NO_PAGE_HEADERS | R_QUIET, .limit = 1000,
		.limit_max = 1000, .doc = "The caller's notifications, newest first." },
	{ "GET", "/people/:person/notifications/since/:timestamp", NEED_PERSON, list_since,
		&res_notification, .read = STMT_NOTIFICATION_SINCE,
		.exists = STMT_NOTIFICATION_ALLOWED, .params = since_params,
		.flags = R_PAGED | R_NO_OFFSET | R_NO_PAGE_HEADERS | R_QUIET, .limit = 500,
		.limit_max = 1000,
		.doc = "Notifications after the one of this time, oldest first." },
	{ "PUT", "/my/notifications/mark_read", NEED_PERSON, command_run, NULL,
		.body = &res_mark_read_body, .look_on = tell_reader,
		.decide = notification_mark_read, .flags = R_QUIET | R_UNTOLD,
		.example = "{\"before\":5}", .audit = AUDIT_UNTOLD,
		.doc = "Mark all up to a notification as read." },
	{ "PUT", "/my/notifications/read_list", NEED_PERSON, command_run, NULL,
		.body = &res_read_list_body, .look_on = tell_reader,
		.decide = notification_mark_read, .flags = R_QUIET | R_UNTOLD,
		.example = "{\"ids\":[5]}", .audit = AUDIT_UNTOLD,
		.doc = "Mark notifications as read." },
	{ "PUT", "/my/notifications/:id", NEED_PERSON, command_run, &res_notification,
		.read = STMT_NOTIFICATION_GET, .target = &res_notification,
		.find = STMT_NOTIFICATION_LOAD, .look_on = tell_reader,
		.decide = notification_update, .flags = R_QUIET | R_UNTOLD,
		.example = "{\"read_at\":\"2026-11-22T08:00:00Z\"}", .audit = AUDIT_UNTOLD,
		.doc = "Mark a notification as read." },
	{ 0 },
};
