#include "transfer/settle/import_context.h"

#include <stdarg.h>
#include <string.h>

#include "transfer/settle/import_sentences.h"

enum rc context_sql(struct import_context *w, const char *sql, int n, const struct db_param *params)
{
	struct rows *rows;
	enum rc rc = db_query(w->db, sql, n, params, &rows);
	db_end(w->db);
	return rc;
}

/* Notes which statement failed, for whoever fixes it. */
static enum rc failed(struct import_context *w, enum rc rc, const char *name)
{
	if (!w->problem.p)
		w->problem = arena_printf(w->arena, "%s: %s", name, db_problem(w->db));
	return rc;
}

enum rc context_run(struct import_context *w, enum stmt stmt, int n, const struct db_param *params)
{
	enum rc rc = context_sql(w, stmt_texts[stmt].sql, n, params);
	return rc ? failed(w, rc, stmt_texts[stmt].name) : RC_OK;
}

enum rc context_rows(struct import_context *w, enum stmt stmt, int n, const struct db_param *params,
	struct rows **rows)
{
	db_end(w->db);
	enum rc rc = db_run(w->db, stmt, n, params, rows);
	return rc ? failed(w, rc, stmt_texts[stmt].name) : RC_OK;
}

struct db_param context_int(struct import_context *w, int64_t v)
{
	return db_int_or_null(w->arena, v, NIL);
}

struct db_param context_z(struct import_context *w, const char *z)
{
	return db_text(w->arena, str_of(z));
}

void context_progress(struct import_context *w, const char *what, int64_t done, int64_t all)
{
	if (w->options->progress && !w->must_end)
		w->must_end = !w->options->progress(w->options->arg, what, done, all);
}

void context_refuse(struct import_context *w, const char *code, const char *format, ...)
{
	va_list args;
	va_start(args, format);
	struct str message = arena_vprintf(w->arena, format, args);
	va_end(args);
	report_say(w->report, INTAKE_ERROR, NIL, NULL, code, "%s", message.p);
}

void context_fail(struct import_context *w, const char *format, ...)
{
	va_list args;
	va_start(args, format);
	w->problem = arena_vprintf(w->arena, format, args);
	va_end(args);
}

bool context_is_refused(const struct import_context *w)
{
	return report_status(w->report) == IMPORT_REFUSED;
}

/* Remarks --------------------------------------------------------------------------- */

static int64_t number_of(const struct rows *rows, int i, const char *name, int64_t none)
{
	int c = db_column(rows, name);
	return c < 0 || db_is_null(rows, i, c) ? none : db_get_int(rows, i, c);
}

struct intake_place context_place(const struct rows *rows, int row)
{
	return (struct intake_place){ (int)number_of(rows, row, "at_file", -1),
		number_of(rows, row, "at_line", 0), number_of(rows, row, "at_row", 0) };
}

struct places {
	const struct rows *rows;
	int row;
};

/* The value of a column, as text. */
static struct str column_of(const void *places, const char *name)
{
	const struct places *p = places;
	int c = db_column(p->rows, name);
	return c < 0 || db_is_null(p->rows, p->row, c) ? (struct str){ 0 }
						       : db_get_text(p->rows, p->row, c);
}

void context_say(struct import_context *w, struct str sentence, struct intake_place at, int64_t id,
	struct str (*value_of)(const void *of, const char *name), const void *of)
{
	const struct import_sentence *s = import_sentence_of(sentence);
	struct buf message = { 0 }, column = { 0 };
	import_sentence_print(&message, s->text, value_of, of);
	import_sentence_print(&column, s->column ? s->column : "", value_of, of);
	buf_put_char(&column, '\0');
	const struct intake_remark r = {
		.severity = s->severity,
		.at = at,
		.id = id,
		.column = s->column ? column.p : NULL,
		.code = s->code,
		.message = buf_str(&message),
	};
	report_remark(w->report, &r);
	buf_free(&message);
	buf_free(&column);
}

static void put_remark(struct import_context *w, const struct rows *rows, int i, void *to)
{
	const struct places places = { rows, i };
	const struct str sentence = column_of(&places, "sentence");
	(void)to;
	context_say(w, sentence, context_place(rows, i), number_of(rows, i, "id", NIL), column_of,
		&places);
	w->lost += import_sentence_of(sentence)->severity == INTAKE_LOST;
}

enum rc context_walk(struct import_context *w, const char *sql,
	void (*each)(struct import_context *w, const struct rows *rows, int row, void *to),
	void *to)
{
	struct buf declare = { 0 };
	buf_printf(&declare, "declare import_lines cursor for %s", sql);
	buf_put_char(&declare, '\0');
	enum rc rc = context_sql(w, declare.p, 0, NULL);
	buf_free(&declare);
	for (int n = 1; !rc && n > 0;) {
		struct rows *rows;
		rc = db_query(w->db, "fetch 500 from import_lines", 0, NULL, &rows);
		n = rc ? 0 : db_count(rows);
		for (int i = 0; i < n; i++)
			each(w, rows, i, to);
		db_end(w->db);
	}
	return rc ? rc : context_sql(w, "close import_lines", 0, NULL);
}

enum rc context_remarks(struct import_context *w, const char *sql)
{
	w->lost = 0;
	return context_walk(w, sql, put_remark, NULL);
}
