#include "transfer/merge/text_refs.h"

#include <stdlib.h>

#include "domain/blocker.h"

enum { AT_ONCE = 500 };

/* Replacing -------------------------------------------------------------------------- */

static int compare(const void *a, const void *b)
{
	int64_t x = ((const struct ref *)a)->from, y = ((const struct ref *)b)->from;
	return x < y ? -1 : x > y;
}

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

/* The number at `from`, up to the first other character; 0 if it has too many digits, or none. */
static int64_t number_at(struct str s, size_t from, size_t *end)
{
	int64_t v = 0;
	for (*end = from; *end < s.n && is_digit(s.p[*end]); ++*end)
		v = *end - from < 18 ? v * 10 + (s.p[*end] - '0') : 0;
	return *end - from > 18 ? 0 : v;
}

struct str refs_replace(struct arena *a, struct str text, const struct ref *stories,
	size_t n_stories, const struct ref *epics, size_t n_epics)
{
	struct buf out = { 0 };
	size_t done = 0;
	for (size_t i = 0; i < text.n;) {
		size_t hashes = i, end;
		while (hashes < text.n && text.p[hashes] == '#')
			hashes++;
		if (hashes == i) {
			i++;
			continue;
		}
		struct ref key = { number_at(text, hashes, &end), 0 };
		bool is_epic = hashes - i == 2;
		const struct ref *ref = hashes - i > 2 || key.from == 0
			? NULL
			: bsearch(&key, is_epic ? epics : stories, is_epic ? n_epics : n_stories,
				  sizeof key, compare);
		if (ref) {
			buf_put(&out, text.p + done, hashes - done);
			buf_put_int(&out, ref->to);
			done = end;
		}
		i = end;
	}
	if (done == 0)
		return (struct str){ 0 };
	buf_put(&out, text.p + done, text.n - done);
	struct str copy = arena_str(a, buf_str(&out));
	buf_free(&out);
	return copy;
}

/* Those that were renamed -------------------------------------------------------------- */

struct refs {
	struct ref *v[2]; /* stories, epics */
	size_t n[2];
};

static enum rc load(struct import_context *w, enum stmt stmt, struct ref **v, size_t *n)
{
	struct rows *rows;
	enum rc rc = context_rows(w, stmt, 0, NULL, &rows);
	*n = rc ? 0 : (size_t)db_count(rows);
	*v = calloc(*n + 1, sizeof **v);
	for (size_t i = 0; *v && i < *n; i++)
		(*v)[i] = (struct ref){ db_get_int(rows, (int)i, db_column(rows, "ref")),
			db_get_int(rows, (int)i, db_column(rows, "id")) };
	if (!*v)
		*n = 0;
	db_end(w->db);
	return rc;
}

/* Rewrites texts of one column, a few at a time: those that name something that was renamed. */
static enum rc rename_page(struct import_context *w, const struct refs *refs, enum stmt read,
	enum stmt write, int64_t *last)
{
	struct arena a = { 0 };
	struct rows *rows;
	int64_t ids[AT_ONCE];
	struct str texts[AT_ONCE];
	size_t n = 0;
	const struct db_param param = db_int(&a, *last);
	enum rc rc = context_rows(w, read, 1, &param, &rows);
	int count = rc ? 0 : db_count(rows);
	*last = INT64_MAX;
	for (int i = 0; i < count && i < AT_ONCE; i++) {
		*last = ids[n] = db_get_int(rows, i, db_column(rows, "n"));
		texts[n] = refs_replace(&a, db_get_text(rows, i, db_column(rows, "text")),
			refs->v[0], refs->n[0], refs->v[1], refs->n[1]);
		n += texts[n].p != NULL;
	}
	if (!rc && n) {
		const struct db_param params[] = { db_ids(&a, ids, n), db_texts(&a, texts, n) };
		rc = context_run(w, write, 2, params);
	}
	arena_free(&a);
	return rc;
}

enum rc refs_rename(struct import_context *w)
{
	static const struct {
		enum stmt read, write;
	} columns[] = {
		{ STMT_IMPORT_REFS_STORY_NAME, STMT_IMPORT_SET_STORY_NAME },
		{ STMT_IMPORT_REFS_STORY, STMT_IMPORT_SET_STORY },
		{ STMT_IMPORT_REFS_EPIC, STMT_IMPORT_SET_EPIC },
		{ STMT_IMPORT_REFS_COMMENT, STMT_IMPORT_SET_COMMENT },
		{ STMT_IMPORT_REFS_TASK, STMT_IMPORT_SET_TASK },
		{ STMT_IMPORT_REFS_BLOCKER, STMT_IMPORT_SET_BLOCKER },
	};
	static const char *const tables[] = { "create index on merged_story (n)",
		"create index on staged_comment (n)", "create index on staged_task (n)",
		"create index on staged_blocker (n)" };
	struct refs refs = { 0 };
	enum rc rc = load(w, STMT_IMPORT_RENAMED_STORIES, &refs.v[0], &refs.n[0]);
	if (!rc)
		rc = load(w, STMT_IMPORT_RENAMED_EPICS, &refs.v[1], &refs.n[1]);
	w->renamed = refs.n[0] + refs.n[1] > 0;
	for (size_t i = 0; i < sizeof tables / sizeof *tables && refs.n[0] + refs.n[1] && !rc; i++)
		rc = context_sql(w, tables[i], 0, NULL);
	for (size_t i = 0; i < sizeof columns / sizeof *columns && refs.n[0] + refs.n[1]; i++)
		for (int64_t last = INT64_MIN; last != INT64_MAX && !rc;)
			rc = rename_page(w, &refs, columns[i].read, columns[i].write, &last);
	free(refs.v[0]);
	free(refs.v[1]);
	return rc;
}

/* Blockers ------------------------------------------------------------------------------ */

/* Each id that a text names makes a row: the blocker's number and the id. */
static enum rc block_page(struct import_context *w, int64_t *last)
{
	struct arena a = { 0 };
	struct rows *rows;
	struct buf copy = { 0 };
	const struct db_param param = db_int(&a, *last);
	enum rc rc = context_rows(w, STMT_IMPORT_REFS_BLOCKING, 1, &param, &rows);
	int count = rc ? 0 : db_count(rows);
	*last = INT64_MAX;
	for (int i = 0; i < count; i++) {
		struct ids named = blocker_names(&a, db_get_text(rows, i, db_column(rows, "text")));
		*last = db_get_int(rows, i, db_column(rows, "n"));
		for (size_t k = 0; k < named.n; k++)
			buf_printf(&copy, "%lld\t%lld\n", (long long)*last, (long long)named.v[k]);
	}
	db_end(w->db);
	if (!rc && copy.n)
		rc = db_copy(w->db, "copy import_blocking from stdin", buf_str(&copy));
	buf_free(&copy);
	arena_free(&a);
	return rc;
}

enum rc refs_block(struct import_context *w)
{
	enum rc rc = context_sql(w,
		"create temp table import_blocking (n bigint, id bigint) on commit drop", 0, NULL);
	if (!rc)
		rc = context_sql(w, "create index on merged_blocker (n)", 0, NULL);
	for (int64_t last = INT64_MIN; last != INT64_MAX && !rc;)
		rc = block_page(w, &last);
	return rc ? rc : context_run(w, STMT_IMPORT_BLOCKING, 0, NULL);
}
