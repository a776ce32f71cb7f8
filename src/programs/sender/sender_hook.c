/* One delivery of a webhook: the activity as the API renders it, posted once. */
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "model/fetch.h"
#include "lib/log.h"
#include "model/model.h"
#include "model/render.h"
#include "programs/sender/sender.h"
#include "store/save.h"
#include "lib/sign.h"
#include "service/lease.h"

#ifndef PACKAGE_VERSION
#define PACKAGE_VERSION "unknown"
#endif

enum { TIMEOUT_MS = 10000, ANSWER_KEPT = 4096, ANSWER_MAX = 1 << 20 };

/* Addresses ------------------------------------------------------------------ */

/* Gets the very address that a name resolved to: libcurl connects to that one or to none. */
static curl_socket_t open_socket(void *arg, curlsocktype purpose, struct curl_sockaddr *a)
{
	static const struct address_list none;
	struct sender_job *job = arg;
	job->is_private = job->is_private || !address_is_allowed(&a->addr, &none);
	if (purpose != CURLSOCKTYPE_IPCXN || !address_is_allowed(&a->addr, &job->sender->allow))
		return CURL_SOCKET_BAD;
	return socket(a->family, a->socktype | SOCK_CLOEXEC, a->protocol);
}

/* The request ---------------------------------------------------------------- */

/* Keeps the beginning of the answer; a long one is cut off. */
static size_t take_answer(char *from, size_t size, size_t n, void *arg)
{
	struct sender_job *job = arg;
	size_t room = ANSWER_KEPT - job->answer.n;
	n *= size;
	buf_put(&job->answer, from, n < room ? n : room);
	job->answered += n;
	return job->answered > ANSWER_MAX ? 0 : n;
}

static void add_header(struct sender_job *job, struct str line)
{
	struct curl_slist *more = curl_slist_append(job->headers, line.p);
	if (!more)
		log_die("out of memory");
	job->headers = more;
}

static void add_headers(struct sender_job *job, struct str id, struct str secret, const char *media)
{
	int64_t now = (int64_t)time(NULL);
	add_header(job, arena_printf(&job->arena, "Content-Type: %s", media));
	add_header(job, STR("Expect:"));
	add_header(job, arena_printf(&job->arena, "webhook-id: %s", id.p));
	add_header(job, arena_printf(&job->arena, "webhook-timestamp: %lld", (long long)now));
	if (secret.n > 0)
		add_header(job,
			arena_printf(&job->arena, "webhook-signature: %s",
				sign_webhook(&job->arena, secret, id, now, buf_str(&job->body)).p));
}

static void set_request(struct sender_job *job, struct str url)
{
	CURL *easy = job->easy = curl_easy_init();
	if (!easy)
		log_die("out of memory");
	curl_easy_setopt(easy, CURLOPT_URL, url.p);
	curl_easy_setopt(easy, CURLOPT_PROTOCOLS_STR,
		job->sender->conf.webhook_http ? "http,https" : "https");
	curl_easy_setopt(easy, CURLOPT_FOLLOWLOCATION, 0L);
	curl_easy_setopt(easy, CURLOPT_PROXY, "");
	curl_easy_setopt(easy, CURLOPT_DISALLOW_USERNAME_IN_URL, 1L);
	curl_easy_setopt(easy, CURLOPT_NOSIGNAL, 1L);
	curl_easy_setopt(easy, CURLOPT_TIMEOUT_MS, (long)TIMEOUT_MS);
	/* A hanging resolver would hold up all other transfers at the end of this one. */
	curl_easy_setopt(easy, CURLOPT_QUICK_EXIT, 1L);
	curl_easy_setopt(easy, CURLOPT_USERAGENT, "planwright/" PACKAGE_VERSION);
	curl_easy_setopt(easy, CURLOPT_POSTFIELDS, job->body.p);
	curl_easy_setopt(easy, CURLOPT_POSTFIELDSIZE_LARGE, (curl_off_t)job->body.n);
	curl_easy_setopt(easy, CURLOPT_HTTPHEADER, job->headers);
	curl_easy_setopt(easy, CURLOPT_OPENSOCKETFUNCTION, open_socket);
	curl_easy_setopt(easy, CURLOPT_OPENSOCKETDATA, job);
	curl_easy_setopt(easy, CURLOPT_WRITEFUNCTION, take_answer);
	curl_easy_setopt(easy, CURLOPT_WRITEDATA, job);
	curl_easy_setopt(easy, CURLOPT_ERRORBUFFER, job->error);
}

/* Taking ---------------------------------------------------------------------- */

/* Renders the activity of a version into the job; *found is false if it is gone. */
static enum rc render_activity(
	struct sender *s, struct sender_job *job, int64_t project, int64_t version, bool *found)
{
	struct selection *selection = select_default(&s->arena, &res_activity);
	const struct db_param params[] = { db_int(&s->arena, project), db_int(&s->arena, version) };
	struct json json;
	struct rows *rows;
	enum rc rc = db_ready(s->db);
	json_init(&json, &job->body);
	const struct render render = {
		.arena = &s->arena, .json = &json, .base_url = s->conf.base_url, .millis = true
	};
	if (!rc) {
		db_send(s->db, STMT_DELIVERY_ACTIVITY, 2, params);
		db_flush(s->db);
		rc = db_next(s->db, &rows);
	}
	struct fetched *f = NULL;
	if (!rc) {
		f = fetch_wrap(&s->arena, s->db, selection, STMT_DELIVERY_ACTIVITY, rows);
		rc = fetch_nested(&s->arena, s->db, f);
	}
	if (rc) {
		sender_lose(s);
		return rc;
	}
	*found = db_count(rows) > 0;
	if (*found)
		render_row(&render, f, 0);
	sender_end(s);
	return RC_OK;
}

/* The error recorded for deliveries of a webhook that is off. */
#define SWITCHED_OFF "the webhook was switched off"

static enum rc drop(struct sender *s, int64_t delivery, struct str lease, struct str why)
{
	struct rows *rows;
	const struct db_param params[] = { db_int(&s->arena, delivery), db_text(&s->arena, why),
		db_text(&s->arena, lease) };
	enum rc rc = sender_ask(s, STMT_DELIVERY_DROP, 3, params, &rows);
	if (!rc)
		sender_end(s);
	return rc;
}

/* A delivery that was taken but not sent yet. */
struct taken {
	int64_t delivery, webhook, project, version;
	struct str url, secret, lease, format;
};

static enum rc take_next(struct sender *s, struct taken *t, bool *found)
{
	const struct db_param params[] = { db_int(&s->arena, s->last_webhook),
		db_int(&s->arena, SENDER_HOOKS_OF_PROJECT), db_text(&s->arena, STR(SWITCHED_OFF)),
		db_text(&s->arena, lease_length(&s->arena, SENDER_LEASE_S)) };
	struct rows *rows;
	enum rc rc = sender_ask(s, STMT_DELIVERY_TAKE, 4, params, &rows);
	if (rc)
		return rc;
	*found = !db_is_null(rows, 0, 0);
	if (*found) {
		t->delivery = db_get_int(rows, 0, 0);
		t->webhook = db_get_int(rows, 0, 1);
		t->project = db_get_int(rows, 0, 2);
		t->version = db_get_int(rows, 0, 3);
		t->url = arena_str(&s->arena, db_get_text(rows, 0, 4));
		if (!db_is_null(rows, 0, 5))
			t->secret = arena_str(&s->arena, db_get_text(rows, 0, 5));
		t->lease = arena_str(&s->arena, db_get_text(rows, 0, 6));
		t->format = arena_str(&s->arena, db_get_text(rows, 0, 7));
	}
	sender_end(s);
	return RC_OK;
}

static enum rc take(struct sender *s, struct sender_job *job, bool *found)
{
	struct taken t = { 0 };
	bool known, told = true;
	enum rc rc = take_next(s, &t, found);
	if (!rc && !*found && s->last_webhook > 0) {
		s->last_webhook = 0;
		rc = take_next(s, &t, found);
	}
	if (rc || !*found)
		return rc;
	s->last_webhook = t.webhook;
	rc = render_activity(s, job, t.project, t.version, &known);
	if (!rc && !known)
		rc = drop(s, t.delivery, t.lease, STR("the activity no longer exists"));
	if (!rc && known && !str_equal_z(t.format, "v5"))
		rc = sender_turn_old(s, job, t.format, &told);
	if (!rc && known && !told)
		rc = drop(s, t.delivery, t.lease,
			STR("the activity does not exist in its "
			    "version of the API"));
	if (rc || !known || !told)
		return rc;
	job->id = t.delivery;
	job->webhook_id = t.webhook;
	job->lease = arena_str(&job->arena, t.lease);
	add_headers(job,
		arena_printf(&job->arena, "%lld_%lld", (long long)t.project, (long long)t.version),
		t.secret, str_equal_z(t.format, "v5") ? "application/json" : "application/xml");
	set_request(job, t.url);
	return RC_OK;
}

/* The end ------------------------------------------------------------------------ */

/* Text that the database accepts: invalid UTF-8 becomes question marks. */
static struct str clean(struct arena *a, struct str s)
{
	struct buf b = { 0 };
	while (s.n > 0) {
		size_t n = 1;
		while (n < 4 && n < s.n && !str_is_text((struct str){ s.p, n }))
			n++;
		bool ok = str_is_text((struct str){ s.p, n });
		if (ok)
			buf_put(&b, s.p, n);
		else
			buf_put_char(&b, '?');
		n = ok ? n : 1;
		s = (struct str){ s.p + n, s.n - n };
	}
	struct str text = arena_str(a, b.p ? buf_str(&b) : STR(""));
	buf_free(&b);
	return text;
}

/* The status of a complete answer; 0 if there was none, or only part of one. */
static long status_of(const struct sender_job *job, CURLcode code)
{
	long status = 0;
	curl_easy_getinfo(job->easy, CURLINFO_RESPONSE_CODE, &status);
	bool is_cut = code == CURLE_WRITE_ERROR && job->answered > ANSWER_MAX;
	return code == CURLE_OK || is_cut ? status : 0;
}

/*
 * Why there was no answer; details only if the address is on the public Internet, so that nobody
 * outside learns anything about the networks behind this host.
 */
static const char *silence_of(const struct sender_job *job, CURLcode code)
{
	long connects = 0;
	curl_easy_getinfo(job->easy, CURLINFO_NUM_CONNECTS, &connects);
	if (code == CURLE_UNSUPPORTED_PROTOCOL && connects == 0)
		return "http is not allowed here, only https";
	if (job->is_private || connects == 0)
		return "no answer: could not connect, or timed out";
	switch (code) {
	case CURLE_PEER_FAILED_VERIFICATION: return "the certificate is not valid for this address";
	case CURLE_SSL_CONNECT_ERROR: return "TLS could not be agreed on";
	case CURLE_OUT_OF_MEMORY:
		return "the answer has a header that is too long"; /* libcurl reports it so */
	case CURLE_PARTIAL_FILE: return "the answer was cut off";
	case CURLE_GOT_NOTHING: return "the connection was closed without an answer";
	case CURLE_UNSUPPORTED_PROTOCOL:
	case CURLE_WEIRD_SERVER_REPLY: return "the answer is not HTTP";
	default: return "no answer: could not connect, or timed out";
	}
}

/* Why it failed, as one line for users; null if it did not. */
static struct str problem_of(struct sender_job *job, CURLcode code, long status)
{
	if (status >= 200 && status < 300)
		return (struct str){ 0 };
	if (status >= 300 && status < 400)
		return arena_printf(&job->arena, "status %ld: redirects are not followed", status);
	if (status > 0)
		return arena_printf(&job->arena, "status %ld", status);
	return str_of(silence_of(job, code));
}

/* Notifies the owners of a webhook's project that it was switched off. */
static enum rc tell_owners(struct sender *s, struct sender_job *job, struct str problem)
{
	struct arena *a = &job->arena;
	struct db_param param = db_int(a, job->webhook_id);
	struct rows *rows;
	db_send(s->db, STMT_WEBHOOK_OWNERS, 1, &param);
	db_flush(s->db);
	enum rc rc = db_next(s->db, &rows);
	if (rc || db_count(rows) == 0)
		return rc;
	struct str url = db_get_text(rows, 0, db_column(rows, "webhook_url"));
	struct news news = { .people = object_ids(a, rows, 0, db_column(rows, "people")),
		.type = "webhook",
		.action = "failure",
		.message = arena_printf(a,
			"A webhook of this project was switched off because its receiver does not accept deliveries: %.*s",
			(int)url.n, url.p),
		.context = problem,
		.story_id = NIL,
		.epic_id = NIL,
		.comment_id = NIL,
		.attachments = NIL,
		.project_id = db_get_int(rows, 0, db_column(rows, "project_id")),
		.account_id = NIL };
	struct save save = { .arena = a, .db = s->db };
	if (news.people.n == 0)
		return RC_OK;
	save_news(&save, NIL, db_get_time(rows, 0, db_column(rows, "now")), &news);
	db_flush(s->db);
	return save_take(&save);
}

static enum rc note_failure(
	struct sender *s, struct sender_job *job, long status, struct str problem)
{
	const struct db_param params[] = { db_int(&job->arena, job->webhook_id),
		db_int(&job->arena, job->id), status > 0 ? db_int(&job->arena, status) : db_null(),
		db_text(&job->arena, problem),
		status > 0 ? db_text(&job->arena, clean(&job->arena, buf_str(&job->answer)))
			   : db_null(),
		db_text(&job->arena, STR(SWITCHED_OFF)), db_text(&job->arena, job->lease) };
	struct rows *rows;
	enum rc rc = db_ready(s->db);
	if (!rc) {
		db_send(s->db, STMT_DELIVERY_FAILED, 7, params);
		db_flush(s->db);
		rc = db_next(s->db, &rows);
	}
	bool off = !rc && db_get_bool(rows, 0, 0);
	if (off)
		rc = tell_owners(s, job, problem);
	if (!rc) {
		db_commit(s->db);
		rc = db_finish(s->db);
	}
	if (rc) {
		sender_lose(s);
		return rc;
	}
	if (off)
		log_warn("webhook %lld is switched off: %s", (long long)job->webhook_id, problem.p);
	sender_end(s);
	return RC_OK;
}

static void done(struct sender *s, struct sender_job *job, CURLcode code)
{
	long status = status_of(job, code);
	struct rows *rows;
	struct str problem = problem_of(job, code, status);
	enum rc rc;
	if (problem.p) {
		log_info("webhook %lld: delivery %lld failed: %s%s%s", (long long)job->webhook_id,
			(long long)job->id, problem.p, *job->error ? ": " : "", job->error);
		rc = note_failure(s, job, status, problem);
	} else {
		const struct db_param params[] = { db_int(&job->arena, job->webhook_id),
			db_int(&job->arena, job->id), db_int(&job->arena, status),
			db_text(&job->arena, job->lease) };
		rc = sender_ask(s, STMT_DELIVERY_DONE, 4, params, &rows);
		if (!rc)
			sender_end(s);
	}
	if (rc)
		log_warn(
			"webhook %lld: the result of delivery %lld was lost; it will be sent again",
			(long long)job->webhook_id, (long long)job->id);
}

const struct sender_kind sender_hook_kind = { "webhooks", SENDER_HOOKS, .take = take,
	.done = done };
