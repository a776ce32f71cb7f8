#include <string.h>

#include "store/raise_ids.h"
#include "transfer/merge/import_columns.h"
#include "transfer/settle/stage_value.h"

/* Statements --------------------------------------------------------------------------- */

/*
 * The columns of a field in the first of two records: what it does not say comes from the other,
 * and so does a person of whom it has only the name.
 */
static void put_fold_field(struct buf *to, const struct stage_field *f)
{
	struct buf columns = { 0 };
	stage_value_columns(&columns, f);
	struct str rest = buf_str(&columns);
	for (str_cut(&rest, ','); rest.p;) {
		struct str part = str_trim(str_cut(&rest, ','));
		int n = (int)str_cut(&part, ' ').n;
		const char *c = columns.p + (part.p - n - 1 - columns.p);
		buf_printf(to, ", %.*s = coalesce(", n, c);
		if (f->type == STAGE_PERSON)
			buf_printf(to, "case when s.%.*s like 'name:%%' then o.%.*s end, ", n, c, n,
				c);
		else if (f->type == STAGE_PEOPLE)
			buf_printf(to,
				"case when s.%.*s[1] like 'name:%%' and cardinality(o.%.*s) >="
				" cardinality(s.%.*s) then o.%.*s end, ",
				n, c, n, c, n, c, n, c);
		buf_printf(to, "s.%.*s, o.%.*s)", n, c, n, c);
	}
	buf_free(&columns);
}

static void put_fold(struct buf *to, enum intake_kind kind)
{
	for (int i = 0; i < stage_kind_of(kind)->n; i++)
		if (strcmp(stage_kind_of(kind)->fields[i].name, "id") != 0)
			put_fold_field(to, &stage_kind_of(kind)->fields[i]);
}

static void put_sequence(struct buf *to, const struct resource *r)
{
	buf_printf(to, "%s%s", r->sequence ? r->sequence : r->table, r->sequence ? "" : "_id_seq");
}

/* Words that stand for lists of columns. */
static bool put_columns(
	struct buf *to, const struct import_kind *k, struct str word, const char *sql)
{
	if (str_equal_z(word, "columns"))
		import_columns_all(to, k);
	else if (str_equal_z(word, "compared"))
		import_columns_compared(to, k);
	else if (str_equal_z(word, "updated"))
		import_columns_updated(to, k);
	else if (str_equal_z(word, "rest"))
		import_columns_rest(to, k, sql);
	else if (str_equal_z(word, "unsaid"))
		import_columns_unsaid(to, k, sql);
	else if (str_equal_z(word, "sequence"))
		put_sequence(to, intake_resource(k->kind));
	else if (str_equal_z(word, "fold"))
		put_fold(to, k->kind);
	else
		return false;
	return true;
}

/* {refs story_id}: the ids that records in the files refer to; a table may have them as numbers. */
static void put_refs(struct buf *to, const char *column)
{
	bool is_next = false;
	for (int kind = 0; kind < INTAKE__MAX; kind++) {
		const struct stage_kind *k = stage_kind_of((enum intake_kind)kind);
		for (int i = 0; i < k->n; i++) {
			const char *name = k->fields[i].name;
			if (k->fields[i].type != STAGE_ID ||
				(strcmp(name, column) != 0 && strcmp(name, "number") != 0))
				continue;
			buf_printf(to, "%sselect %s from staged_%s", is_next ? " union " : "", name,
				intake_kinds[kind]);
			is_next = true;
		}
	}
}

/* {made story_id}: the ids of what new parts belong to. */
static void put_made(struct buf *to, const char *column)
{
	bool is_next = false;
	for (int i = 0; i < import_kinds_count; i++) {
		const struct resource *r = intake_resource(import_kinds[i].kind);
		if (r->depth != 2 || resource_field(r, column) < 0)
			continue;
		buf_printf(to, "%sselect %s from merged_%s where action = 'create'",
			is_next ? " union " : "", column, intake_kinds[import_kinds[i].kind]);
		is_next = true;
	}
}

/* Two words: what, and a column. {said deadline}: the bits that mean that it was said. */
static bool put_two(struct buf *to, const struct import_kind *k, struct str word)
{
	char column[64];
	struct str what = str_cut(&word, ' ');
	str_print(column, sizeof column, "%.*s", (int)word.n, word.p ? word.p : "");
	if (str_equal_z(what, "said") && word.p)
		buf_put_int(to, stage_bits(k->kind, column));
	else if (str_equal_z(what, "refs") && word.p)
		put_refs(to, column);
	else if (str_equal_z(what, "made") && word.p)
		put_made(to, column);
	else
		return false;
	return true;
}

static bool put_word(struct buf *to, const struct import_kind *k, struct str word, const char *sql)
{
	bool is_shown = k->kind == INTAKE_STORY || k->kind == INTAKE_COMMENT;
	const struct {
		const char *name, *text;
	} words[] = { { "kind", intake_kinds[k->kind] },
		{ "table", intake_resource(k->kind)->table }, { "here", k->here },
		{ "natural", k->natural }, { "mine", k->mine }, { "parent", k->parent },
		{ "alike", k->alike }, { "which", k->which }, { "field", k->field },
		{ "stamped", is_shown ? ", imported_at, imported_by_id" : "" },
		{ "stamps",
			is_shown ? ", (select r.now from import_run r),"
				   " (select r.performer from import_run r)"
				 : "" } };
	for (size_t i = 0; i < sizeof words / sizeof *words; i++)
		if (words[i].text && str_equal_z(word, words[i].name)) {
			buf_put_z(to, words[i].text);
			return true;
		}
	return put_columns(to, k, word, sql) || put_two(to, k, word);
}

/* The statement with a kind's words filled in, NUL-terminated. */
static void put_statement(struct buf *to, const struct import_kind *k, enum stmt stmt)
{
	const char *at = stmt_texts[stmt].sql;
	while (*at) {
		const char *end = *at == '{' ? strchr(at, '}') : NULL;
		if (end &&
			put_word(to, k, (struct str){ at + 1, (size_t)(end - at - 1) },
				stmt_texts[stmt].sql))
			at = end + 1;
		else
			buf_put_char(to, *at++);
	}
	buf_put_char(to, '\0');
}

enum rc import_kind_run(struct import_context *w, const struct import_kind *k, enum stmt stmt,
	int n, const struct db_param *params)
{
	struct buf sql = { 0 };
	put_statement(&sql, k, stmt);
	enum rc rc = context_sql(w, sql.p, n, params);
	if (rc && !w->problem.p)
		w->problem = arena_printf(w->arena, "%s of a %s: %s", stmt_texts[stmt].name,
			intake_kinds[k->kind], db_problem(w->db));
	buf_free(&sql);
	return rc;
}

static enum rc step(struct import_context *w, const struct import_kind *k, enum stmt stmt)
{
	return import_kind_run(w, k, stmt, 0, NULL);
}

/* The rows live until the next statement. */
static enum rc ask(
	struct import_context *w, const struct import_kind *k, enum stmt stmt, struct rows **rows)
{
	struct buf sql = { 0 };
	put_statement(&sql, k, stmt);
	db_end(w->db);
	enum rc rc = db_query(w->db, sql.p, 0, NULL, rows);
	buf_free(&sql);
	return rc;
}

static enum rc analyze(struct import_context *w, const char *what, const struct import_kind *k)
{
	char sql[100];
	str_print(sql, sizeof sql, "analyze %s_%s", what, intake_kinds[k->kind]);
	return context_sql(w, sql, 0, NULL);
}

/* Records of one thing ------------------------------------------------------------------- */

static enum rc fold_ids(struct import_context *w, const struct import_kind *k)
{
	struct rows *rows;
	enum rc rc = ask(w, k, STMT_IMPORT_DUPLICATES, &rows);
	int64_t most = rc ? 0 : db_get_int(rows, 0, 0);
	db_end(w->db);
	if (rc || most < 2)
		return rc;
	rc = step(w, k, STMT_IMPORT_DUPLICATE_TABLE);
	for (int64_t turn = 2; turn <= most && turn <= 8 && !rc; turn++) {
		struct db_param param = db_int(w->arena, turn);
		rc = import_kind_run(w, k, STMT_IMPORT_DUPLICATE_MERGE, 1, &param);
	}
	return rc ? rc : step(w, k, STMT_IMPORT_DUPLICATE_DELETE);
}

/* Needed only if there are several files, or records with and without ids. */
static enum rc fold_alike(struct import_context *w, const struct import_kind *k)
{
	struct rows *rows;
	enum rc rc = ask(w, k, STMT_IMPORT_IDS_GIVEN, &rows);
	if (rc)
		return rc;
	bool has_none = db_get_bool(rows, 0, db_column(rows, "has_none"));
	bool has_ids = db_get_bool(rows, 0, db_column(rows, "has_ids"));
	bool has_files = db_get_bool(rows, 0, db_column(rows, "has_files"));
	db_end(w->db);
	if (has_none && (has_ids || has_files))
		rc = step(w, k, STMT_IMPORT_MATCH_ACROSS_FILES);
	if (!rc && has_none && has_ids && k->kind == INTAKE_COMMENT)
		rc = step(w, k, STMT_IMPORT_MATCH_COMMENTS_BY_DAY);
	return rc;
}

enum rc import_kind_fold(struct import_context *w, const struct import_kind *k)
{
	enum rc rc = RC_OK;
	if (stage_count(w->stage, k->kind) == 0)
		return RC_OK;
	if (k->kind != INTAKE_GOOGLE)
		rc = fold_ids(w, k);
	return rc || !k->parent ? rc : fold_alike(w, k);
}

/* Ids ------------------------------------------------------------------------------------ */

static enum rc find_known(struct import_context *w, const struct import_kind *k)
{
	enum rc rc = step(w, k, STMT_IMPORT_MATCH_IMPORTED_ID);
	if (!rc)
		rc = step(w, k, STMT_IMPORT_MATCH_IMPORTED_KEY);
	if (!rc)
		rc = step(w, k, STMT_IMPORT_MATCH_EXISTING_ID);
	return rc || !k->natural ? rc : step(w, k, STMT_IMPORT_MATCH_EXISTING_KEY);
}

/* New ids come after all that are kept. */
static enum rc pass_kept(struct import_context *w, const struct import_kind *k)
{
	struct rows *rows;
	enum rc rc = ask(w, k, STMT_IMPORT_HIGHEST_ID, &rows);
	if (rc || db_count(rows) == 0)
		return rc;
	const struct str sequence = arena_str(w->arena, db_get_text(rows, 0, 0));
	return raise_ids(w->db, w->arena, sequence, db_get_int(rows, 0, 1));
}

enum rc import_kind_name(struct import_context *w, const struct import_kind *k)
{
	enum rc rc = analyze(w, "merged", k);
	/* A new project has only review types and what earlier steps made. */
	if (!rc && (!w->is_new || k->kind == INTAKE_REVIEW_TYPE))
		rc = find_known(w, k);
	if (!rc)
		rc = step(w, k, STMT_IMPORT_IDS_IN_USE);
	if (!rc)
		rc = step(w, k, STMT_IMPORT_KEEP_IDS);
	if (!rc)
		rc = pass_kept(w, k);
	return rc ? rc : step(w, k, STMT_IMPORT_NEW_IDS);
}

/* Rows ----------------------------------------------------------------------------------- */

enum rc import_kind_decide(struct import_context *w, const struct import_kind *k)
{
	bool is_first = w->is_new && k->kind != INTAKE_REVIEW_TYPE;
	enum rc rc = step(w, k, is_first ? STMT_IMPORT_DIGEST : STMT_IMPORT_COMPARE);
	return rc ? rc : analyze(w, "merged", k);
}

static enum rc count(struct import_context *w, const struct import_kind *k, int64_t *updates)
{
	struct rows *rows;
	*updates = 0;
	enum rc rc = ask(w, k, STMT_IMPORT_COUNTS, &rows);
	for (int i = 0; !rc && i < db_count(rows); i++) {
		struct str action = db_get_text(rows, i, db_column(rows, "action"));
		int64_t n = db_get_int(rows, i, db_column(rows, "n"));
		enum report_end end = str_equal_z(action, "create") ? REPORT_CREATED
			: str_equal_z(action, "update")             ? REPORT_UPDATED
			: str_equal_z(action, "same")               ? REPORT_SAME
								    : REPORT_SKIPPED;
		report_count(w->report, k->kind, end, n);
		if (end == REPORT_CREATED || end == REPORT_UPDATED)
			w->changes += n;
		*updates += end == REPORT_UPDATED ? n : 0;
	}
	return rc;
}

enum rc import_kind_remark(struct import_context *w, const struct import_kind *k, enum stmt stmt)
{
	struct buf sql = { 0 };
	put_statement(&sql, k, stmt);
	enum rc rc = context_remarks(w, sql.p);
	buf_free(&sql);
	return rc;
}

enum rc import_kind_write(struct import_context *w, const struct import_kind *k)
{
	int64_t updates;
	enum rc rc = import_kind_remark(w, k, STMT_IMPORT_REMARKS);
	if (!rc && k->parent && stage_count(w->stage, k->kind)) {
		rc = import_kind_remark(w, k, STMT_IMPORT_REPORT_ORPHANS);
		report_count(w->report, k->kind, REPORT_LOST, w->lost);
	}
	if (rc || context_is_refused(w) || (rc = count(w, k, &updates)))
		return rc;
	context_progress(w, intake_kinds[k->kind], 0, 0);
	rc = step(w, k, STMT_IMPORT_INSERT);
	if (!rc && updates && resource_field(intake_resource(k->kind), "updated_at") >= 0)
		rc = step(w, k, STMT_IMPORT_TOUCH);
	if (!rc && updates)
		rc = step(w, k, STMT_IMPORT_UPDATE);
	return rc ? rc : step(w, k, STMT_IMPORT_REMEMBER);
}
