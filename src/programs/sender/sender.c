/* planwright-sender(8): the loop around all transfers. */
#include "programs/sender/sender.h"

#include <locale.h>
#include <stdlib.h>
#include <string.h>

#include "model/fetch.h"
#include "lib/about.h"
#include "lib/log.h"
#include "lib/stop.h"
#include "model/model.h"
#include "store/sweep.h"
#include "lib/when.h"

/*
 * The time between looks: while something waits; while nothing does and a bell announces it; after
 * a failure.
 */
enum { LOOK_US = 1000000, REST_US = 5000000, LOST_US = 3000000, WAIT_MS = 250 };
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

/* In the order of the columns of outbox_has_pending. */
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

/* Takes one due job of a kind, and starts its transfer. */
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
 * Whether any transfer has ended. A sender that hung asks whether its webhooks are still its own
 * before it sends more.
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

/* Which kinds have something waiting; if none has, this is the only statement of a look. */
static enum rc find_waiting(struct sender *s, bool waits[KINDS], bool *any)
{
	struct rows *rows;
	enum rc rc = sender_ask(s, STMT_OUTBOX_HAS_PENDING, 0, NULL, &rows);
	if (rc)
		return rc;
	*any = false;
	for (int i = 0; i < (int)KINDS; i++) {
		waits[i] = is_wanted(s, kinds[i]) && db_get_bool(rows, 0, i);
		*any |= waits[i];
	}
	sender_end(s);
	return RC_OK;
}

/* Starts everything that is due, as long as there is room. Returns how long to wait. */
static int64_t look(struct sender *s)
{
	bool waits[KINDS], any = false;
	enum rc rc = find_waiting(s, waits, &any);
	for (size_t i = 0; i < KINDS && !rc; i++) {
		bool found = waits[i];
		while (!rc && found && has_place(s, kinds[i])) {
			sender_keep(s, drop_job);
			rc = take(s, kinds[i], &found);
		}
	}
	return rc ? LOST_US : any || !s->bell.file ? LOOK_US : REST_US;
}

/* Sweeps, and returns when to sweep again: soon if there is more. */
static int64_t sweep(struct sender *s)
{
	struct db_param params[SWEEP_PARAMS];
	struct rows *rows;
	bool is_much = false;
	for (size_t i = 0; i < sweeps_count; i++) {
		int n = sweep_params(&sweeps[i], &s->arena, &s->conf, true, params);
		if (n == 0)
			continue;
		if (sender_ask(s, sweeps[i].stmt, n, params, &rows))
			return when_now() + LOST_US;
		is_much |= db_get_int(rows, 0, 0) == SWEEP_BATCH;
		sender_end(s);
	}
	return when_now() + (is_much ? LOOK_US : SWEEP_US);
}

static void run(struct sender *s)
{
	int64_t looked = 0, rest = 0, next_sweep = 0;
	while (!stop_asked() || s->n_jobs > 0) {
		if (bell_hears(&s->bell) && rest > LOOK_US)
			rest = LOOK_US;
		if (!stop_asked() && when_now() >= next_sweep)
			next_sweep = sweep(s);
		if (!stop_asked() && when_now() >= looked + rest) {
			rest = look(s);
			looked = when_now();
		}
		arena_reset(&s->arena);
		if (finish_jobs(s))
			rest = 0;
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
	/* libcurl reads non-ASCII host names in the locale's encoding. */
	setlocale(LC_CTYPE, "C.UTF-8");
	if (!conf_load_without(&s->conf, unwanted, problem, sizeof problem))
		conf_die(problem);
	if (!address_parse_list(&settings, str_of(s->conf.webhook_allow), &s->allow, &bad))
		log_die_config(
			"the setting webhook_allow: %.*s is not a network; write it like 10.0.0.0/8",
			(int)bad.n, bad.p);
	if (curl_global_init(CURL_GLOBAL_ALL) || !(s->multi = curl_multi_init()))
		log_die("libcurl cannot be initialized");
	s->bell = bell_of(s->conf.base_url);
	bell_listen(&s->bell);
	s->db = db_new(&s->conf, true);
	if (db_ready(s->db))
		log_warn("%s; trying again until it works", db_problem(s->db));
	else if (!fetch_check(s->db, &res_activity, STMT_DELIVERY_ACTIVITY, false))
		log_die("the database does not match this program: run planwrightctl migrate");
}

static const char usage[] =
	"planwright-sender\n"
	"    Send the deliveries of webhooks and the emails that are queued in the database,\n"
	"    until a signal ends it: planwright-sender(8).\n"
	"planwright-sender --help\n"
	"planwright-sender --version";

int main(int argc, char **argv)
{
	static struct sender s;
	about_answer(argc, argv, "planwright-sender", usage);
	if (argc > 1)
		log_die_config("unknown argument %s: see planwright-sender --help", argv[1]);
	stop_prepare();
	start(&s);
	for (size_t i = 0; i < KINDS; i++)
		if (is_wanted(&s, kinds[i]))
			log_info("sending %s", kinds[i]->name);
	run(&s);
	curl_multi_cleanup(s.multi);
	curl_global_cleanup();
	bell_close(&s.bell);
	db_free(s.db);
	arena_free(&s.arena);
	conf_free(&s.conf);
	return EXIT_SUCCESS;
}
