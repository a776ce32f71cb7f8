#include "api/act.h"
#include "http/bind.h"
#include "api/crud.h"
#include "api/gate.h"
#include "http/known.h"
#include "http/list.h"
#include "lib/when.h"

/* Without either date the last ten days are meant (contract 2.2). */
static void put_window(struct req *r, struct sql *q)
{
	if (!list_value(r, "created_after") && !list_value(r, "updated_after"))
		sql_put(q, " and n.created_at > clock() - interval '10 days'");
	if (!list_value(r, "notification_types") ||
		str_equal_z(list_value(r, "notification_types")->text, ":default"))
		sql_put(q,
			" and n.notification_type = any(array['story', 'epic', 'comment',"
			" 'comment_with_mention'])");
}

/* The newest is asked for before the list: who goes on from it misses none that came between. */
static enum rc take_newest(struct req *r)
{
	struct rows *newest;
	enum rc rc = db_next(r->db, &newest);
	if (rc)
		return req_fail_db(r, rc);
	r->tells_newest = true;
	r->newest_notification = db_is_null(newest, 0, 0) ? 0 : db_get_int(newest, 0, 0);
	return RC_OK;
}

enum rc act_notification_list(struct req *r)
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

/* Always enveloped, always in milliseconds; parameters that format are refused. */
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

/* The path's time in microseconds; what is no time at all becomes one at which nothing was. */
static int64_t since_us(const struct req *r)
{
	static const int64_t past_ms = INT64_C(253402300799999);
	return (r->ids[1] < past_ms ? r->ids[1] : past_ms) * 1000;
}

static enum rc take_since(struct req *r)
{
	struct rows *rows;
	enum rc rc = db_next(r->db, &rows);
	if (rc)
		return req_fail_db(r, rc);
	if (db_count(rows) > 0)
		return RC_OK;
	return req_fail(r, RC_INVALID_PARAMETER,
		"timestamp must be the time of one of your notifications, in milliseconds since the "
		"epoch.");
}

enum rc act_notification_since(struct req *r)
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
	known_send(r);
	db_send(r->db, STMT_NOTIFICATION_KNOWN, 1, params);
	db_send(r->db, STMT_NOTIFICATION_NEWEST, 0, NULL);
	db_send(r->db, r->route->read, 3, params);
	db_commit(r->db);
	if ((rc = gate_allows(r)) || (rc = known_take(r)) || (rc = take_since(r)) ||
		(rc = take_newest(r)))
		return rc;
	if ((rc = db_next(r->db, &rows)))
		return req_fail_db(r, rc);
	if (db_count(rows) > 0) /* the list may end before the newest */
		r->newest_notification = when_millis(
			db_get_time(rows, db_count(rows) - 1, db_column(rows, "created_at")));
	if ((rc = db_finish(r->db)))
		return req_fail_db(r, rc);
	crud_render_list(r, fetch_wrap(r->arena, r->db, r->selection, r->route->read, rows));
	return RC_OK;
}
