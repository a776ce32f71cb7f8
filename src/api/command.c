#include "api/command.h"

#include <string.h>

#include "api/crud.h"
#include "api/gate.h"
#include "api/invite.h"
#include "api/idempotency_key.h"
#include "domain/activity.h"
#include "domain/story.h"
#include "http/bind.h"
#include "http/audit_log.h"
#include "model/model.h"
#include "store/save.h"

/* How often a command starts over because its story moved away or room had to be made. */
enum { TRIES = 30 };

const void *command_wish(const struct command *c)
{
	return c->wish->object;
}

static unsigned flag_of(const struct req *r)
{
	return str_equal_z(r->method, "POST")   ? F_CREATE
		: str_equal_z(r->method, "PUT") ? F_UPDATE
						: 0;
}

static const struct resource *body_of(const struct req *r)
{
	return r->route->body ? r->route->body : r->route->target;
}

/* The project to move a story to; NIL: it stays. */
static int64_t destination(const struct command *c)
{
	const struct story *w = c->wish && c->wish->of == &res_story ? c->wish->object : NULL;
	return w ? w->project_id : NIL;
}

/* First wave ------------------------------------------------------------------------ */

static void prepare(struct command *c)
{
	struct req *r = c->r;
	c->scene = (struct scene){ .arena = r->arena, .agent_token = r->agent_token };
	c->target = (struct objects){ 0 };
	c->into = destination(c);
	c->load = (struct load){
		.arena = r->arena,
		.db = r->db,
		.scene = &c->scene,
		.at = r->at,
		.project = db_int_or_null(r->arena, route_id(r, ":project"), 0),
		.story = db_int_or_null(r->arena, route_id(r, ":story"), 0),
		.epic = db_int_or_null(r->arena, route_id(r, ":epic"), 0),
	};
	gate_tell_caller(r);
}

/* The roles for which the gate's statement also locks; none if there is nothing to lock. */
static struct db_param send_roles(struct req *r, bool locks)
{
	struct str roles[3];
	size_t n = locks ? gate_roles(r->route->need, roles) : 0;
	return db_texts(r->arena, roles, n);
}

static void send_gate(struct command *c)
{
	struct req *r = c->r;
	struct db_param token = req_token_param(r),
			login = db_int_or_null(r->arena, r->login_id, 0);
	if (route_id(r, ":account")) {
		const struct db_param params[] = { token, login,
			db_int_or_null(r->arena, route_id(r, ":account"), 0),
			db_bool(r->arena, !r->refused),
			db_bool(r->arena, gate_admits_admins(r->route->need)) };
		db_send(r->db, STMT_GATE_ACCOUNT, 5, params);
		return;
	}
	if (c->into != NIL) {
		const struct db_param params[] = { token, login, c->load.project, c->load.story,
			db_int(r->arena, c->into), send_roles(r, true) };
		db_send(r->db, STMT_GATE_MOVE, 6, params);
		return;
	}
	/* Changes to a person's own settings create no version and need no lock. */
	bool locks = !r->refused && (r->route->activity || r->route->need == NEED_OWNER);
	if (r->route->need == NEED_MEMBER && route_id(r, ":project") && !r->login_id &&
		!crypt_may_be_named(r->token)) {
		const struct db_param params[] = { token, c->load.project, send_roles(r, locks) };
		db_send(r->db, STMT_GATE_MEMBER, 3, params);
		return;
	}
	const struct db_param params[] = { token, login, c->load.project, c->load.story,
		c->load.epic, send_roles(r, locks),
		db_bool(r->arena, locks && gate_admits_admins(r->route->need)) };
	db_send(r->db, STMT_GATE_WRITE, 7, params);
}

static enum rc take_account_gate(struct command *c, const struct rows *rows)
{
	struct req *r = c->r;
	struct caller caller = gate_take_caller(r, rows);
	caller.is_self = caller.person_id && crud_id(r) == caller.person_id;
	c->scene.me = load_me(r->arena, rows, (struct str){ 0 });
	c->scene.administers = caller.administers;
	gate_tell_caller(r);
	return gate_may(r, r->route->need, &caller);
}

static enum rc take_gate(struct command *c)
{
	struct req *r = c->r;
	struct rows *rows;
	enum rc rc = req_next(r, &rows);
	if (rc)
		return rc;
	if (route_id(r, ":account"))
		return take_account_gate(c, rows);
	c->barred = c->into != NIL && !db_get_bool(rows, 0, db_column(rows, "enters"));
	struct caller caller = gate_take_caller(r, rows);
	int there = db_column(rows, c->into != NIL ? "role_there" : "role");
	c->scene.me = load_me(r->arena, rows,
		db_is_null(rows, 0, there) ? (struct str){ 0 } : db_get_text(rows, 0, there));
	c->scene.administers = caller.administers;
	r->project_id = caller.place_id;
	gate_tell_caller(r);
	rc = gate_may(r, r->route->need, &caller);
	int is_public = db_column(rows, "public");
	r->version = gate_version(rows, caller.role,
		!db_is_null(rows, 0, is_public) && db_get_bool(rows, 0, is_public), rc);
	return rc;
}

/* Neighbours matter for stories that will move or be deleted. */
static bool is_placed(const struct command *c)
{
	return c->wish && c->wish->of == &res_story ? story_moves(c->wish)
						    : !c->r->route->target && !c->r->route->find;
}

static void send_loads(struct command *c)
{
	struct req *r = c->r;
	if (c->into != NIL) { /* the rest is looked up in the project that the story moves to */
		load_source(&c->load);
		c->load.project = db_int(r->arena, c->into);
	}
	load_project(&c->load);
	if (route_id(r, ":story"))
		load_story(&c->load, route_id(r, ":story"), is_placed(c));
	if (route_id(r, ":epic"))
		load_ask(&c->load, STMT_LOAD_EPIC, 1, &c->load.epic, &res_epic, &c->scene.epics);
	if (r->route->find) {
		const struct db_param params[] = { db_int_or_null(r->arena, crud_id(r), 0),
			db_int_or_null(r->arena, crud_parent(r), 0) };
		load_ask(&c->load, r->route->find, 2, params, r->route->target, &c->target);
	}
	if (r->route->load)
		r->route->load(c);
	db_flush(r->db);
}

/* A story that is asked to move to the project it is already in stays there. */
static enum rc enter_destination(struct command *c, const struct project *home)
{
	struct req *r = c->r;
	if (c->barred || !c->scene.project) {
		req_fail(r, RC_UNAUTHORIZED_OPERATION,
			"You do not have access to the destination project.");
		r->error.possible_fix =
			STR("Ask an owner of that project to make you a member of it.");
		return RC_UNAUTHORIZED_OPERATION;
	}
	if (c->scene.project->id == home->id)
		c->scene.source = NULL;
	return RC_OK;
}

/* Checks that the path's object exists in the locked project. *moved: the story is in another
   project by now, or there is a new project that is not locked. */
static enum rc find_things(struct command *c, bool *moved)
{
	struct req *r = c->r;
	struct scene *s = &c->scene;
	int64_t story = route_id(r, ":story"), epic = route_id(r, ":epic");
	const struct project *home = c->into == NIL ? s->project : s->source;
	*moved = c->load.stale;
	if (r->project_id) {
		if (!home)
			return RC_UNFOUND_RESOURCE;
		*moved = *moved || home->id != r->project_id;
		r->version = home->version;
	}
	if (story) {
		s->story = objects_find(&s->stories, story);
		if (!s->story || s->story->project_id != home->id)
			return RC_UNFOUND_RESOURCE;
	}
	if (r->route->find && c->target.n == 0)
		return RC_UNFOUND_RESOURCE;
	s->object = c->target.n ? c->target.v[0] : s->story;
	if (epic) {
		s->epic = objects_find(&s->epics, epic);
		if (!s->epic || s->epic->project_id != s->project->id)
			return RC_UNFOUND_RESOURCE;
		if (!c->target.n)
			s->object = s->epic;
	}
	return c->into == NIL ? RC_OK : enter_destination(c, home);
}

static enum rc look(struct command *c, bool *moved)
{
	struct req *r = c->r;
	*moved = false;
	prepare(c);
	send_gate(c);
	if (r->refused) {
		db_flush(r->db);
		enum rc rc = take_gate(c);
		return rc ? rc : r->refused;
	}
	send_loads(c);
	enum rc rc = take_gate(c);
	if (rc)
		return rc;
	if ((rc = load_take(&c->load)))
		return req_fail_db(r, rc);
	if ((rc = find_things(c, moved)) || *moved || !r->route->look_on)
		return rc;
	r->route->look_on(c);
	if (c->load.n == 0)
		return RC_OK;
	db_flush(r->db);
	rc = load_take(&c->load);
	return rc ? req_fail_db(r, rc) : RC_OK;
}

/* Deciding ----------------------------------------------------------------------------- */

enum rc command_refuse(struct req *r, const struct outcome *out, enum rc rc)
{
	r->error = (struct req_error){ .general_problem = out->general_problem,
		.requirement = out->requirement,
		.possible_fix = out->possible_fix,
		.error = out->error,
		.problems = out->problems };
	return rc;
}

static enum rc make_room(struct command *c)
{
	struct req *r = c->r;
	struct save save = { .arena = r->arena, .db = r->db };
	int64_t story = c->scene.story ? c->scene.story->id : NIL;
	save_spread_ranks(&save, c->scene.project, &c->out.spread, story);
	db_flush(r->db);
	enum rc rc = save_take(&save);
	return rc ? req_fail_db(r, rc) : RC_OK;
}

/* After room was made, the story may already be in its new place: the activity reports its old
   neighbours. */
static void keep_neighbours(struct command *c, const struct story *before)
{
	if (!before || !c->scene.story)
		return;
	struct story *now = objects_find(&c->scene.stories, c->scene.story->id);
	now->before_id = before->before_id;
	now->after_id = before->after_id;
}

static enum rc decide(struct command *c)
{
	const struct story *first = NULL;
	bool moved;
	for (int i = 0; i < TRIES; i++) {
		enum rc rc = look(c, &moved);
		if (rc)
			return rc;
		keep_neighbours(c, first);
		if (moved) {
			db_end(c->r->db); /* releases the lock, too */
			continue;
		}
		outcome_init(&c->out, &c->scene, c->r->route->activity);
		if ((rc = c->r->route->decide(&c->out, c->wish)))
			return command_refuse(c->r, &c->out, rc);
		if (!c->out.spread.wanted)
			return RC_OK;
		first = c->scene.story;
		if ((rc = make_room(c)))
			return rc;
	}
	return RC_UNAVAILABLE;
}

/* Second wave ---------------------------------------------------------------------------- */

/* Labels that were loaded also serve the answer if the story keeps them. */
static bool has_labels(const struct command *c)
{
	const struct story *n = c->out.subject;
	return c->r->selection->resource == &res_story && c->load.labels_of_story &&
		c->scene.story && ids_same(n->label_ids, c->scene.story->label_ids);
}

/* Objects nested in the answer that are found by the answer's own id are requested with it. */
static void send_attached(struct command *c, struct fieldset *attached)
{
	struct req *r = c->r;
	const struct selection *s = r->selection;
	struct db_param id = db_int(r->arena, object_id(c->out.subject));
	for (int i = 0; i < s->resource->n_fields; i++) {
		enum stmt stmt = s->resource->fields[i].fetch_root;
		if (!stmt || !select_has(s, i))
			continue;
		fieldset_add(attached, i);
		if (stmt != STMT_LABELS_OF_STORY || !has_labels(c))
			db_send(r->db, stmt, 1, &id);
	}
}

static enum rc take_attached(struct command *c, struct fetched *f, const struct fieldset *attached)
{
	struct req *r = c->r;
	for (int i = -1; (i = fieldset_next(attached, i)) >= 0;) {
		enum stmt stmt = r->selection->resource->fields[i].fetch_root;
		struct rows *rows = c->load.labels_of_story;
		if (stmt != STMT_LABELS_OF_STORY || !has_labels(c)) {
			enum rc rc = db_next(r->db, &rows);
			if (rc)
				return rc;
		}
		fetch_attach(r->arena, r->db, f, i, STMT_NONE, rows);
	}
	return RC_OK;
}

/* `again`: somebody else has created the unique object meanwhile, which the second attempt will
   see. */
static enum rc take_saved(struct command *c, struct save *save)
{
	enum rc rc = save_take(save);
	c->again = rc && !strcmp(db_error(c->r->db)->sqlstate, "23505");
	return rc ? req_fail_db(c->r, rc) : RC_OK;
}

/* Answers with the object as it was saved. */
static enum rc answer_saved(struct command *c, struct save *save)
{
	struct req *r = c->r;
	struct fieldset attached = { 0 };
	send_attached(c, &attached);
	int waves = fetch_waves(r->selection, &attached);
	if (waves)
		db_flush(r->db);
	else
		db_commit(r->db);
	enum rc rc = take_saved(c, save);
	if (rc)
		return rc;
	void *saved = object_copy(r->arena, r->route->resource, c->out.subject);
	struct fetched *f =
		fetch_wrap_objects(r->arena, r->selection, (struct objects){ &saved, 1 });
	rc = take_attached(c, f, &attached);
	if (!rc)
		rc = waves ? fetch_nested(r->arena, r->db, f) : db_finish(r->db);
	if (rc)
		return req_fail_db(r, rc);
	crud_render_one(r, f);
	return RC_OK;
}

static enum rc answer_read(struct command *c, struct save *save)
{
	struct req *r = c->r;
	struct crud_read read;
	int64_t story = route_id(r, ":story");
	if (r->route->flags & R_LIST) {
		db_send(r->db, r->route->read, 1, &c->listed);
		crud_flush(r);
		enum rc rc = take_saved(c, save);
		return rc ? rc : crud_answer_list(r);
	}
	crud_send_read(r, &read, c->out.subject ? object_id(c->out.subject) : 0,
		story ? story : route_id(r, ":epic"));
	enum rc rc = take_saved(c, save);
	return rc ? rc : crud_take_read(r, &read);
}

static enum rc finish(struct command *c, struct save *save)
{
	struct req *r = c->r;
	if (r->route->resource)
		return save->has_subject && r->route->resource->is_answered_as_saved
			? answer_saved(c, save)
			: answer_read(c, save);
	db_commit(r->db);
	r->status = 204;
	enum rc rc = take_saved(c, save);
	if (rc)
		return rc;
	rc = db_finish(r->db);
	return rc ? req_fail_db(r, rc) : RC_OK;
}

/* The project whose version the answer carries: the one in the path, otherwise the story's. */
static const struct project *own_project(const struct command *c)
{
	bool left = c->scene.source && route_id(c->r, ":project");
	return left ? c->scene.source : c->scene.project;
}

static enum rc save_all(struct command *c)
{
	struct req *r = c->r;
	struct outcome *out = &c->out;
	struct save save = { .arena = r->arena,
		.db = r->db,
		.mail = conf_has_mail(r->conf),
		.who = audit_log_who(r),
		.subject = r->route->resource == body_of(r) ? out->subject : NULL };
	for (struct batch *b = out->batches; b; b = b->next) {
		out->batch = b;
		if (b->activity)
			news_gather(out);
	}
	if (outcome_settle(out)) {
		save_outcome(&save, out);
		invite_newcomers(r, out, &save);
		r->made_version = out->batches->n && out->batches->activity;
		if (r->made_version)
			r->version = own_project(c)->version + 1;
	}
	if (r->route->flags & R_NEW_PROJECT)
		r->version = 1;
	return finish(c, &save);
}

static enum rc run(struct req *r)
{
	enum { RACES = 8 };
	struct command c = { .r = r };
	unsigned flag = flag_of(r);
	if (flag)
		bind_check(r, body_of(r), flag, r->route->one_of);
	if (flag && !r->refused)
		c.wish = wish_read(r->arena, body_of(r), r->body, flag);
	if (!flag)
		c.wish = wish_none(r->arena, r->route->target);
	enum rc rc = RC_UNAVAILABLE;
	for (int i = 0; i < RACES; i++) {
		if ((rc = decide(&c)) || !(rc = save_all(&c)) || !c.again)
			return rc;
		if (i < RACES - 1)
			db_end(r->db); /* releases the locks, too */
	}
	return rc;
}

enum rc command_run(struct req *r)
{
	return idempotency_key_is_sent(r) ? idempotency_key_run(r, run) : run(r);
}
