/* planwright-importer(8): the queue, and one import after the other. */
#include "programs/importer/importer.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "lib/about.h"
#include "lib/log.h"
#include "lib/stop.h"
#include "lib/when.h"
#include "model/value.h"
#include "programs/importer/importer_pool.h"
#include "service/files.h"
#include "service/lease.h"
#include "transfer/run/import_store.h"

/*
 * The time between looks: while an import waits or runs; while none does and a bell announces them.
 */
enum { LOOK_US = 1000000, REST_US = 5000000, WAIT_MS = 250 };
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

enum rc importer_tell(struct importer *m, enum stmt stmt, int n, const struct db_param *params)
{
	struct rows *rows;
	enum rc rc = importer_ask(m, stmt, n, params, &rows);
	if (!rc)
		importer_end(m);
	return rc;
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
	char plain[IMPORT_FILES_NAME_MAX];
	job->paths = arena_array(&job->arena, (size_t)names.left, sizeof *job->paths);
	job->sizes = arena_array(&job->arena, (size_t)names.left, sizeof *job->sizes);
	while (db_array_next_text(&names, &name) &&
		db_array_next_int(&sizes, &job->sizes[job->n])) {
		import_files_name(plain, job->n + 1, arena_str(&job->arena, name).p);
		job->paths[job->n++] = arena_printf(&job->arena, "%s/%s", job->folder, plain).p;
	}
}

/* The folder that the worker filled, or one of our own, filled from the store (importer_run.c). */
static void place_folder(const struct importer *m, struct importer_job *job)
{
	char above[FILES_PATH_MAX];
	const char *folder = files_folder(&m->conf);
	import_files_place(job->folder, folder, job->id);
	if (!conf_has_store(&m->conf))
		return;
	str_print(above, sizeof above, "%s/import", folder);
	if ((mkdir(above, 0700) && errno != EEXIST) || !temp_open_folder(&job->own, above))
		log_error("no folder can be created below %s: %m", above);
	else
		str_print(job->folder, sizeof job->folder, "%s", job->own.path);
}

static void fill_job(struct importer *m, struct importer_job *job, const struct rows *rows)
{
	const char *order = text_or_null(&job->arena, rows, "date_order");
	job->attempt = db_get_int(rows, 0, db_column(rows, "attempts"));
	job->project_id = db_get_int(rows, 0, db_column(rows, "project_id"));
	job->may = flag(rows, "may");
	job->is_kept = flag(rows, "committed");
	job->kept_as = importer_kept_as(text_or_null(&job->arena, rows, "kept_as"));
	place_folder(m, job);
	str_print(job->people, sizeof job->people, "%s/people.csv", job->folder);
	str_print(job->report, sizeof job->report, "%s/report.json", job->folder);
	job->options = (struct import_options){ .project = job->project_id,
		.account = NIL,
		.performer = db_int_or_0(rows, 0, db_column(rows, "person_id")),
		.means = STR("import"),
		.told_as = arena_printf(&job->arena, "import-%lld", (long long)job->id),
		.dry_run = flag(rows, "dry_run"),
		.overwrite = flag(rows, "overwrite"),
		.renumber = flag(rows, "renumber"),
		.people = job->people,
		.date_order = order ? order[0] : 0,
		.encoding = text_or_null(&job->arena, rows, "encoding"),
		.iteration_length = NIL,
		.rows_max = m->conf.import_rows };
	fill_files(job, rows);
}

/*
 * Ends an import that was tried too often, unless it is over; one that was committed counts as
 * done.
 */
static enum rc refuse(struct importer *m, int64_t id)
{
	static const char why[] =
		"the import was started three times and died midway each time: nothing of it was "
		"kept; the log of planwright-importer says more";
	static const char kept[] =
		"everything was imported, but the report was lost: the import died several times "
		"before writing it; send the same files again for a report, "
		"which changes nothing else";
	const struct db_param params[] = { db_int(&m->arena, id), db_text(&m->arena, str_of(why)),
		db_text(&m->arena, str_of(kept)) };
	struct rows *rows;
	enum rc rc = importer_ask(m, STMT_IMPORTER_REFUSE, 3, params, &rows);
	if (rc)
		return rc;
	bool is_over = db_count(rows) > 0, is_kept = is_over && db_get_bool(rows, 0, 0);
	importer_end(m);
	if (is_over) {
		log_warn("import %lld was tried too many times%s", (long long)id,
			is_kept ? ": it is done, but its report is lost" : "");
		importer_delete_files(m, id);
	}
	return RC_OK;
}

/*
 * Fills the job from the row. No lease: somebody else runs it; no attempt: nobody may run it any
 * more.
 */
static enum rc take(struct importer *m, struct importer_job *job)
{
	const struct db_param params[] = { db_int(&m->arena, job->id),
		db_int(&m->arena, IMPORTER_TRIES),
		db_text(&m->arena, lease_length(&m->arena, IMPORTER_LEASE_S)) };
	struct rows *rows;
	enum rc rc = importer_ask(m, STMT_IMPORTER_TAKE, 3, params, &rows);
	if (rc)
		return rc;
	if (!db_is_null(rows, 0, 0))
		job->lease = arena_str(&job->arena, db_get_text(rows, 0, 0));
	if (!db_is_null(rows, 0, db_column(rows, "attempts")))
		fill_job(m, job, rows);
	importer_end(m);
	return RC_OK;
}

static enum rc give_up_lease(struct importer *m, const struct importer_job *job)
{
	struct db_param lease = db_text(&m->arena, job->lease);
	return importer_tell(m, STMT_LEASE_END, 1, &lease);
}

/* Runs one import, if nobody else is running it. */
static enum rc try_one(struct importer *m, int64_t id, bool *done)
{
	struct importer_job job = { .id = id, .own.lock = -1 };
	bool away = false;
	enum rc rc = take(m, &job);
	*done = !rc && job.lease.p;
	if (*done) {
		m->job = &job;
		if (job.attempt)
			away = !importer_run(m);
		else
			rc = refuse(m, id);
		m->job = NULL;
		if (!rc)
			rc = give_up_lease(m, &job);
	}
	temp_drop_folder(&job.own);
	arena_free(&job.arena);
	return away ? RC_UNAVAILABLE : rc;
}

/* Runs the first waiting import that it gets. Returns how long to wait for the next look. */
static int64_t look(struct importer *m)
{
	enum { LOOKED_AT = 100 };
	int64_t ids[LOOKED_AT];
	struct rows *rows;
	bool done = false;
	enum rc rc = importer_ask(m, STMT_IMPORTER_WAITING, 0, NULL, &rows);
	if (rc)
		return IMPORTER_LOST_US;
	int n = 0;
	bool any = db_count(rows) > 0;
	for (int i = 0; i < db_count(rows) && n < LOOKED_AT; i++)
		if (!db_get_bool(rows, i, 1))
			ids[n++] = db_get_int(rows, i, 0);
	importer_end(m);
	for (int i = 0; i < n && !rc && !done && !stop_asked(); i++)
		rc = try_one(m, ids[i], &done);
	return rc ? IMPORTER_LOST_US : done ? 0 : any || !m->bell.file ? LOOK_US : REST_US;
}

/* Folders without an import --------------------------------------------------- */

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
	files_sweep(files_folder(&m->conf));
	if (!import_files_walk(files_folder(&m->conf), note_folder, &s))
		log_error(
			"cannot delete leftovers of imports below %s: %m", files_folder(&m->conf));
	if (conf_has_store(&m->conf) && !import_store_walk(&m->files, note_folder, &s))
		log_error("cannot look for leftovers of imports: %s", m->files.problem.text);
	struct db_param ids = db_ids(&m->arena, s.ids, s.n);
	if (importer_ask(m, STMT_IMPORTER_ENDED, 1, &ids, &rows))
		return;
	size_t n = 0;
	for (int i = 0; i < db_count(rows); i++)
		s.ids[n++] = db_get_int(rows, i, 0);
	importer_end(m);
	while (n)
		importer_delete_files(m, s.ids[--n]);
}

/* The loop ------------------------------------------------------------------ */

static void run(struct importer *m)
{
	int64_t looked = 0, rest = 0, next_sweep = 0;
	while (!stop_asked()) {
		if (when_now() >= next_sweep) {
			sweep(m);
			next_sweep = when_now() + SWEEP_US;
		}
		if (bell_hears(&m->bell) && rest > LOOK_US)
			rest = LOOK_US;
		if (when_now() >= looked + rest) {
			rest = look(m);
			looked = when_now();
		}
		if (when_now() < looked + rest)
			nanosleep(&(struct timespec){ .tv_nsec = WAIT_MS * 1000000L }, NULL);
	}
}

static const char usage[] = "planwright-importer\n"
			    "    Run the imports that people requested, until a signal ends it:\n"
			    "    planwright-importer(8).\n"
			    "planwright-importer --help\n"
			    "planwright-importer --version";

int main(int argc, char **argv)
{
	static struct importer m;
	char problem[512];
	about_answer(argc, argv, "planwright-importer", usage);
	if (argc > 1)
		log_die_config("unknown argument %s: see planwright-importer --help", argv[1]);
	stop_prepare();
	if (!conf_load(&m.conf, NULL, problem, sizeof problem))
		conf_die(problem);
	m.files = files_of(&m.conf);
	if (m.conf.importers > 1 && !importer_pool((int)m.conf.importers)) {
		conf_free(&m.conf);
		return EXIT_SUCCESS;
	}
	m.bell = bell_of(m.conf.base_url);
	bell_listen(&m.bell);
	m.db = db_new(&m.conf, true);
	if (db_ready(m.db))
		log_warn("%s; trying again until it works", db_problem(m.db));
	log_info("taking imports from %s/import", m.files.name);
	run(&m);
	bell_close(&m.bell);
	db_free(m.db);
	arena_free(&m.arena);
	conf_free(&m.conf);
	return EXIT_SUCCESS;
}
