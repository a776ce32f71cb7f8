#include "transfer/read/sqlite_open.h"

#include <ctype.h>
#include <string.h>
#include <sys/stat.h>

#include "lib/buf.h"

enum { STEPS = 10000, MEMORY_MAX = 64 << 20 };

/* Allows nothing but reading. */
static int may(void *arg, int action, const char *a, const char *b, const char *c, const char *d)
{
	(void)arg;
	(void)a;
	(void)b;
	(void)c;
	(void)d;
	switch (action) {
	case SQLITE_SELECT:
	case SQLITE_READ: return SQLITE_OK;
	default: return SQLITE_DENY;
	}
}

static struct str uri_of(struct arena *a, const char *path)
{
	struct buf uri = { 0 };

	buf_put_z(&uri, "file:");
	for (; *path; path++) {
		if (isalnum((unsigned char)*path) || strchr("/._-", *path))
			buf_put_char(&uri, *path);
		else
			buf_printf(&uri, "%%%02X", (unsigned char)*path);
	}
	buf_put_z(&uri, "?mode=ro&immutable=1");
	struct str text = arena_str(a, buf_str(&uri));
	buf_free(&uri);
	return text;
}

static void bound(sqlite3 *db)
{
	static const struct {
		int what, most;
	} limits[] = { { SQLITE_LIMIT_LENGTH, SQLITE_VALUE_MAX },
		{ SQLITE_LIMIT_SQL_LENGTH, 64 * 1024 }, { SQLITE_LIMIT_COLUMN, 200 },
		{ SQLITE_LIMIT_EXPR_DEPTH, 50 }, { SQLITE_LIMIT_COMPOUND_SELECT, 4 },
		{ SQLITE_LIMIT_VDBE_OP, 25000 }, { SQLITE_LIMIT_FUNCTION_ARG, 8 },
		{ SQLITE_LIMIT_ATTACHED, 0 }, { SQLITE_LIMIT_LIKE_PATTERN_LENGTH, 64 },
		{ SQLITE_LIMIT_VARIABLE_NUMBER, 8 }, { SQLITE_LIMIT_TRIGGER_DEPTH, 1 },
		{ SQLITE_LIMIT_WORKER_THREADS, 0 } };

	for (size_t i = 0; i < sizeof(limits) / sizeof(limits[0]); i++)
		sqlite3_limit(db, limits[i].what, limits[i].most);
	sqlite3_db_config(db, SQLITE_DBCONFIG_DEFENSIVE, 1, NULL);
	sqlite3_db_config(db, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, NULL);
	sqlite3_db_config(db, SQLITE_DBCONFIG_ENABLE_TRIGGER, 0, NULL);
	sqlite3_db_config(db, SQLITE_DBCONFIG_ENABLE_VIEW, 0, NULL);
	sqlite3_db_config(db, SQLITE_DBCONFIG_ENABLE_LOAD_EXTENSION, 0, NULL);
	sqlite3_db_config(db, SQLITE_DBCONFIG_DQS_DML, 0, NULL);
	sqlite3_db_config(db, SQLITE_DBCONFIG_DQS_DDL, 0, NULL);
	sqlite3_exec(db,
		"pragma cell_size_check = on; pragma mmap_size = 0; "
		"pragma query_only = on; pragma cache_size = -4096",
		NULL, NULL, NULL);
	sqlite3_set_authorizer(db, may, NULL);
}

/* The latest changes may be in a file next to it, which is not opened. */
static bool has_log(struct arena *a, const char *path)
{
	struct stat st;

	return stat(arena_printf(a, "%s-wal", path).p, &st) == 0 && st.st_size > 0;
}

/* Stops what never ends: a tree whose branches meet again has more rows than the file has bytes. */
struct steps {
	struct intake *in;
	int64_t left;
};

static int count_steps(void *arg)
{
	struct steps *steps = arg;

	steps->left -= STEPS;
	return steps->left < 0 || !intake_goes_on(steps->in);
}

sqlite3 *sqlite_open(struct arena *a, struct intake *in, const char *path, const char **why)
{
	struct stat st;
	struct steps *steps = arena_alloc(a, sizeof(*steps));
	sqlite3 *db = NULL;
	sqlite3_stmt *first = NULL;

	*why = NULL;
	if (has_log(a, path)) {
		*why = "the latest changes are in the file whose name ends with -wal: run "
		       "`sqlite3 FILE 'pragma wal_checkpoint(truncate)'`, then import it";
		return NULL;
	}
	sqlite3_hard_heap_limit64(MEMORY_MAX);
	int rc = sqlite3_open_v2(uri_of(a, path).p, &db,
		SQLITE_OPEN_READONLY | SQLITE_OPEN_URI | SQLITE_OPEN_PRIVATECACHE |
			SQLITE_OPEN_NOMUTEX,
		NULL);
	if (rc == SQLITE_OK) {
		bound(db);
		*steps = (struct steps){ in,
			stat(path, &st) == 0 ? 10000000 + 50 * (int64_t)st.st_size : 0 };
		sqlite3_progress_handler(db, STEPS, count_steps, steps);
		rc = sqlite3_prepare_v2(
			db, "select name from sqlite_schema limit 1", -1, &first, NULL);
	}
	sqlite3_finalize(first);
	if (rc == SQLITE_OK)
		return db;
	*why = arena_printf(a, "SQLite cannot read it: %s", sqlite3_errmsg(db)).p;
	sqlite3_close(db);
	return NULL;
}

/* Whether the file stores such a table itself: views and virtual tables have no page. */
bool sqlite_has(sqlite3 *db, const char *table, const char *column)
{
	sqlite3_stmt *row = NULL;
	bool found = false;

	if (sqlite3_prepare_v2(db,
		    "select 1 from sqlite_schema where type = 'table' and name = ?1 and rootpage > 0",
		    -1, &row, NULL) == SQLITE_OK) {
		sqlite3_bind_text(row, 1, table, -1, SQLITE_STATIC);
		found = sqlite3_step(row) == SQLITE_ROW;
	}
	sqlite3_finalize(row);
	return found &&
		(!column ||
			sqlite3_table_column_metadata(db, "main", table, column, NULL, NULL, NULL,
				NULL, NULL) == SQLITE_OK);
}

bool sqlite_weigh(sqlite3 *db, const char *query, int64_t *left)
{
	sqlite3_stmt *row = NULL;

	sqlite3_prepare_v2(db, query, -1, &row, NULL);
	while (row && *left >= 0 && sqlite3_step(row) == SQLITE_ROW)
		for (int i = 0; i < sqlite3_column_count(row) && *left >= 0; i++)
			if (sqlite3_column_type(row, i) >= SQLITE_TEXT)
				*left -= sqlite3_column_bytes(row, i);
	sqlite3_finalize(row);
	return *left >= 0;
}

/* Null if it is not UTF-8. */
static struct body *text_of(struct arena *a, const char *p, size_t n, int64_t *nuls)
{
	char *clean;
	size_t m = 0;

	if (!memchr(p, '\0', n)) {
		const struct str whole = { p, n };

		return str_is_text(whole) ? body_new_text(a, whole) : NULL;
	}
	clean = arena_alloc(a, n);
	for (size_t i = 0; i < n; i++)
		if (p[i])
			clean[m++] = p[i];
	*nuls += (int64_t)(n - m);
	return str_is_text((struct str){ clean, m }) ? body_new_text(a, (struct str){ clean, m })
						     : NULL;
}

static struct body *value_of(struct arena *a, sqlite3_stmt *row, int i, int64_t *nuls)
{
	struct body *value = body_new_int(a, 0);

	switch (sqlite3_column_type(row, i)) {
	case SQLITE_INTEGER: value->integer = sqlite3_column_int64(row, i); break;
	case SQLITE_FLOAT:
		value->type = BODY_FLOAT;
		value->number = sqlite3_column_double(row, i);
		break;
	case SQLITE_TEXT: {
		const char *text = (const char *)sqlite3_column_text(row, i);

		return text ? text_of(a, text, (size_t)sqlite3_column_bytes(row, i), nuls) : NULL;
	}
	default: value->type = BODY_NULL;
	}
	return value;
}

struct body *sqlite_row(struct arena *a, sqlite3_stmt *row, int64_t *nuls)
{
	struct body *object = body_new_object(a), **end = &object->first;
	const int n = sqlite3_column_count(row);

	for (int i = 0; i < n; i++) {
		struct body *value = value_of(a, row, i, nuls);

		if (!value)
			return NULL;
		value->key = arena_str(a, str_of(sqlite3_column_name(row, i)));
		*end = value;
		end = &value->next;
		object->count++;
	}
	return object;
}
