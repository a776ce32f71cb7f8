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
#include "store/audit.h"
#include "transfer/common/report.h"
#include "transfer/run/import_store.h"

enum { BEAT_US = 1000000, BEAT_MS = 500 };

/* What ends it early ----------------------------------------------------------- */

static enum rc give_back(struct importer *m, int64_t tries)
{
	struct arena *a = &m->arena;
	const struct db_param params[] = { db_int(a, m->job->id), db_int(a, m->job->attempt),
		db_int(a, tries) };
	return importer_tell(m, STMT_IMPORTER_REQUEUE, 3, params);
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

/* CPU time of this process and its helpers. */
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
 * Terminates the import's connection: its transaction ends, and the statement that it waits for
 * fails. If a stop cannot do even that, the transaction ends with the process.
 */
static void end_early(struct importer *m, enum importer_end why)
{
	const struct db_param params[] = { name_of(m), db_int(&m->job->arena, m->job->pid) };
	m->job->end = why;
	if (m->job->pid && importer_tell(m, STMT_IMPORTER_TERMINATE_OWN, 2, params) &&
		why == IMPORTER_STOPPED)
		_exit(EXIT_SUCCESS);
}

/* Renews the lease and reports the progress; false if the import is no longer ours. */
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

/* Once it commits, the import's transaction has its row locked: writing the row here would wait. */
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
	if (m->job->end || db_run(db, STMT_IMPORTER_SET_NAME, 2, params, &rows))
		return false;
	bool is_alone = db_get_bool(rows, 0, db_column(rows, "alone"));
	m->job->pid = db_get_int(rows, 0, db_column(rows, "pid"));
	db_end(db);
	if (!is_alone)
		m->job->end = IMPORTER_LOST;
	return is_alone && !m->job->end;
}

static bool may_commit(void *arg, struct db *db, const struct import_result *result)
{
	struct importer *m = arg;
	bool is_mine;
	if (m->job->end)
		return false;
	m->job->commits = true;
	if (importer_keep(m, db, result, &is_mine))
		return false;
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
 * Copies the files from the store. False if the store or this host's disk fails, or the import was
 * ended meanwhile.
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

/*
 * Opens a connection of the import's own, after ending that of an importer which lost the import.
 */
static struct db *connect(struct importer *m, const struct conf *conf)
{
	const struct db_param params[] = { name_of(m), db_text(&m->job->arena, m->job->lease) };
	if (importer_tell(m, STMT_IMPORTER_TERMINATE_OTHERS, 2, params))
		return NULL;
	struct db *db = m->job->db = db_new(conf, true);
	db_while_waiting(db, beat, m);
	if (!db_ready(db))
		return db;
	log_error("%s", db_problem(db));
	db_free(db);
	return NULL;
}

/* Nothing has begun, so this does not count as an attempt: the files wait for a better time. */
static bool wait_for_more(struct importer *m)
{
	if (give_back(m, 1))
		log_warn("import %lld will be tried again later", (long long)m->job->id);
	return false;
}

/* False if the database is away. */
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

/* Only the log gets the message of the database, the disk or the store. */
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
		log_warn("import %lld will be tried again anyway", (long long)m->job->id);
	return true;
}

/* With the setting audit_log: what it recorded also goes to the log. */
static void tell_collectors(struct importer *m)
{
	const struct db_param params[] = { db_text(&m->arena, m->job->options.told_as),
		db_int(&m->arena, AUDIT_OF_COMMAND_S) };
	struct rows *rows;
	if (!m->conf.audit_log || importer_ask(m, STMT_AUDIT_OF_REQUEST, 2, params, &rows))
		return;
	audit_log_lines(&m->arena, rows);
	importer_end(m);
}

/* Records the end, retrying until that succeeds. */
static void finish(struct importer *m, struct import_result *result)
{
	if (is_tried_again(m, result))
		return;
	while (importer_save(m, result)) {
		if (stop_asked())
			return;
		nanosleep(&(struct timespec){ .tv_sec = IMPORTER_LOST_US / 1000000 }, NULL);
	}
	tell_collectors(m);
	importer_delete_files(m, m->job->id);
	log_info("import %lld is over: status %d", (long long)m->job->id, (int)result->end);
}

/* If another importer has taken over, it needs the files: only those of an ended import go. */
static void leave(struct importer *m)
{
	struct db_param ids = db_ids(&m->arena, &m->job->id, 1);
	struct rows *rows;
	if (importer_ask(m, STMT_IMPORTER_ENDED, 1, &ids, &rows))
		return;
	bool is_over = db_count(rows) > 0;
	importer_end(m);
	if (is_over)
		importer_delete_files(m, m->job->id);
	log_info("import %lld was cancelled or taken over", (long long)m->job->id);
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
				"it took longer than the %lld seconds of CPU time and statements "
				"that the setting import_seconds allows: nothing "
				"of it was kept; split the files, or ask the "
				"administrator of the server to import them or "
				"to raise the setting",
				(long long)m->conf.import_seconds));
		break;
	case IMPORTER_LOST: leave(m); return;
	case IMPORTER_STOPPED: put_back(m); return;
	}
	finish(m, result);
}

/*
 * The report of an import that an earlier attempt committed: as that attempt wrote it, if it ran on
 * this host and the folder is still there.
 */
static void take_report(const struct importer_job *job)
{
	FILE *f = fopen(job->report, "ae");
	if (!f)
		return;
	if (!fseek(f, 0, SEEK_END) && ftell(f) == 0) {
		struct report *r = report_open(f, 0, NULL);
		report_say(r, INTAKE_NOTE, NIL, NULL, "report_lost",
			"everything was imported, but the importer died before it stored the "
			"report: there is only the summary");
		report_close(r);
	}
	fclose(f);
}

bool importer_run(struct importer *m)
{
	struct importer_job *job = m->job;
	struct import_result result = { .end = IMPORT_FAILED, .project = NIL };
	log_info("import %lld of project %lld starts, attempt %lld", (long long)job->id,
		(long long)job->project_id, (long long)job->attempt);
	*m->progress = '\0';
	m->next_beat_us = when_now() + BEAT_US;
	if (job->is_kept) {
		log_info("import %lld was already done by an earlier attempt", (long long)job->id);
		take_report(job);
		result.end = job->kept_as;
	} else if (!job->may)
		refuse(&result,
			STR("the person who requested it has been disabled, or is no longer an owner of "
			    "the project"));
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
