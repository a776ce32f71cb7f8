/*
 * PUT on a story: a change, a move in the order, or a move to another project
 * (service-api.md, Story current_state: "PUT story with project_id, group,
 * before_id/after_id"; CONTRACT 5.5).
 */
#include "api/act.h"
#include "http/bind.h"
#include "api/crud.h"
#include "model/model.h"

static bool names(const struct req *r, const char *field)
{
	const struct body *v = body_get(r->body, field);
	return v && v->type != BODY_NULL;
}

/* Nothing but a place: the activity is a move, also when it brings another state. */
static bool is_move(const struct req *r)
{
	static const char *const places[] = { "before_id", "after_id", "group" };
	size_t named = 0;
	for (int i = 0; i < 3; i++)
		named += names(r, places[i]);
	return named && named + names(r, "project_id") == r->body->count;
}

/* Who is it, and may they write in both projects? */
static void send_enter_move(struct req *r)
{
	int64_t project = route_id(r, ":project");
	const struct db_param params[] = {
		r->token.p ? db_bytes(crypt_mac(r->crypt, r->arena, r->token)) : db_null(),
		r->login_id ? db_int(r->arena, r->login_id) : db_null(),
		project ? db_int(r->arena, project) : db_null(),
		db_int(r->arena, route_id(r, ":story")),
		db_int(r->arena, body_get(r->body, "project_id")->integer),
	};
	db_send(r->db, STMT_ENTER_MOVE, 5, params);
}

static void send_leave(struct req *r)
{
	const struct db_param params[] = {
		db_text(r->arena, is_move(r) ? STR("story_move") : str_of(r->route->activity)),
		db_bool(r->arena, route_id(r, ":project") != 0),
	};
	db_send(r->db, names(r, "project_id") ? STMT_LEAVE_STORY : STMT_LEAVE, 2, params);
}

/* A story is moved by itself. */
static void refuse_lists(struct req *r)
{
	for (int i = 0; i < res_story.n_fields; i++) {
		const struct field *f = &res_story.fields[i];
		if (f->flags & F_PARTS && body_get(r->body, f->name) && !r->refused)
			req_refuse(r,
				req_fail(r, RC_INVALID_PARAMETER,
					"Do not send %s with project_id in the same request.",
					f->name));
	}
}

enum rc act_story_update(struct req *r)
{
	struct crud_read read;
	int statements = 1;
	enum rc rc = RC_OK;
	bind_check(r, &res_story, F_UPDATE, NULL);
	refuse_lists(r);
	if (!r->refused && names(r, "project_id"))
		send_enter_move(r);
	else
		rc = crud_enter(r, true);
	if (rc)
		return rc;
	statements += bind_before(r, &res_story, F_UPDATE);
	bind_update(r, &res_story, crud_id(r), 0);
	statements += bind_after(r, &res_story, F_UPDATE, crud_id(r));
	send_leave(r);
	crud_send_read(r, &read, crud_id(r), 0);
	if ((rc = crud_entered(r)) || (rc = crud_skip(r, statements)) || (rc = crud_left(r)))
		return rc;
	return crud_take_read(r, &read);
}
