#include "api/gate.h"

#include "http/guard.h"
#include "http/scope.h"
#include "http/standby.h"
#include "search/search_tree.h"

enum { OWNER = 1 << ROLE_OWNER, MEMBER = 1 << ROLE_MEMBER, VIEWER = 1 << ROLE_VIEWER };

struct right {
	unsigned roles;
	bool admins;   /* of the account */
	bool visitors; /* everybody, of a public project */
	bool belongs;  /* anybody in the account */
	bool owners;   /* of the account */
	bool self;     /* the person in the path */
};

static const struct right rights[] = {
	[NEED_VIEWER] = { OWNER | MEMBER | VIEWER, .visitors = true },
	[NEED_PARTICIPANT] = { OWNER | MEMBER | VIEWER },
	[NEED_PARTNER] = { OWNER | MEMBER | VIEWER, .admins = true },
	[NEED_MEMBER] = { OWNER | MEMBER },
	[NEED_OWNER] = { OWNER },
	[NEED_STEWARD] = { OWNER, .admins = true },
	[NEED_ACCOUNT_MEMBER] = { 0, .belongs = true },
	[NEED_ACCOUNT_ADMIN] = { 0, .admins = true },
	[NEED_ACCOUNT_OWNER] = { 0, .owners = true },
	[NEED_ACCOUNT_SELF] = { 0, .admins = true, .self = true },
};

static enum rc may(enum need need, const struct caller *c)
{
	const struct right *x = &rights[need];
	if (need == NEED_PERSON)
		return c->person_id ? RC_OK : RC_UNAUTHORIZED_OPERATION;
	if (!c->place_id)
		return RC_UNFOUND_RESOURCE;
	if ((c->role != WORD_NONE && x->roles & 1u << c->role) || (x->admins && c->administers) ||
		(x->owners && c->owns) || (x->belongs && c->belongs) ||
		(x->self && c->belongs && c->is_self) || (x->visitors && c->is_public))
		return c->lacks_thing ? RC_UNFOUND_RESOURCE : RC_OK;
	return RC_UNAUTHORIZED_OPERATION;
}

static enum rc judge(struct req *r, enum need need, const struct caller *c)
{
	if (c->has_token && !c->person_id)
		return RC_INVALID_AUTHENTICATION;
	enum rc rc = scope_check(r);
	if (rc || (rc = may(need, c)) != RC_UNAUTHORIZED_OPERATION)
		return rc;
	int64_t place = route_id(r, ":account") ? -c->place_id : c->place_id;
	return scope_withholds(r, place) ? RC_ENROLMENT_REQUIRED : rc;
}

/* What is wrong with a request is told only to those who may send it. */
enum rc gate_may(struct req *r, enum need need, const struct caller *c)
{
	struct req_error of_input = r->error;
	if (need == NEED_NOTHING)
		return RC_OK;
	r->error = (struct req_error){ 0 };
	enum rc rc = judge(r, need, c);
	if (!rc)
		r->error = of_input;
	return rc;
}

size_t gate_roles(enum need need, struct str roles[3])
{
	size_t n = 0;
	for (int i = 0; words_roles[i]; i++)
		if (rights[need].roles & 1u << i)
			roles[n++] = str_of(words_roles[i]);
	return n;
}

bool gate_admits_admins(enum need need)
{
	return rights[need].admins;
}

/* Reads ------------------------------------------------------------------------- */

/* The project of the path or of the query; 0: none is named by its id. */
static int64_t named_project(const struct req *r)
{
	int64_t project = route_id(r, ":project");
	return project || route_id(r, ":account") ? project : r->project_id;
}

static bool names_place(const struct req *r)
{
	return named_project(r) || route_id(r, ":account") || route_id(r, ":story") ||
		route_id(r, ":epic") || route_id(r, ":file");
}

void gate_tell_caller(struct req *r)
{
	const struct db_caller caller = {
		.token = req_token_param(r),
		.person = db_int_or_null(r->arena, r->person_id ? r->person_id : r->login_id, 0),
		.reach = scope_reach(r),
		.project = db_int_or_null(r->arena, named_project(r), 0),
	};
	db_set_caller(r->db, &caller);
}

/* Most reads are below a project, need no rights in its account, and come with no named token. A
   story is looked for only on behalf of what belongs to it: if it is asked for itself, the statement
   that reads it shows whether it is there. */
static bool send_short_question(struct req *r, struct db *db)
{
	if (!route_id(r, ":project") || route_id(r, ":epic") || r->login_id ||
		rights[r->route->need].admins || crypt_may_be_named(r->token))
		return false;
	const struct db_caller *caller = db_caller(r->db);
	bool of_story = route_id(r, ":story") && r->route->read != STMT_STORY_GET;
	const struct db_param params[] = { caller->token, caller->project,
		db_int_or_null(r->arena, route_id(r, ":story"), 0) };
	db_send(db, of_story ? STMT_GATE_STORY : STMT_GATE_PROJECT, of_story ? 3 : 2, params);
	return true;
}

static void send_question(struct req *r, struct db *db)
{
	if (send_short_question(r, db))
		return;
	const struct db_caller *caller = db_caller(r->db);
	const struct db_param params[] = { caller->token, caller->person, caller->project,
		db_int_or_null(r->arena, route_id(r, ":story"), 0),
		db_int_or_null(r->arena, route_id(r, ":epic"), 0),
		db_int_or_null(r->arena, route_id(r, ":file"), 0),
		db_int_or_null(r->arena, route_id(r, ":account"), 0) };
	db_send(db, names_place(r) ? STMT_GATE_READ : STMT_GATE_PERSON, 7, params);
}

enum rc gate_ask(struct req *r)
{
	r->person_id = 0;
	gate_tell_caller(r);
	if (r->leader) {
		send_question(r, r->leader);
		db_commit(r->leader);
	}
	send_question(r, r->db);
	if (!r->refused)
		return RC_OK;
	db_commit(r->db);
	enum rc rc = gate_allows(r);
	return rc ? rc : r->refused;
}

static struct str text_of(const struct rows *rows, const char *column)
{
	return db_text_or_empty(rows, 0, db_column(rows, column));
}

static void note_place(struct req *r, const struct rows *rows)
{
	int counts = db_column(rows, "story_counts");
	struct str zone = text_of(rows, "person_zone");
	r->project_id = db_int_or_0(rows, 0, db_column(rows, "project_id"));
	r->story_total = 0;
	if (!db_is_null(rows, 0, counts)) {
		struct db_array array = db_array(rows, 0, counts);
		for (int64_t n; db_array_next_int(&array, &n);)
			r->story_total += n;
	}
	const struct db_caller caller = {
		.person = db_int_or_null(r->arena, r->person_id, 0),
		.reach = scope_reach(r),
		.project = db_int_or_null(r->arena, r->project_id, 0),
		.zone = db_text(r->arena, zone.n ? zone : text_of(rows, "project_zone")),
	};
	db_set_caller(r->db, &caller);
}

static int64_t id_of(const struct rows *rows, const char *name)
{
	int column = db_column(rows, name);
	return column < 0 ? 0 : db_int_or_0(rows, 0, column);
}

static bool has(const struct rows *rows, const char *name)
{
	int column = db_column(rows, name);
	return column >= 0 && db_get_bool(rows, 0, column);
}

struct caller gate_take_caller(struct req *r, const struct rows *rows)
{
	int64_t project = id_of(rows, "project_id");
	struct str role = db_column(rows, "role") < 0 ? STR("") : text_of(rows, "role");
	struct caller caller = {
		.has_token = r->token.p,
		.person_id = id_of(rows, "person_id"),
		.place_id = project ? project : id_of(rows, "account_id"),
		.role = words_find(words_roles, role.p, role.n),
		.belongs = has(rows, "belongs"),
		.administers = has(rows, "administers"),
		.owns = has(rows, "owns"),
		.is_public = has(rows, "is_public"),
		.lacks_thing = has(rows, "lacks_thing"),
	};
	r->person_id = caller.person_id;
	r->is_new = r->person_id && has(rows, "is_new");
	scope_take_token(r, rows);
	guard_know(r);
	return caller;
}

int64_t gate_version(const struct rows *rows, int role, bool is_public, enum rc rc)
{
	bool sees = !rc || role != WORD_NONE || is_public;
	return sees ? db_int_or_0(rows, 0, db_column(rows, "version")) : 0;
}

/* A failure of the leader is not reported here: the read is repeated there. */
static enum rc ask_leader(struct req *r, struct rows **rows)
{
	enum rc rc = db_next(r->leader, rows);
	if (!rc)
		rc = db_finish(r->leader);
	r->is_behind = rc != RC_OK;
	return rc;
}

/* A standby that may answer has half of the time to do so; the rest is for the leader. */
static enum rc ask_standby(struct req *r, const struct rows *leader)
{
	struct rows *rows;
	if (!db_answers(r->db, STANDBY_PATIENCE_MS))
		db_limit(r->db, 0);
	else if (!r->search || !r->search->n_regexes)
		db_limit(r->db, r->conf->request_timeout_ms / 2);
	enum rc rc = db_next(r->db, &rows);
	if (rc)
		return rc;
	return standby_fits(r, leader, rows) ? RC_OK : RC_UNAVAILABLE;
}

enum rc gate_allows(struct req *r)
{
	struct rows *rows;
	bool has_place = names_place(r);
	enum rc rc = r->leader ? ask_leader(r, &rows) : req_next(r, &rows);
	if (rc)
		return rc;
	struct caller caller = gate_take_caller(r, rows);
	note_place(r, rows);
	rc = gate_may(r, has_place ? r->route->need : NEED_PERSON, &caller);
	r->version = gate_version(rows, caller.role, caller.is_public, rc);
	r->is_view =
		r->route->flags & R_VIEWS && db_get_bool(rows, 0, db_column(rows, "is_unseen"));
	return rc || !r->leader ? rc : ask_standby(r, rows);
}

enum rc gate_pass(struct req *r)
{
	enum rc rc = gate_ask(r);
	if (rc)
		return rc;
	db_flush(r->db);
	return gate_allows(r);
}

enum rc gate_pass_alone(struct req *r)
{
	enum rc rc = gate_ask(r);
	if (rc)
		return rc;
	db_commit(r->db);
	if ((rc = gate_allows(r)))
		return rc;
	if ((rc = db_finish(r->db)))
		return req_fail_db(r, rc);
	db_end(r->db);
	return RC_OK;
}
