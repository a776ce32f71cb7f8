/* planwright-importer(8): the queue, and one import after the other. */
#include "programs/importer/importer.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "lib/log.h"
#include "lib/stop.h"
#include "lib/when.h"
#include "model/value.h"

enum {
	TRIES = 3,
	LOOK_US = 1000000,
	LOST_US = 3000000,
	BEAT_US = 2000000,
	BEAT_MS = 500,
	WAIT_MS = 250
};
#define SWEEP_US INT64_C(3600000000)

/* Database ------------------------------------------------------------------ */

void importer_end(struct importer *m)
{
	db_end(m->db);
	arena_reset(&m->arena);
}

void importer_lose(struct importer *m)
{
	log_error("%s", db_problem(m->db));
	db_free(m->db);
	m->db = db_new(&m->conf, true);
	arena_reset(&m->arena);
}

enum rc importer_ask(struct importer *m, enum stmt stmt, int n, const struct db_param *params,
	struct rows **rows)
{
	enum rc rc = db_ready(m->db);
	if (!rc) {
		db_send(m->db, stmt, n, params);
		db_commit(m->db);
		rc = db_next(m->db, rows);
		if (!rc)
			rc = db_finish(m->db);
	}
	if (rc)
		importer_lose(m);
	return rc;
}

/* A statement whose rows nobody wants. */
static enum rc tell(struct importer *m, enum stmt stmt, int n, const struct db_param *params)
{
	struct rows *rows;
	enum rc rc = importer_ask(m, stmt, n, params, &rows);
	if (!rc)
		importer_end(m);
	return rc;
}

static enum rc tell_id(struct importer *m, enum stmt stmt, int64_t id)
{
	struct db_param param = db_int(&m->arena, id);
	return tell(m, stmt, 1, &param);
}

/* While an import runs ------------------------------------------------------- */

static enum rc give_back(struct importer *m, int64_t tries)
{
	struct arena *a = &m->arena;
	const struct db_param params[] = { db_int(a, m->job->id), db_int(a, m->job->attempt),
		db_int(a, tries) };
	return tell(m, STMT_IMPORTER_GIVE_BACK, 3, params);
}

/* The import's transaction ends with the process: another one begins it anew. */
static void leave(struct importer *m)
{
	log_info("the import %lld is put back", (long long)m->job->id);
	if (give_back(m, 1))
		log_warn("it is taken again all the same");
	_exit(EXIT_SUCCESS);
}

/* Says that this importer lives, and what it is at. */
static int beat(void *arg)
{
	struct importer *m = arg;
	if (stop_asked())
		leave(m);
	if (when_now() < m->next_beat_us)
		return BEAT_MS;
	const struct db_param params[] = { db_int(&m->arena, m->job->id),
		db_int(&m->arena, m->job->attempt),
		db_text(&m->arena, *m->progress ? str_of(m->progress) : (struct str){ 0 }) };
	if (tell(m, STMT_IMPORTER_PROGRESS, 3, params))
		log_warn("the import %lld goes on without it", (long long)m->job->id);
	m->next_beat_us = when_now() + BEAT_US;
	return BEAT_MS;
}

static void take_progress(void *arg, const char *what, int64_t done, int64_t all)
{
	struct importer *m = arg;
	if (all > 0)
		str_print(m->progress, sizeof m->progress, "%s: %lld of %lld", what,
			(long long)done, (long long)all);
	else if (done > 0)
		str_print(m->progress, sizeof m->progress, "%s: %lld", what, (long long)done);
	else
		str_print(m->progress, sizeof m->progress, "%s", what);
	beat(m);
}

static bool has_files(const struct importer_job *job)
{
	struct stat s;
	for (int i = 0; i < job->n; i++)
		if (stat(job->paths[i], &s) || s.st_size != job->sizes[i])
			return false;
	return true;
}

static void refuse(struct import_result *result, const char *why)
{
	*result = (struct import_result){
		.end = IMPORT_REFUSED, .project = NIL, .problem = str_of(why)
	};
}

/* A connection of the import's own, which bears its name; another of that name is ended. */
static struct db *connect(struct importer *m, const struct conf *conf)
{
	struct str name =
		arena_printf(&m->job->arena, "planwright import %lld", (long long)m->job->id);
	struct db_param param = db_text(&m->job->arena, name);
	struct rows *rows;
	if (tell(m, STMT_IMPORTER_END_OTHERS, 1, &param))
		return NULL;
	struct db *db = db_new(conf, true);
	db_while_waiting(db, beat, m);
	enum rc rc = db_ready(db);
	if (!rc) {
		db_send(db, STMT_IMPORTER_SIGN, 1, &param);
		db_commit(db);
		rc = db_next(db, &rows);
		if (!rc)
			rc = db_finish(db);
	}
	if (!rc) {
		db_end(db);
		return db;
	}
	log_error("%s", db_problem(db));
	db_free(db);
	return NULL;
}

/* False: the database is away. */
static bool run_files(struct importer *m, struct import_result *result)
{
	struct importer_job *job = m->job;
	struct conf conf = m->conf;
	conf.statement_timeout_ms = 0;
	struct db *db = connect(m, &conf);
	if (!db)
		return false;
	job->options.report = fopen(job->report, "we");
	job->options.progress = take_progress;
	job->options.progress_arg = m;
	if (!job->options.report)
		log_error("%s cannot be written: %m", job->report);
	import_run(db, &conf, &job->arena, &job->options, job->n, job->paths, result);
	if (job->options.report && fclose(job->options.report))
		log_error("%s cannot be written: %m", job->report);
	db_free(db);
	return true;
}

/* The log alone says what the database or the disk said. */
static bool is_tried_again(struct importer *m, struct import_result *result)
{
	static const char why[] =
		"the database or the disk of the server failed three times while it was imported: "
		"nothing of it was kept; the log of planwright-importer says more";
	if (result->end != IMPORT_FAILED)
		return false;
	log_error("the import %lld failed: %.*s", (long long)m->job->id, (int)result->problem.n,
		result->problem.p ? result->problem.p : "");
	result->problem = str_of(why);
	if (m->job->attempt >= TRIES)
		return false;
	if (give_back(m, 0))
		log_warn("the import %lld is taken again all the same", (long long)m->job->id);
	return true;
}

/* Notes the end, until that is done. */
static void finish(struct importer *m, struct import_result *result)
{
	long long id = m->job->id;
	if (is_tried_again(m, result))
		return;
	while (importer_save(m, result)) {
		if (stop_asked())
			return;
		nanosleep(&(struct timespec){ .tv_sec = LOST_US / 1000000 }, NULL);
	}
	if (!waiting_delete(m->conf.files, id))
		log_error("the files of the import %lld cannot be deleted: %m", id);
	log_info("the import %lld is over: status %d", id, (int)result->end);
}

/* False: the database is away. */
static bool run_job(struct importer *m)
{
	struct importer_job *job = m->job;
	struct import_result result = { .end = IMPORT_FAILED, .project = NIL };
	log_info("the import %lld of project %lld begins, try %lld", (long long)job->id,
		(long long)job->project_id, (long long)job->attempt);
	*m->progress = '\0';
	m->next_beat_us = when_now() + BEAT_US;
	if (!job->may)
		refuse(&result, "who asked for it is no owner of the project any more");
	else if (!has_files(job))
		refuse(&result, "its files are not here any more: send them again");
	else if (!run_files(m, &result)) {
		if (give_back(m, 1))
			log_warn("the import %lld is taken again later", (long long)job->id);
		return false;
	}
	finish(m, &result);
	return true;
}

/* The queue ------------------------------------------------------------------ */

static const char *text_or_null(struct arena *a, const struct rows *rows, const char *column)
{
	int i = db_column(rows, column);
	return db_is_null(rows, 0, i) ? NULL : arena_str(a, db_get_text(rows, 0, i)).p;
}

static bool flag(const struct rows *rows, const char *column)
{
	return db_get_bool(rows, 0, db_column(rows, column));
}

static void fill_files(struct importer_job *job, const struct rows *rows)
{
	struct db_array names = db_array(rows, 0, db_column(rows, "filenames"));
	struct db_array sizes = db_array(rows, 0, db_column(rows, "sizes"));
	struct str name;
	char plain[WAITING_NAME_MAX];
	job->paths = arena_array(&job->arena, (size_t)names.left, sizeof *job->paths);
	job->sizes = arena_array(&job->arena, (size_t)names.left, sizeof *job->sizes);
	while (db_array_next_text(&names, &name) &&
		db_array_next_int(&sizes, &job->sizes[job->n])) {
		waiting_name(plain, job->n + 1, arena_str(&job->arena, name).p);
		job->paths[job->n++] = arena_printf(&job->arena, "%s/%s", job->folder, plain).p;
	}
}

static void fill_job(struct importer *m, struct importer_job *job, const struct rows *rows)
{
	const char *order = text_or_null(&job->arena, rows, "date_order");
	job->attempt = db_get_int(rows, 0, db_column(rows, "attempts"));
	job->project_id = db_get_int(rows, 0, db_column(rows, "project_id"));
	job->may = flag(rows, "may");
	waiting_place(job->folder, m->conf.files, job->id);
	str_print(job->people, sizeof job->people, "%s/people.csv", job->folder);
	str_print(job->report, sizeof job->report, "%s/report.json", job->folder);
	job->options = (struct import_options){ .project = job->project_id,
		.account = NIL,
		.performer = db_int_or_0(rows, 0, db_column(rows, "person_id")),
		.dry_run = flag(rows, "dry_run"),
		.overwrite = flag(rows, "overwrite"),
		.renumber = flag(rows, "renumber"),
		.people = job->people,
		.date_order = order ? order[0] : 0,
		.encoding = text_or_null(&job->arena, rows, "encoding"),
		.iteration_length = NIL };
	fill_files(job, rows);
}

/* Fills the job with what the row says; *found is false when it was tried too often, or is over. */
static enum rc take(struct importer *m, struct importer_job *job, bool *found)
{
	static const char why[] =
		"the import was begun three times and ended each time in the middle: nothing of it "
		"was kept; the log of planwright-importer says more";
	const struct db_param params[] = { db_int(&m->arena, job->id), db_int(&m->arena, TRIES) };
	struct rows *rows;
	enum rc rc = importer_ask(m, STMT_IMPORTER_TAKE, 2, params, &rows);
	if (rc)
		return rc;
	*found = db_count(rows) > 0;
	if (*found)
		fill_job(m, job, rows);
	importer_end(m);
	if (*found)
		return RC_OK;
	const struct db_param refusal[] = { db_int(&m->arena, job->id),
		db_text(&m->arena, str_of(why)) };
	if ((rc = tell(m, STMT_IMPORTER_REFUSE, 2, refusal)))
		return rc;
	log_warn("the import %lld was tried too often", (long long)job->id);
	waiting_delete(m->conf.files, job->id);
	return RC_OK;
}

/* Whether the lock is this connection's now. */
static enum rc lock(struct importer *m, int64_t id, bool *held)
{
	struct db_param param = db_int(&m->arena, id);
	struct rows *rows;
	enum rc rc = importer_ask(m, STMT_IMPORTER_LOCK, 1, &param, &rows);
	if (rc)
		return rc;
	*held = db_get_bool(rows, 0, 0);
	importer_end(m);
	return RC_OK;
}

/* One import, if nobody else is at it. */
static enum rc try_one(struct importer *m, int64_t id, bool *done)
{
	struct importer_job job = { .id = id };
	bool held, found = false, away = false;
	enum rc rc = lock(m, id, &held);
	if (rc || !held)
		return rc;
	m->job = &job;
	if (!(rc = take(m, &job, &found)) && found)
		away = !run_job(m);
	m->job = NULL;
	arena_free(&job.arena);
	if (!rc)
		rc = tell_id(m, STMT_IMPORTER_UNLOCK, id);
	*done = true;
	return away ? RC_UNAVAILABLE : rc;
}

/* For tests of importers that stand still a minute is long. */
static const char *idle_limit(void)
{
	const char *said = getenv("PLANWRIGHT_IMPORTER_IDLE");
	return said && *said ? said : "1min";
}

/* The first of those that wait; *done: there was one. */
static enum rc look(struct importer *m, bool *done)
{
	enum { LOOKED_AT = 100 };
	int64_t ids[LOOKED_AT];
	struct rows *rows;
	*done = false;
	struct db_param idle = db_text(&m->arena, str_of(idle_limit()));
	enum rc rc = tell(m, STMT_IMPORTER_WATCH, 1, &idle);
	if (!rc)
		rc = importer_ask(m, STMT_IMPORTER_WAITING, 0, NULL, &rows);
	if (rc)
		return rc;
	int n = db_count(rows) < LOOKED_AT ? db_count(rows) : LOOKED_AT;
	for (int i = 0; i < n; i++)
		ids[i] = db_get_int(rows, i, 0);
	importer_end(m);
	for (int i = 0; i < n && !rc && !*done && !stop_asked(); i++)
		rc = try_one(m, ids[i], done);
	return rc;
}

/* Folders that no import has any more ------------------------------------------ */

enum { SWEPT = 1000 };

struct sweep {
	int64_t ids[SWEPT];
	size_t n;
};

static void note_folder(void *to, int64_t id)
{
	struct sweep *s = to;
	if (s->n < SWEPT)
		s->ids[s->n++] = id;
}

static void sweep(struct importer *m)
{
	struct sweep s = { .n = 0 };
	struct rows *rows;
	if (!waiting_walk(m->conf.files, note_folder, &s))
		log_error("what is left of imports below %s cannot be deleted: %m", m->conf.files);
	struct db_param ids = db_ids(&m->arena, s.ids, s.n);
	if (importer_ask(m, STMT_IMPORTER_OVER, 1, &ids, &rows))
		return;
	for (int i = 0; i < db_count(rows); i++)
		waiting_delete(m->conf.files, db_get_int(rows, i, 0));
	importer_end(m);
}

/* The loop ------------------------------------------------------------------ */

static void run(struct importer *m)
{
	int64_t next_look = 0, next_sweep = 0;
	bool done;
	while (!stop_asked()) {
		if (when_now() >= next_sweep) {
			sweep(m);
			next_sweep = when_now() + SWEEP_US;
		}
		if (when_now() >= next_look) {
			enum rc rc = look(m, &done);
			next_look = when_now() + (rc ? LOST_US : done ? 0 : LOOK_US);
		}
		if (when_now() < next_look)
			nanosleep(&(struct timespec){ .tv_nsec = WAIT_MS * 1000000L }, NULL);
	}
}

int main(int argc, char **argv)
{
	static struct importer m;
	char problem[512];
	if (argc > 1)
		log_die("%s is no argument: there are none; see planwright-importer(8)", argv[1]);
	stop_prepare();
	if (!conf_load(&m.conf, NULL, problem, sizeof problem))
		log_die_config("%s", problem);
	m.db = db_new(&m.conf, true);
	if (db_ready(m.db))
		log_warn("%s; trying again until it can be used", db_problem(m.db));
	log_info("imports are taken from %s/import", m.conf.files);
	run(&m);
	db_free(m.db);
	arena_free(&m.arena);
	conf_free(&m.conf);
	return EXIT_SUCCESS;
}
