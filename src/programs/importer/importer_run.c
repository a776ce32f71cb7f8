/* One import: its connection, early ends, and its result. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "lib/log.h"
#include "lib/stop.h"
#include "lib/when.h"
#include "model/value.h"
#include "programs/importer/importer.h"
#include "service/files.h"
#include "service/lease.h"
#include "transfer/run/import_store.h"

enum {
	BEAT_US = 1000000,
	BEAT_MS = 500,
	COMMIT_S =
		300, /* for the commit, statistics and the report, when nobody renews the lease */
};

/* What ends it early ----------------------------------------------------------- */

static enum rc give_back(struct importer *m, int64_t tries)
{
	struct arena *a = &m->arena;
	const struct db_param params[] = { db_int(a, m->job->id), db_int(a, m->job->attempt),
		db_int(a, tries) };
	return importer_tell(m, STMT_IMPORTER_GIVE_BACK, 3, params);
}

static struct db_param name_of(const struct importer *m)
{
	return db_text(&m->job->arena,
		arena_printf(&m->job->arena, "planwright import %lld", (long long)m->job->id));
}

static int64_t used_by(int who)
{
	struct rusage u;
	getrusage(who, &u);
	return (u.ru_utime.tv_sec + u.ru_stime.tv_sec) * INT64_C(1000000) + u.ru_utime.tv_usec +
		u.ru_stime.tv_usec;
}

/* Of this process and its helpers. */
static int64_t processor_us(void)
{
	return used_by(RUSAGE_SELF) + used_by(RUSAGE_CHILDREN);
}

static bool takes_too_long(const struct importer *m)
{
	if (!m->job->db)
		return false;
	int64_t spent = processor_us() - m->job->began_us + db_waited_us(m->job->db);
	return m->conf.import_seconds && spent > m->conf.import_seconds * 1000000;
}

/*
 * The import's transaction ends with its connection, and the statement that it waits for fails.
 * If even that is impossible, it ends with the process.
 */
static void end_early(struct importer *m, enum importer_end why)
{
	const struct db_param params[] = { name_of(m), db_int(&m->job->arena, m->job->pid) };
	m->job->end = why;
	if (m->job->pid && importer_tell(m, STMT_IMPORTER_END_OWN, 2, params) &&
		why == IMPORTER_STOPPED)
		_exit(EXIT_SUCCESS);
}

/*
 * Renews the lease, and reports the progress; false: the import is no longer its own.
 */
static bool tell_progress(struct importer *m)
{
	const struct db_param params[] = { db_int(&m->arena, m->job->id),
		db_int(&m->arena, m->job->attempt),
		db_text(&m->arena, *m->progress ? str_of(m->progress) : (struct str){ 0 }),
		db_text(&m->arena, m->job->lease),
		db_text(&m->arena, lease_length(&m->arena, IMPORTER_LEASE_S)) };
	struct rows *rows;
	if (importer_ask(m, STMT_IMPORTER_PROGRESS, 5, params, &rows)) {
		log_warn("import %lld continues without it", (long long)m->job->id);
		return true;
	}
	bool is_mine = db_count(rows) > 0;
	importer_end(m);
	return is_mine;
}

/*
 * After the last check, the import's transaction holds its row: writing it here would wait for
 * that.
 */
static void look(struct importer *m)
{
	if (m->job->end || m->job->commits)
		return;
	if (stop_asked()) {
		end_early(m, IMPORTER_STOPPED);
	} else if (takes_too_long(m)) {
		end_early(m, IMPORTER_LATE);
	} else if (when_now() >= m->next_beat_us) {
		bool is_mine = tell_progress(m);
		m->next_beat_us = when_now() + BEAT_US;
		if (!is_mine)
			end_early(m, IMPORTER_LOST);
	}
}

static int beat(void *arg)
{
	look(arg);
	return BEAT_MS;
}

static bool take_progress(void *arg, const char *what, int64_t done, int64_t all)
{
	struct importer *m = arg;
	if (all > 0)
		str_print(m->progress, sizeof m->progress, "%s: %lld of %lld", what,
			(long long)done, (long long)all);
	else if (done > 0)
		str_print(m->progress, sizeof m->progress, "%s: %lld", what, (long long)done);
	else
		str_print(m->progress, sizeof m->progress, "%s", what);
	look(m);
	return !m->job->end;
}

static bool may_begin(void *arg, struct db *db)
{
	struct importer *m = arg;
	const struct db_param params[] = { name_of(m), db_int(&m->job->arena, m->job->id) };
	struct rows *rows;
	if (m->job->end || db_run(db, STMT_IMPORTER_SIGN, 2, params, &rows))
		return false;
	bool is_alone = db_get_bool(rows, 0, db_column(rows, "alone"));
	m->job->pid = db_get_int(rows, 0, db_column(rows, "pid"));
	db_end(db);
	if (!is_alone)
		m->job->end = IMPORTER_LOST;
	return is_alone && !m->job->end;
}

static bool may_commit(void *arg, struct db *db)
{
	struct importer *m = arg;
	struct rows *rows;
	struct arena *a = &m->job->arena;
	const struct db_param params[] = { db_int(a, m->job->id), db_int(a, m->job->attempt),
		db_text(a, m->job->lease), db_text(a, lease_length(a, COMMIT_S)) };
	if (m->job->end)
		return false;
	m->job->commits = true;
	if (db_run(db, STMT_IMPORTER_COMMIT, 4, params, &rows))
		return false;
	bool is_mine = db_count(rows) > 0;
	db_end(db);
	if (!is_mine)
		m->job->end = IMPORTER_LOST;
	return is_mine;
}

/* Its files ------------------------------------------------------------------- */

static bool beat_files(void *of)
{
	const struct importer *m = of;
	look(of);
	return !m->job->end;
}

/*
 * Copies them from the store. False: the store or this host's disk does not let it, or the import
 * was ended meanwhile.
 */
static bool fetch(struct importer *m)
{
	struct importer_job *job = m->job;
	if (!conf_has_store(&m->conf))
		return true;
	if (!*job->own.path) /* place_folder() said why */
		return false;
	m->files.store.beat = beat_files;
	m->files.store.beat_of = m;
	bool ok = import_store_fetch(&m->files, job->id, job->own.path);
	m->files.store.beat = NULL;
	if (!ok && !job->end)
		log_error(
			"the files of import %lld: %s", (long long)job->id, m->files.problem.text);
	return ok && !job->end;
}

void importer_delete_files(struct importer *m, int64_t id)
{
	bool ok = conf_has_store(&m->conf) ? import_store_delete(&m->files, id)
					   : import_files_delete(files_folder(&m->conf), id);
	if (!ok)
		log_error("cannot delete the files of import %lld: %s", (long long)id,
			conf_has_store(&m->conf) ? m->files.problem.text : strerror(errno));
}

/* Running it ------------------------------------------------------------------- */

static bool has_files(const struct importer_job *job)
{
	struct stat s;
	for (int i = 0; i < job->n; i++)
		if (stat(job->paths[i], &s) || s.st_size != job->sizes[i])
			return false;
	return true;
}

static void refuse(struct import_result *result, struct str why)
{
	*result = (struct import_result){ .end = IMPORT_REFUSED, .project = NIL, .problem = why };
}

/* A connection of the import's own; that of an importer which lost the import is ended. */
static struct db *connect(struct importer *m, const struct conf *conf)
{
	const struct db_param params[] = { name_of(m), db_text(&m->job->arena, m->job->lease) };
	if (importer_tell(m, STMT_IMPORTER_END_OTHERS, 2, params))
		return NULL;
	struct db *db = m->job->db = db_new(conf, true);
	db_while_waiting(db, beat, m);
	if (!db_ready(db))
		return db;
	log_error("%s", db_problem(db));
	db_free(db);
	return NULL;
}

/* Nothing was begun, so it is no try: the files of whoever sent them wait for better times. */
static bool wait_for_more(struct importer *m)
{
	if (give_back(m, 1))
		log_warn("import %lld will be tried again later", (long long)m->job->id);
	return false;
}

/* False: the database is away. */
static bool run_files(struct importer *m, struct import_result *result)
{
	struct importer_job *job = m->job;
	struct conf conf = m->conf;
	conf.statement_timeout_ms = 0;
	job->began_us = processor_us();
	struct db *db = connect(m, &conf);
	if (!db)
		return false;
	job->options.report = fopen(job->report, "we");
	job->options.progress = take_progress;
	job->options.may_begin = may_begin;
	job->options.may_commit = may_commit;
	job->options.arg = m;
	if (!job->options.report)
		log_error("%s cannot be written: %m", job->report);
	import_run(db, &conf, &job->arena, &job->options, job->n, job->paths, result);
	if (job->options.report && fclose(job->options.report))
		log_error("%s cannot be written: %m", job->report);
	db_free(db);
	return true;
}

/* The result ------------------------------------------------------------------- */

/* Only the log has the message of the database, the disk or the store. */
static bool is_tried_again(struct importer *m, struct import_result *result)
{
	static const char why[] =
		"the database, the disk or the object store of the server failed three times during the import: nothing of it was kept; the log of planwright-importer says more";
	if (result->end != IMPORT_FAILED)
		return false;
	log_error("import %lld failed: %.*s", (long long)m->job->id, (int)result->problem.n,
		result->problem.p ? result->problem.p : "");
	result->problem = str_of(why);
	if (m->job->attempt >= IMPORTER_TRIES)
		return false;
	if (give_back(m, 0))
		log_warn("import %lld is tried again anyway", (long long)m->job->id);
	return true;
}

/* Notes the end, until that is done. */
static void finish(struct importer *m, struct import_result *result)
{
	if (is_tried_again(m, result))
		return;
	while (importer_save(m, result)) {
		if (stop_asked())
			return;
		nanosleep(&(struct timespec){ .tv_sec = IMPORTER_LOST_US / 1000000 }, NULL);
	}
	importer_delete_files(m, m->job->id);
	log_info("import %lld is over: status %d", (long long)m->job->id, (int)result->end);
}

/* Another importer needs the files, when it was taken over by that. */
static void leave(struct importer *m)
{
	struct db_param ids = db_ids(&m->arena, &m->job->id, 1);
	struct rows *rows;
	if (importer_ask(m, STMT_IMPORTER_OVER, 1, &ids, &rows))
		return;
	bool is_over = db_count(rows) > 0;
	importer_end(m);
	if (is_over)
		importer_delete_files(m, m->job->id);
	log_info("import %lld was ended, or taken over", (long long)m->job->id);
}

static void put_back(struct importer *m)
{
	log_info("import %lld was returned to the queue", (long long)m->job->id);
	if (give_back(m, 1))
		log_warn("it is tried again anyway");
}

static void end(struct importer *m, struct import_result *result)
{
	switch (m->job->end) {
	case IMPORTER_DONE: break;
	case IMPORTER_LATE:
		refuse(result,
			arena_printf(&m->job->arena,
				"it took longer than the %lld seconds of CPU time and statements that the setting import_seconds allows: nothing of it was kept; split the files, or ask the server's operator to import them or to raise the setting",
				(long long)m->conf.import_seconds));
		break;
	case IMPORTER_LOST: leave(m); return;
	case IMPORTER_STOPPED: put_back(m); return;
	}
	finish(m, result);
}

bool importer_run(struct importer *m)
{
	struct importer_job *job = m->job;
	struct import_result result = { .end = IMPORT_FAILED, .project = NIL };
	log_info("import %lld of project %lld starts, attempt %lld", (long long)job->id,
		(long long)job->project_id, (long long)job->attempt);
	*m->progress = '\0';
	m->next_beat_us = when_now() + BEAT_US;
	if (!job->may)
		refuse(&result,
			STR("the person who requested it is no longer an owner of the project"));
	else if (!fetch(m)) {
		if (!job->end)
			return wait_for_more(m);
	} else if (!has_files(job))
		refuse(&result, STR("its files are no longer here: send them again"));
	else if (!run_files(m, &result))
		return wait_for_more(m);
	end(m, &result);
	return true;
}
