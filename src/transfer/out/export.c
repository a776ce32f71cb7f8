#include "transfer/out/export.h"

#include "lib/log.h"
#include "lib/when.h"
#include "transfer/out/export_csv.h"

/* Stories in a piece, if their texts are short. */
enum { PIECE = 500 };

/* A statement may take this long: nobody waits for the locks of a reader. */
#define BEGIN                                                                                      \
	"begin isolation level repeatable read read only; set local statement_timeout = '10min'"

/* "My Projéct" becomes "my_proj_ct", as in the original. */
static void put_slug(struct buf *b, struct str name)
{
	for (size_t i = 0; i < name.n && b->n < 100; i++) {
		char c = name.p[i];
		if (c >= 'A' && c <= 'Z')
			c = (char)(c - 'A' + 'a');
		bool plain = (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9');
		if (((unsigned char)c & 0xc0) != 0x80) /* one character for each code point */
			buf_put_char(b, plain ? c : '_');
	}
}

static struct str make_stem(struct arena *a, struct str name, int64_t now)
{
	struct buf b = { 0 }, at = { 0 };
	put_slug(&b, name);
	when_put_iso(&at, now);
	const char *t = at.p; /* 2024-01-31T23:59:59Z */
	buf_printf(&b, "_%.4s%.2s%.2s_%.2s%.2s%.2s", t, t + 5, t + 8, t + 11, t + 14, t + 17);
	struct str stem = arena_str(a, buf_str(&b));
	buf_free(&b);
	buf_free(&at);
	return stem;
}

static enum rc take_head(struct export *x)
{
	const struct db_param id = db_int(&x->piece, x->project);
	struct rows *rows;
	db_send(x->db, STMT_EXPORT_HEAD, 1, &id);
	db_flush(x->db);
	enum rc rc = db_next(x->db, &rows);
	if (rc)
		return rc;
	if (db_count(rows) == 0)
		return RC_UNFOUND_RESOURCE;
	x->name = arena_str(&x->all, db_get_text(rows, 0, db_column(rows, "name")));
	x->version = db_get_int(rows, 0, db_column(rows, "version"));
	x->now = db_get_time(rows, 0, db_column(rows, "now"));
	x->stem = make_stem(&x->all, x->name, x->now);
	return export_settle(x);
}

enum rc export_begin(
	struct export *x, struct db *db, const struct conf *conf, int64_t project, int64_t person)
{
	*x = (struct export){ .db = db, .conf = conf, .project = project, .person = person };
	enum rc rc = db_script(db, BEGIN);
	return rc ? rc : take_head(x);
}

void export_end(struct export *x)
{
	db_end(x->db);
	if (db_script(x->db, "rollback"))
		log_warn("the end of an export: %s", db_problem(x->db));
	arena_free(&x->piece);
	arena_free(&x->all);
}

/* Pieces ------------------------------------------------------------------------- */

enum rc export_settle(struct export *x)
{
	db_commit(x->db); /* only the pipeline: the transaction was begun by a statement */
	enum rc rc = db_finish(x->db);
	export_forget(x);
	return rc;
}

void export_forget(struct export *x)
{
	db_end(x->db);
	arena_reset(&x->piece);
}

enum rc export_flush(struct buf *text, struct sink *to)
{
	bool ok = text->n == 0 || to->put(to, buf_str(text));
	text->n = 0;
	return ok ? RC_OK : RC_UNAVAILABLE;
}

enum rc export_cut(struct export *x, struct export_ids *ids, enum export_kind kind)
{
	enum { LOOK = 500, BYTES = 4 << 20 };
	int64_t bytes = 0;
	ids->ends = arena_array(&x->all, ids->n, sizeof *ids->ends);
	for (size_t at = 0; at < ids->n; at += LOOK) {
		size_t n = ids->n - at < LOOK ? ids->n - at : LOOK;
		const struct db_param param = db_ids(&x->piece, ids->v + at, n);
		struct rows *rows;
		db_send(x->db, kind == EXPORT_STORIES ? STMT_EXPORT_SIZES : STMT_EXPORT_EPIC_SIZES,
			1, &param);
		db_flush(x->db);
		enum rc rc = db_next(x->db, &rows);
		for (size_t i = 0; !rc && i < n; i++) {
			bytes += db_get_int(rows, (int)i, 0);
			size_t begin = ids->n_ends ? ids->ends[ids->n_ends - 1] : 0;
			if (bytes < BYTES && at + i + 1 - begin < PIECE && at + i + 1 < ids->n)
				continue;
			ids->ends[ids->n_ends++] = at + i + 1;
			bytes = 0;
		}
		if (!rc)
			rc = export_settle(x);
		if (rc)
			return rc;
	}
	return RC_OK;
}

/* CSV ---------------------------------------------------------------------------- */

static enum rc measure(struct export *x, struct export_csv *csv, const struct export_ids *ids,
	enum export_kind kind)
{
	size_t at = 0;
	enum rc rc = RC_OK;
	for (size_t i = 0; i < ids->n_ends && !rc; at = ids->ends[i++]) {
		const int64_t *v = ids->v + at;
		size_t n = ids->ends[i] - at;
		rc = kind == EXPORT_STORIES ? export_csv_measure(csv, v, n, NULL, 0)
					    : export_csv_measure(csv, NULL, 0, v, n);
		if (!rc)
			rc = export_settle(x);
	}
	return rc;
}

static enum rc put_rows(struct export *x, struct export_csv *csv, const struct export_ids *ids,
	enum export_kind kind, struct sink *to)
{
	size_t at = 0;
	enum rc rc = RC_OK;
	for (size_t i = 0; i < ids->n_ends && !rc; at = ids->ends[i++]) {
		size_t n = ids->ends[i] - at;
		rc = kind == EXPORT_STORIES ? export_csv_put_stories(csv, ids->v + at, n)
					    : export_csv_put_epics(csv, ids->v + at, n);
		if (!rc)
			rc = export_settle(x);
		if (!rc)
			rc = export_flush(csv->csv.out, to);
	}
	return rc;
}

enum rc export_csv(struct export *x, const struct export_ids *stories,
	const struct export_ids *epics, struct sink *to)
{
	struct export_csv csv;
	struct buf text = { 0 };
	export_csv_init(&csv, &x->all, x->db, x->conf->base_url, &text);
	csv.piece = &x->piece;
	enum rc rc = measure(x, &csv, stories, EXPORT_STORIES);
	if (!rc)
		rc = measure(x, &csv, epics, EXPORT_EPICS);
	if (!rc) {
		export_csv_put_header(&csv);
		rc = export_flush(&text, to);
	}
	if (!rc)
		rc = put_rows(x, &csv, epics, EXPORT_EPICS, to);
	if (!rc)
		rc = put_rows(x, &csv, stories, EXPORT_STORIES, to);
	buf_free(&text);
	return rc;
}
