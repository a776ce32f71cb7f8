/* planwright-sender(8): the loop around all transfers. */
#include "programs/sender/sender.h"

#include <locale.h>
#include <stdlib.h>
#include <string.h>

#include "model/fetch.h"
#include "lib/log.h"
#include "lib/stop.h"
#include "model/model.h"
#include "lib/when.h"

enum { LOOK_US = 1000000, LOST_US = 3000000, WAIT_MS = 250 };
#define SWEEP_US INT64_C(3600000000)

/* Database ------------------------------------------------------------------ */

void sender_end(struct sender *s)
{
	db_end(s->db);
}

void sender_note(struct sender *s, struct sender_job *job, const char *what, enum stmt stmt,
	const char *problem)
{
	struct rows *rows;
	const struct db_param params[] = { db_int(&job->arena, job->id),
		db_text(&job->arena,
			str_is_text(str_of(problem)) ? str_of(problem) : STR("unreadable")) };
	if (problem)
		log_info("%s %lld failed: %s", what, (long long)job->id, problem);
	if (!sender_ask(s, stmt, 2, params, &rows))
		sender_end(s);
}

void sender_lose(struct sender *s)
{
	log_error("%s", db_problem(s->db));
	db_free(s->db);
	s->db = db_new(&s->conf, true);
}

enum rc sender_ask(
	struct sender *s, enum stmt stmt, int n, const struct db_param *params, struct rows **rows)
{
	enum rc rc = db_ready(s->db);
	if (!rc) {
		db_send(s->db, stmt, n, params);
		db_commit(s->db);
		rc = db_next(s->db, rows);
		if (!rc)
			rc = db_finish(s->db);
	}
	if (rc)
		sender_lose(s);
	return rc;
}

/* Transfers ----------------------------------------------------------------- */

static const struct sender_kind *const kinds[] = { &sender_letter_kind, &sender_mail_kind,
	&sender_hook_kind };
enum { KINDS = sizeof kinds / sizeof *kinds };

static bool is_wanted(const struct sender *s, const struct sender_kind *kind)
{
	return !kind->is_wanted || kind->is_wanted(&s->conf);
}

static bool has_place(const struct sender *s, const struct sender_kind *kind)
{
	int n = 0;
	for (int i = 0; i < SENDER_JOBS_MAX; i++)
		n += s->jobs[i].kind == kind;
	return n < kind->places;
}

/* A free place; the caller has made sure that there is one. */
static struct sender_job *free_job(struct sender *s)
{
	for (int i = 0; i < SENDER_JOBS_MAX; i++)
		if (!s->jobs[i].kind)
			return &s->jobs[i];
	log_die("more than %d transfers", SENDER_JOBS_MAX);
}

static void clear_job(struct sender_job *job)
{
	curl_easy_cleanup(job->easy);
	curl_slist_free_all(job->headers);
	mailer_free(&job->mailer);
	arena_free(&job->arena);
	buf_free(&job->body);
	buf_free(&job->answer);
	*job = (struct sender_job){ 0 };
}

/* Takes one of a kind that is due, and starts its transfer. */
static enum rc take(struct sender *s, const struct sender_kind *kind, bool *found)
{
	struct sender_job *job = free_job(s);
	job->sender = s;
	*found = false;
	enum rc rc = kind->take(s, job, found);
	if (rc || !job->easy) {
		clear_job(job);
		return rc;
	}
	job->kind = kind;
	curl_easy_setopt(job->easy, CURLOPT_PRIVATE, job);
	if (curl_multi_add_handle(s->multi, job->easy))
		log_die("libcurl accepts no more transfers");
	s->n_jobs++;
	return RC_OK;
}

static void drop_job(struct sender *s, struct sender_job *job)
{
	curl_multi_remove_handle(s->multi, job->easy);
	clear_job(job);
	s->n_jobs--;
}

static void end_job(struct sender *s, struct sender_job *job, CURLcode code)
{
	job->kind->done(s, job, code);
	drop_job(s, job);
}

/*
 * Whether any transfer has ended. A sender that stood still asks whether its webhooks are still its
 * own, before it sends more.
 */
static bool finish_jobs(struct sender *s)
{
	int running, left;
	bool any = false;
	CURLMsg *message;
	sender_keep(s, drop_job);
	curl_multi_perform(s->multi, &running);
	while ((message = curl_multi_info_read(s->multi, &left))) {
		struct sender_job *job = NULL;
		if (message->msg != CURLMSG_DONE)
			continue;
		curl_easy_getinfo(message->easy_handle, CURLINFO_PRIVATE, &job);
		end_job(s, job, message->data.result);
		sender_keep(s, drop_job);
		any = true;
	}
	return any;
}

/* The loop ------------------------------------------------------------------ */

/* Starts all that is due, while there is room. */
static enum rc look(struct sender *s)
{
	enum rc rc = RC_OK;
	for (size_t i = 0; i < KINDS; i++) {
		bool found = is_wanted(s, kinds[i]);
		while (!rc && found && has_place(s, kinds[i])) {
			sender_keep(s, drop_job);
			rc = take(s, kinds[i], &found);
		}
	}
	return rc;
}

/* When to sweep again: at once while there is much. */
static int64_t sweep(struct sender *s)
{
	static const enum stmt sweeps[] = { STMT_OUTBOX_SWEEP, STMT_SIGN_IN_SWEEP };
	struct rows *rows;
	int64_t n = 0;
	for (size_t i = 0; i < sizeof sweeps / sizeof *sweeps; i++) {
		if (sender_ask(s, sweeps[i], 0, NULL, &rows))
			return when_now() + LOST_US;
		int64_t swept = db_get_int(rows, 0, 0);
		n = swept > n ? swept : n;
		sender_end(s);
	}
	return when_now() + (n == 1000 ? LOOK_US : SWEEP_US);
}

static void run(struct sender *s)
{
	int64_t next_look = 0, next_sweep = 0;
	while (!stop_asked() || s->n_jobs > 0) {
		if (!stop_asked() && when_now() >= next_sweep)
			next_sweep = sweep(s);
		if (!stop_asked() && when_now() >= next_look)
			next_look = when_now() + (look(s) ? LOST_US : LOOK_US);
		arena_reset(&s->arena);
		if (finish_jobs(s))
			next_look = 0;
		else
			curl_multi_poll(s->multi, NULL, 0, WAIT_MS, NULL);
	}
}

static void start(struct sender *s)
{
	/* A program that connects to networks must not have anything that could reveal tokens. */
	static const char *const unwanted[] = { "secret", "direct_database", "owner_database",
		"files", "s3_access_key", "s3_secret_key", NULL };
	static struct arena settings;
	char problem[512];
	struct str bad;
	/* libcurl reads host names beyond ASCII in the locale's encoding. */
	setlocale(LC_CTYPE, "C.UTF-8");
	if (!conf_load_without(&s->conf, unwanted, problem, sizeof problem))
		log_die_config("%s", problem);
	if (!address_parse_list(&settings, str_of(s->conf.webhook_allow), &s->allow, &bad))
		log_die_config(
			"the setting webhook_allow: %.*s is not a network; write it like 10.0.0.0/8",
			(int)bad.n, bad.p);
	if (curl_global_init(CURL_GLOBAL_ALL) || !(s->multi = curl_multi_init()))
		log_die("libcurl cannot be initialized");
	s->db = db_new(&s->conf, true);
	if (db_ready(s->db))
		log_warn("%s; trying again until it works", db_problem(s->db));
	else if (!fetch_check(s->db, &res_activity, STMT_DELIVERY_ACTIVITY))
		log_die("the database does not fit this program: run planwrightctl migrate");
}

int main(int argc, char **argv)
{
	static struct sender s;
	if (argc > 1)
		log_die_config(
			"%s is no argument: there are none; see planwright-sender(8)", argv[1]);
	stop_prepare();
	start(&s);
	for (size_t i = 0; i < KINDS; i++)
		if (is_wanted(&s, kinds[i]))
			log_info("sending %s", kinds[i]->name);
	run(&s);
	curl_multi_cleanup(s.multi);
	curl_global_cleanup();
	db_free(s.db);
	arena_free(&s.arena);
	conf_free(&s.conf);
	return EXIT_SUCCESS;
}
