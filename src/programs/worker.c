#include "programs/worker.h"

#include <fcgiapp.h>
#include <malloc.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "api/old.h"
#include "api/upload_permission.h"
#include "http/accept.h"
#include "http/auth.h"
#include "http/check.h"
#include "http/guard.h"
#include "http/health.h"
#include "http/http.h"
#include "http/list.h"
#include "http/old.h"
#include "http/route.h"
#include "http/scope.h"
#include "http/session.h"
#include "http/sign_in.h"
#include "http/standby.h"
#include "http/stream.h"
#include "http/audit_log.h"
#include "http/tool.h"
#include "http/viewed.h"
#include "lib/form.h"
#include "lib/log.h"
#include "lib/when.h"
#include "programs/parent.h"
#include "service/files.h"
#include "service/metrics.h"
#include "store/secret.h"

struct worker {
	struct accept accept;
	struct conf conf;
	struct crypt crypt;
	struct db *db;
	struct standby standby;
	struct ledger ledger;
	struct metrics metrics;
	struct arena arena;
	struct buf out;
};

/* Many clients declare JSON as a form, because that is their default. */
static bool is_form(const struct req *r)
{
	struct str rest = r->content_type, text = str_trim(r->body_text);
	return !strchr("{[\"", *text.p) && memchr(text.p, '=', text.n) &&
		str_equal_nocase(
			str_trim(str_cut(&rest, ';')), STR("application/x-www-form-urlencoded"));
}

/* The body of a write as an object; an error is reported only once the caller is known. */
static void parse_body(struct req *r)
{
	const char *problem;
	r->body = body_new_object(r->arena);
	if (r->refused || str_trim(r->body_text).n == 0)
		return;
	r->is_form = is_form(r);
	struct body *body = r->is_form ? form_parse(r->arena, r->body_text, &problem)
				       : body_parse(r->arena, r->body_text, &problem);
	/* One of the clients encodes its form as a JSON text, and declares it as JSON. */
	if (body && body->type == BODY_TEXT && r->route->flags & R_FORM) {
		r->is_form = true;
		body = form_parse(r->arena, body->text, &problem);
	}
	if (!body)
		req_refuse(r, req_fail(r, RC_COULD_NOT_PARSE_BODY, "%s", problem));
	else if (body->type != BODY_OBJECT && !(r->route->flags & R_ARRAY_BODY))
		req_refuse(
			r, req_fail(r, RC_COULD_NOT_PARSE_BODY, "the body must be a JSON object"));
	else
		r->body = body;
}

static enum rc follow_secret(struct worker *w, bool *right)
{
	struct str before = secret_value(&w->crypt, &w->arena);
	if (secret_follow(w->db, &w->crypt, &w->arena, right)) {
		log_error("%s", db_problem(w->db));
		return RC_UNAVAILABLE;
	}
	if (*right && !str_equal(before, secret_value(&w->crypt, &w->arena)))
		log_info("the database has a new secret, which this worker follows for an hour: "
			 "reload the workers");
	return RC_OK;
}

static enum rc try_database(struct worker *w)
{
	enum rc rc = db_ready(w->db);
	if (rc) {
		log_error("%s", db_problem(w->db));
		return rc;
	}
	if (!db_describe(w->db, STMT_GATE_READ)) /* not a new connection */
		return RC_OK;
	if (!check_statements(w->db))
		log_die("the database does not match this program: run planwrightctl migrate");
	bool right;
	if ((rc = follow_secret(w, &right)))
		return rc;
	if (!right)
		log_die_config("%s", SECRET_IS_ANOTHER);
	db_forget_descriptions(w->db);
	malloc_trim(0);
	return RC_OK;
}

/* A connection that fails while being made says little about the server: the next may work. */
static enum rc reach_database(struct worker *w)
{
	enum rc rc = try_database(w);
	return rc && db_was_reached(w->db) ? try_database(w) : rc;
}

/* Whether SIGTERM is pending, not yet delivered (http/accept.h). */
static bool is_asked_to_end(void)
{
	sigset_t pending;
	return !sigpending(&pending) && sigismember(&pending, SIGTERM) == 1;
}

/*
 * At boot, workers may start before the database can be reached; nobody misses them this long. Where
 * tables are locked, whoever comes first waits for this and then for as long as a request may last,
 * which together is less than the web server waits.
 */
static enum rc await_database(struct worker *w)
{
	enum { PATIENCE_US = 3000000, PAUSE_MS = 100, MOST_MS = 8000 };
	const struct held any = { .most = SIZE_MAX };
	int64_t end = when_now() + PATIENCE_US;
	db_guard(w->db,
		&(struct db_guard){
			.timeout_ms = MOST_MS, .held = &any, .answer = &w->out, .peer = -1 });
	enum rc rc = reach_database(w);
	while (rc && when_now() < end && !is_asked_to_end()) {
		poll(NULL, 0, PAUSE_MS);
		rc = db_ready(w->db) ? rc : reach_database(w);
	}
	db_guard(w->db, NULL);
	return rc;
}

static enum rc begin(struct worker *w, struct req *r, FCGX_Request *f)
{
	enum rc rc = guard_begin(r, &w->ledger, session_credential(r), f->ipcFd);
	return rc ? rc : reach_database(w);
}

static enum rc find_route(struct req *r)
{
	return r->old.version ? old_begin(r) : route_find(r);
}

/* Finds the caller as far as credentials tell without the gate. */
static enum rc find_caller(struct req *r)
{
	enum rc rc = auth_login(r);
	if (!rc)
		rc = session_find(r);
	if (r->login_id || (rc == RC_INVALID_AUTHENTICATION && !r->token.p))
		guard_know(r);
	return rc;
}

static enum rc tell_health(struct worker *w, struct req *r, FCGX_Request *f)
{
	bool has_database = false;
	if (health_wants_database(r)) {
		has_database = !begin(w, r, f);
	}
	bool right = true;
	if (has_database && health_wants_secret(r) && !follow_secret(w, &right) && !right)
		log_error("%s", SECRET_IS_ANOTHER);
	return health_answer(r, has_database, right);
}

/* Runs the request for its caller. */
static enum rc act(struct req *r)
{
	enum rc rc = find_caller(r);
	if (!rc)
		rc = auth_before_body(r);
	if (rc)
		return rc;
	if (r->upload.read && !(r->route->flags & R_UPLOAD))
		req_refuse(r,
			req_fail(r, RC_COULD_NOT_PARSE_BODY, "the body must be %s",
				r->old.path ? "XML or a form" : "a JSON object"));
	if (r->old.path) {
		old_take(r);
	} else {
		list_check_query(r);
		parse_body(r);
	}
	r->json.limit = REQ_ANSWER_MAX;
	rc = standby_act(r);
	return rc ? rc : req_check_size(r);
}

/* Whether a token or a seal may be valid under a secret that we do not know yet. */
static bool has_new_secret(struct worker *w, const struct req *r, enum rc rc)
{
	bool right;
	if (!r->secret_is_old && (rc != RC_INVALID_AUTHENTICATION || !r->token.p))
		return false;
	db_end(w->db);
	struct str before = secret_value(&w->crypt, &w->arena);
	return !follow_secret(w, &right) && right &&
		!str_equal(before, secret_value(&w->crypt, &w->arena));
}

static bool is_read(const struct req *r)
{
	return r->is_question || str_equal_z(r->method, "GET") ||
		(r->route && r->route->flags & R_READS && !r->has_written);
}

/* Whether it failed because of a migration, and a new connection may do better. */
static bool has_new_statements(struct worker *w, const struct req *r, enum rc rc)
{
	if (!rc || !is_read(r) || !db_is_outdated(w->db))
		return false;
	db_end(w->db);
	return !reach_database(w);
}

/*
 * A caller refused under one secret, having changed nothing, may be let in under the next; and a
 * read whose statements were outdated is done with new ones.
 */
static enum rc act_twice(struct worker *w, struct req *r, enum rc (*does)(struct req *))
{
	const struct req before = *r;
	enum rc rc = does(r);
	if (!has_new_statements(w, r, rc) && !has_new_secret(w, r, rc))
		return rc;
	*r = before;
	w->out.n = 0;
	json_init(&r->json, &w->out);
	return does(r);
}

static enum rc ask_permission(struct req *r)
{
	return upload_permission_answer(r, find_caller(r));
}

/* The web server asks whether it may accept a body; nothing else is done. */
static enum rc answer_question(struct worker *w, struct req *r, FCGX_Request *f, enum rc rc)
{
	static const struct route none = { .method = "POST", .path = "/" };
	if (!upload_permission_is_needed(r)) {
		r->status = 204;
		return RC_OK;
	}
	if (!rc)
		rc = find_route(r);
	if (!r->route)
		r->route = &none;
	enum rc away = begin(w, r, f);
	if (away)
		return away;
	rc = rc ? upload_permission_answer(r, rc) : act_twice(w, r, ask_permission);
	if (!rc)
		r->status = 204;
	return rc;
}

static enum rc handle(struct worker *w, struct req *r, FCGX_Request *f)
{
	enum rc rc = http_read(r, f);
	if (r->is_question)
		return answer_question(w, r, f, rc);
	if (!rc && health_find(r))
		return tell_health(w, r, f);
	if (!rc)
		rc = find_route(r);
	if (!rc && r->route->flags & R_ALONE) {
		list_check_query(r);
		return r->route->act(r);
	}
	/* Examining files takes seconds, and a password check is slow by design. */
	if (r->upload.read || r->authorization.p)
		accept_give_back(&w->accept);
	if (!rc && r->route->flags & R_PASSWORD)
		accept_give_back(&w->accept);
	if (!rc)
		rc = begin(w, r, f);
	return rc ? rc : act_twice(w, r, act);
}

static void serve(struct worker *w, FCGX_Request *f)
{
	int64_t started = when_now();
	metrics_begin(&w->metrics);
	struct req r = { .arena = &w->arena,
		.conf = &w->conf,
		.crypt = &w->crypt,
		.db = w->db,
		.standby = &w->standby,
		.out = &w->out,
		.status = 200 };
	json_init(&r.json, &w->out);
	enum rc rc = handle(w, &r, f);
	if (!rc && r.stream.make)
		rc = stream_hand_over(&r, f, started);
	/* Computed now: what r points to is freed with the answer. */
	enum metrics_access access = is_read(&r) ? METRICS_READ : METRICS_WRITE;
	bool is_gone = !rc && r.stream.make;
	if (is_gone)
		accept_let_go(&w->accept, f);
	if (rc) {
		rc = req_fail_stopped(&r, rc);
		w->out.n = 0;
		json_init(&r.json, &w->out);
		req_write_error(&r, auth_ask(&r, rc));
	}
	/* The client may be slow to fetch it. */
	if (r.file.place.p && r.file.sender == SENDER_SELF)
		accept_give_back(&w->accept);
	if (!is_gone)
		http_reply(&r, f, started);
	db_end(w->db);
	standby_end(&r);
	guard_end(&r, &w->ledger);
	standby_let_go(&r);
	/* No longer guarded: a web server that keeps no connections has closed this one by now. */
	if (r.is_new)
		sign_in_meet(&r);
	viewed_note(&r);
	if (!is_gone) /* else the stream's process logs when it is done */
		audit_log_print(&r, w->db);
	scope_note_use(&r);
	if (r.sign_in_refused)
		metrics_count(&w->metrics, METRICS_SIGN_IN_REFUSED);
	if (r.standby_use)
		metrics_count(&w->metrics,
			METRICS_STANDBY_USED + (enum metrics_event)(r.standby_use - STANDBY_USED));
	if (r.over_share)
		metrics_count(&w->metrics, METRICS_SHARE_REFUSED);
	metrics_end(&w->metrics, access, r.status, when_now() - started);
	db_name_request(w->db, NULL);
	log_set_request(NULL);
	arena_reset(&w->arena);
	buf_reset(&w->out);
}

static void load(struct worker *w)
{
	char problem[512];
	if (!conf_load(&w->conf, NULL, problem, sizeof problem))
		conf_die(problem);
	if (!crypt_init(&w->crypt, str_of(w->conf.secret)))
		log_die("OpenSSL cannot derive the keys");
}

static void start(struct worker *w)
{
	accept_start(&w->accept);
	load(w);
	/* Large blocks go back to the system: a password check takes 16 MiB for a moment. */
	mallopt(M_MMAP_THRESHOLD, 256 * 1024);
	route_check();
	tool_check();
	files_sweep(files_folder(&w->conf));
	guard_join(&w->ledger, &w->crypt, &w->conf, &w->arena, LEDGER_WORKER);
	metrics_join(&w->metrics, metrics_name(&w->crypt, w->conf.database, &w->arena));
	arena_reset(&w->arena);
	w->db = db_new(&w->conf, true);
	db_while_waiting(w->db, accept_patience, &w->accept);
	standby_open(&w->standby, &w->conf, w->db);
	if (w->standby.db)
		db_while_waiting(w->standby.db, accept_patience, &w->accept);
	if (await_database(w))
		log_warn("requests are answered 503 until the database is available");
}

void worker_run(void)
{
	static struct worker w;
	FCGX_Request request = { 0 };
	start(&w);
	parent_tell_ready();
	while (accept_next(&w.accept, &request))
		serve(&w, &request);
	db_free(w.db);
	ledger_close(&w.ledger);
	metrics_leave(&w.metrics);
	arena_free(&w.arena);
	buf_free(&w.out);
}

int worker_check(void)
{
	static struct worker w;
	load(&w);
	w.db = db_new(&w.conf, true);
	if (reach_database(&w))
		log_warn("the secret could not be checked: the database is down");
	db_free(w.db);
	arena_free(&w.arena);
	return EXIT_SUCCESS;
}
