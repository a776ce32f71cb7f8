/* What became of an import: its row, the lines of its report, the people's map. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/log.h"
#include "programs/importer/importer.h"
#include "service/lease.h"

enum {
	BATCH_MAX = 1024 * 1024,
	MAP_MAX = 32 * 1024 * 1024,
	KEPT = 20, /* finished imports kept for each project */
	COMMIT_S =
		300, /* for the commit, statistics and the report, while nobody renews the lease */
};

/* Leaves out the folder that the files wait in, which is nobody's business. */
static void put_plain(struct buf *to, const struct importer_job *job, struct str text)
{
	size_t n = strlen(job->folder);
	while (text.n) {
		const char *at = memmem(text.p, text.n, job->folder, n);
		size_t before = at ? (size_t)(at - text.p) : text.n;
		buf_put(to, text.p, before);
		if (!at)
			return;
		size_t cut = before + n + (before + n < text.n && at[n] == '/');
		text = (struct str){ text.p + cut, text.n - cut };
	}
}

static struct db_param plain(struct arena *a, const struct importer_job *job, struct str text)
{
	struct buf b = { 0 };
	if (!text.p || !str_is_text(text))
		return db_null();
	put_plain(&b, job, text);
	struct db_param p = db_text(a, b.n ? arena_str(a, buf_str(&b)) : STR(""));
	buf_free(&b);
	return p;
}

/* The map as written or sent; null if there is none. */
static struct db_param read_map(struct arena *a, const char *path)
{
	struct db_param map = db_null();
	FILE *f = fopen(path, "re");
	if (!f)
		return map;
	char *p = malloc(MAP_MAX);
	size_t n = p ? fread(p, 1, MAP_MAX, f) : 0;
	if (n > 0 && n < MAP_MAX && str_is_text((struct str){ p, n }))
		map = db_text(a, arena_str(a, (struct str){ p, n }));
	free(p);
	fclose(f);
	return map;
}

static const char *state_of(const struct import_result *result)
{
	switch (result->end) {
	case IMPORT_ALL: return "done";
	case IMPORT_LOST: return "lost";
	case IMPORT_FAILED:
	case IMPORT_USAGE:
	case IMPORT_REFUSED: break;
	}
	return "refused";
}

enum import_end importer_kept_as(const char *state)
{
	return state && !strcmp(state, "lost") ? IMPORT_LOST : IMPORT_ALL;
}

enum rc importer_keep(
	struct importer *m, struct db *db, const struct import_result *result, bool *mine)
{
	const struct importer_job *job = m->job;
	struct arena *a = &m->job->arena;
	struct rows *rows;
	/* If another process has to record the end, it takes the report from here. */
	if (job->options.report)
		fflush(job->options.report);
	const struct db_param params[] = { db_int(a, job->id), db_int(a, job->attempt),
		db_text(a, job->lease), db_text(a, lease_length(a, COMMIT_S)),
		db_text(a, str_of(state_of(result))), db_text(a, result->counts),
		plain(a, job, result->summary), read_map(a, job->people) };
	enum rc rc =
		db_run(db, STMT_IMPORTER_COMMIT, sizeof params / sizeof *params, params, &rows);
	if (rc)
		return rc;
	*mine = db_count(rows) > 0;
	db_end(db);
	return RC_OK;
}

/* Whether the row was still this importer's to write. */
static enum rc send_end(struct importer *m, const struct import_result *result, bool *mine)
{
	const struct importer_job *job = m->job;
	struct arena *a = &m->arena;
	struct rows *rows;
	struct str problem = state_of(result)[0] == 'r' ? result->problem : (struct str){ 0 };
	const struct db_param params[] = { db_int(a, job->id), db_int(a, job->attempt),
		db_text(a, str_of(state_of(result))), db_text(a, result->counts),
		plain(a, job, result->summary), plain(a, job, problem), read_map(a, job->people) };
	db_send(m->db, STMT_IMPORTER_FINISH, sizeof params / sizeof *params, params);
	db_flush(m->db);
	enum rc rc = db_next(m->db, &rows);
	*mine = !rc && db_count(rows) > 0;
	return rc;
}

/* The lines that are read from the report. */
struct lines {
	FILE *f;
	char *line;
	size_t size;
	int64_t n;
	struct buf batch; /* a JSON array without its end */
	int64_t in_batch;
};

/* The database cannot store U+0000. */
static void replace_nul(char *line)
{
	for (char *p = line; (p = strstr(p, "\\u0000")); p += 6)
		memcpy(p, "\\ufffd", 6);
}

static enum rc send_batch(struct importer *m, struct lines *l)
{
	struct rows *rows;
	if (l->in_batch == 0)
		return RC_OK;
	buf_put_char(&l->batch, ']');
	const struct db_param params[] = { db_int(&m->arena, m->job->id),
		db_int(&m->arena, l->n - l->in_batch),
		db_text(&m->arena, arena_str(&m->arena, buf_str(&l->batch))) };
	l->batch.n = 0;
	l->in_batch = 0;
	db_send(m->db, STMT_IMPORTER_LINES_ADD, 3, params);
	db_flush(m->db);
	return db_next(m->db, &rows);
}

static void put_line(struct lines *l, const struct importer_job *job, struct str line)
{
	buf_put_char(&l->batch, l->in_batch ? ',' : '[');
	put_plain(&l->batch, job, line);
	l->in_batch++;
	l->n++;
}

static enum rc send_all_lines(struct importer *m, struct lines *l)
{
	enum rc rc = RC_OK;
	for (ssize_t n; !rc && (n = getline(&l->line, &l->size, l->f)) > 0;) {
		struct str line = str_trim((struct str){ l->line, (size_t)n });
		replace_nul(l->line);
		put_line(l, m->job, line);
		if (l->batch.n >= BATCH_MAX)
			rc = send_batch(m, l);
	}
	return rc ? rc : send_batch(m, l);
}

static enum rc send_lines(struct importer *m)
{
	struct lines l = { .f = fopen(m->job->report, "re") };
	if (!l.f)
		return RC_OK;
	enum rc rc = send_all_lines(m, &l);
	fclose(l.f);
	free(l.line);
	buf_free(&l.batch);
	return rc;
}

static enum rc send_rest(struct importer *m, bool with_report)
{
	const struct db_param params[] = { db_int(&m->arena, m->job->project_id),
		db_int(&m->arena, KEPT) };
	struct rows *rows;
	enum rc rc = with_report ? send_lines(m) : RC_OK;
	if (rc)
		return rc;
	db_send(m->db, STMT_IMPORTER_PRUNE, 2, params);
	db_commit(m->db);
	rc = db_next(m->db, &rows);
	return rc ? rc : db_finish(m->db);
}

static enum rc save(struct importer *m, const struct import_result *result, bool with_report)
{
	bool mine;
	enum rc rc = db_ready(m->db);
	if (!rc)
		rc = send_end(m, result, &mine);
	if (!rc && !mine)
		log_warn("import %lld was taken over, or its project is gone",
			(long long)m->job->id);
	else if (!rc)
		rc = send_rest(m, with_report);
	return rc;
}

enum rc importer_save(struct importer *m, const struct import_result *result)
{
	enum rc rc = save(m, result, true);
	if (rc && rc != RC_UNAVAILABLE) {
		log_error("cannot store the report of import %lld: %s", (long long)m->job->id,
			db_problem(m->db));
		db_end(m->db);
		rc = save(m, result, false);
	}
	if (rc)
		importer_lose(m);
	else
		importer_end(m);
	return rc;
}
