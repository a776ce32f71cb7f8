#include "transfer/out/export_zip.h"

#include <stdio.h>

#include "lib/json.h"
#include "lib/log.h"
#include "lib/when.h"
#include "model/value.h"
#include "transfer/out/export_files.h"
#include "transfer/out/export_lines.h"
#include "transfer/out/zip_write.h"

#ifndef PACKAGE_VERSION
#define PACKAGE_VERSION "unknown"
#endif

/* What a reader checks first: raise it in t/import/EXPORT.md, too. */
enum { FORMAT = 1 };

struct zip {
	struct export *x;
	struct zip_write *to;
	struct export_ids stories, epics;
	const char *top;      /* the folder that everything is in */
	struct json manifest; /* open in its list of files */
};

static enum rc load_ids(struct export *x, enum export_kind kind, struct export_ids *ids)
{
	const struct db_param project = db_int(&x->piece, x->project);
	struct rows *rows;
	db_send(x->db, kind == EXPORT_STORIES ? STMT_EXPORT_STORY_IDS : STMT_EXPORT_EPIC_IDS, 1,
		&project);
	db_flush(x->db);
	enum rc rc = db_next(x->db, &rows);
	if (rc)
		return rc;
	ids->n = (size_t)db_count(rows);
	ids->v = arena_array(&x->all, ids->n, sizeof *ids->v);
	for (size_t i = 0; i < ids->n; i++)
		ids->v[i] = db_get_int(rows, (int)i, 0);
	rc = export_settle(x);
	return rc ? rc : export_cut(x, ids, kind);
}

/* Entries -------------------------------------------------------------------------- */

static void begin(struct zip *z, const char *path)
{
	zip_write_begin(z->to, arena_printf(&z->x->all, "%s/%s", z->top, path).p,
		z->x->now / 1000000, false);
}

/* Ends an entry, and lists it in the manifest. */
static enum rc end(struct zip *z, const char *path, int64_t count)
{
	struct json *j = &z->manifest;
	struct zip_made made;
	bool ok = zip_write_end(z->to, &made);
	json_object(j);
	json_key(j, "path");
	json_z(j, path);
	json_key(j, "size");
	json_int(j, made.size);
	json_key(j, "sha256");
	json_z(j, made.sha256);
	json_key(j, "count");
	json_int(j, count);
	json_object_end(j);
	return ok ? RC_OK : RC_UNAVAILABLE;
}

static enum rc put_csv(struct zip *z)
{
	const char *path = arena_printf(&z->x->all, "%s.csv", z->x->stem.p).p;
	begin(z, path);
	enum rc rc = export_csv(z->x, &z->stories, &z->epics, zip_write_sink(z->to));
	return rc ? rc : end(z, path, (int64_t)(z->stories.n + z->epics.n));
}

/* Writes the lines of a piece; *n is how many. */
static enum rc put_piece(struct zip *z, int i, struct export_lines *x, int *n)
{
	struct buf text = { 0 };
	const struct db_caller caller = { .person = db_int(&z->x->piece, z->x->person),
		.reach = z->x->reach };
	if (z->x->person != NIL)
		db_set_caller(z->x->db, &caller);
	enum rc rc = export_lines_put(x, i, &text, n);
	export_forget(z->x);
	if (!rc)
		rc = export_flush(&text, zip_write_sink(z->to));
	buf_free(&text);
	return rc;
}

static enum rc put_by_ids(
	struct zip *z, int i, struct export_lines *x, const struct export_ids *ids)
{
	size_t at = 0;
	int n;
	enum rc rc = RC_OK;
	for (size_t k = 0; k < ids->n_ends && !rc; at = ids->ends[k++]) {
		x->ids = ids->v + at;
		x->n_ids = ids->ends[k] - at;
		rc = put_piece(z, i, x, &n);
	}
	return rc;
}

static enum rc put_by_key(struct zip *z, int i, struct export_lines *x, int64_t *count)
{
	int n = 1;
	enum rc rc = RC_OK;
	for (; !rc && n > 0; *count += n)
		rc = put_piece(z, i, x, &n);
	return rc;
}

static enum rc put_lines(struct zip *z, int i)
{
	struct export_lines lines = { .db = z->x->db,
		.arena = &z->x->piece,
		.base_url = z->x->conf->base_url,
		.project = z->x->project };
	const char *path = arena_printf(&z->x->all, "planwright/%s", export_lines_name(i)).p;
	const struct export_ids *ids =
		export_lines_by(i) == EXPORT_BY_STORIES ? &z->stories : &z->epics;
	int64_t count = 0;
	enum rc rc;
	begin(z, path);
	if (export_lines_by(i) == EXPORT_BY_PROJECT) {
		rc = put_by_key(z, i, &lines, &count);
	} else {
		rc = put_by_ids(z, i, &lines, ids);
		count = (int64_t)ids->n;
	}
	return rc ? rc : end(z, path, count);
}

/* Makes an entry of what was written to a temporary file. */
static enum rc put_spooled(struct zip *z, const char *path, FILE *from, int64_t count)
{
	char room[16 * 1024];
	struct sink *to = zip_write_sink(z->to);
	bool ok = fseek(from, 0, SEEK_SET) == 0 && !ferror(from);
	begin(z, path);
	for (size_t n; ok && (n = fread(room, 1, sizeof room, from)) > 0;)
		ok = to->put(to, (struct str){ room, n });
	if (ok && !ferror(from))
		return end(z, path, count);
	log_error("a temporary file cannot be used: %m");
	return RC_UNAVAILABLE;
}

static enum rc put_manifest(struct zip *z)
{
	struct sink *to = zip_write_sink(z->to);
	struct zip_made made;
	json_array_end(&z->manifest);
	json_object_end(&z->manifest);
	buf_put_char(z->manifest.out, '\n');
	begin(z, "planwright/manifest.json");
	enum rc rc = export_flush(z->manifest.out, to);
	return !zip_write_end(z->to, &made) ? RC_UNAVAILABLE : rc;
}

/* The zip -------------------------------------------------------------------------- */

static void begin_manifest(struct zip *z, struct buf *text)
{
	struct json *j = &z->manifest;
	struct buf now = { 0 };
	when_put_iso(&now, z->x->now);
	json_init(j, text);
	json_object(j);
	json_key(j, "kind");
	json_z(j, "planwright_export");
	json_key(j, "format");
	json_int(j, FORMAT);
	json_key(j, "version");
	json_z(j, PACKAGE_VERSION);
	json_key(j, "exported_at");
	json_str(j, buf_str(&now));
	json_key(j, "base_url");
	json_z(j, z->x->conf->base_url);
	json_key(j, "project");
	json_object(j);
	json_key(j, "id");
	json_int(j, z->x->project);
	json_key(j, "name");
	json_str(j, z->x->name);
	json_key(j, "version");
	json_int(j, z->x->version);
	json_object_end(j);
	json_key(j, "files");
	json_array(j);
	buf_free(&now);
}

static enum rc put_all(struct zip *z, bool plain, FILE *spool)
{
	struct export *x = z->x;
	int64_t n_files = 0;
	/* A small entry first, so that a download begins before a large project is looked through. */
	enum rc rc = plain ? RC_OK : put_lines(z, 0);
	if (!rc)
		rc = load_ids(x, EXPORT_STORIES, &z->stories);
	if (!rc)
		rc = load_ids(x, EXPORT_EPICS, &z->epics);
	if (!rc)
		rc = put_csv(z);
	if (!rc)
		rc = export_files(x, z->to, z->top, spool, &n_files);
	if (rc || plain)
		return rc;
	for (int i = 1; i < EXPORT_LINES && !rc; i++)
		rc = put_lines(z, i);
	if (!rc)
		rc = put_spooled(z, "planwright/files.jsonl", spool, n_files);
	return rc ? rc : put_manifest(z);
}

enum rc export_zip(struct export *x, bool plain, struct sink *to)
{
	struct buf text = { 0 };
	struct zip z = { .x = x, .top = arena_printf(&x->all, "%s-export", x->stem.p).p };
	FILE *spool = tmpfile();
	if (!spool) {
		log_error("no temporary file can be created: %m");
		return RC_UNAVAILABLE;
	}
	z.to = zip_write_open(to);
	begin_manifest(&z, &text);
	enum rc rc = put_all(&z, plain, spool);
	if (!zip_write_close(z.to, !rc) && !rc)
		rc = RC_UNAVAILABLE;
	fclose(spool);
	buf_free(&text);
	return rc;
}
