#include "transfer/form/sqlite_files.h"

#include <stdlib.h>
#include <string.h>

#include "lib/log.h"
#include "transfer/read/file_bytes.h"
#include "transfer/form/v5_value.h"

struct blob_bytes {
	struct intake_bytes bytes;
	sqlite3_blob *blob;
	int at, n;
};

static int64_t blob_read(struct intake_bytes *bytes, void *to, size_t n)
{
	struct blob_bytes *b = (struct blob_bytes *)bytes;

	if (n > (size_t)(b->n - b->at))
		n = (size_t)(b->n - b->at);
	if (n && sqlite3_blob_read(b->blob, to, (int)n, b->at) != SQLITE_OK)
		return -1;
	b->at += (int)n;
	return (int64_t)n;
}

static bool blob_rewind(struct intake_bytes *bytes)
{
	((struct blob_bytes *)bytes)->at = 0;
	return true;
}

static const char *name_of(const struct tree_entry *entry)
{
	const char *slash = strrchr(entry->path.p, '/');

	return slash ? slash + 1 : entry->path.p;
}

static int by_name(const void *a, const void *b)
{
	return strcmp(name_of(*(const struct tree_entry *const *)a),
		name_of(*(const struct tree_entry *const *)b));
}

/*
 * Done once, because the file need not have an index. If an id has several rows, the first counts.
 */
static void list_rows(struct sqlite_files *f)
{
	sqlite3_stmt *row = NULL;

	sqlite3_prepare_v2(f->db,
		"select file_attachment_id, rowid from file_attachment_file order by rowid desc",
		-1, &row, NULL);
	while (row && sqlite3_step(row) == SQLITE_ROW)
		id_map_add(&f->rows, sqlite3_column_int64(row, 0), sqlite3_column_int64(row, 1));
	sqlite3_finalize(row);
}

void sqlite_files_open(struct sqlite_files *f, sqlite3 *db, struct tree *tree, int64_t left)
{
	*f = (struct sqlite_files){ .db = db, .tree = tree, .left = left };
	if (sqlite_has(db, "file_attachment_file", "blob"))
		list_rows(f);
	if (!tree || tree->n == 0)
		return;
	f->by_name = calloc(tree->n, sizeof(struct tree_entry *));
	if (!f->by_name)
		log_die("out of memory: %zu files", tree->n);
	for (size_t i = 0; i < tree->n; i++)
		f->by_name[i] = &tree->entries[i];
	qsort(f->by_name, tree->n, sizeof(struct tree_entry *), by_name);
}

void sqlite_files_close(struct sqlite_files *f)
{
	id_map_free(&f->rows);
	free(f->by_name);
}

static enum rc from_table(
	struct sqlite_files *f, struct v5 *v, int64_t id, struct str *word, struct intake_why *why)
{
	struct blob_bytes b = { .bytes = { blob_read, blob_rewind } };
	int64_t *row = id == NIL ? NULL : id_map_find(&f->rows, id);
	enum rc rc = RC_OK;

	if (!row || *row == NIL)
		return RC_OK;
	if (sqlite3_blob_open(f->db, "main", "file_attachment_file", "blob", *row, 0, &b.blob) ==
		SQLITE_OK) {
		b.n = sqlite3_blob_bytes(b.blob);
		f->left -= b.n;
		if (f->left >= 0)
			rc = v->in->body(v->in, &b.bytes, &v->arena, word, why);
		else
			*why = (struct intake_why){ "broken_file",
				STR("is broken, its content is lost") };
	}
	sqlite3_blob_close(b.blob);
	*row = NIL; /* only once: many rows may name one file */
	return rc;
}

/* Both programs that write files name them by the file's id and its name. */
static enum rc from_tree(struct sqlite_files *f, struct v5 *v, const struct body *file,
	struct str *word, struct intake_why *why)
{
	const struct str path = v5_text(file, "file_path"), name = v5_text(file, "filename");
	const struct tree_entry wanted = { .path = path.n
			? path
			: arena_printf(&v->arena, "%lld_%.*s",
				  (long long)v5_int(body_get(file, "id")), (int)name.n,
				  name.p ? name.p : "") };
	const struct tree_entry *key = &wanted, **found;
	enum rc rc = RC_OK;

	if (!f->by_name)
		return RC_OK;
	found = bsearch(&key, f->by_name, f->tree->n, sizeof(key), by_name);
	struct tree_bytes *bytes = found ? tree_read(f->tree, *found) : NULL;
	if (bytes) {
		rc = v->in->body(v->in, &bytes->bytes, &v->arena, word, why);
		bytes->close(bytes);
	}
	return rc;
}

enum rc sqlite_files_content(struct v5 *v, const struct body *file, struct str *word, bool *told)
{
	struct sqlite_files *f = v->content_of;
	const struct str name = v5_text(file, "filename");
	struct intake_why why = { NULL, { 0 } };
	enum rc rc = from_table(f, v, v5_int(body_get(file, "id")), word, &why);

	if (rc == RC_OK && !word->p)
		rc = from_tree(f, v, file, word, &why);
	*told = rc == RC_OK && !word->p && why.code;
	if (*told)
		intake_lose_file(v->in, (struct intake_place){ .file = v->file }, NIL, &why,
			"%s, the file %.*s", v->where, (int)name.n, name.p ? name.p : "");
	f->missing += rc == RC_OK && !word->p && !*told;
	return rc;
}
