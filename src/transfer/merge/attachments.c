#include "transfer/merge/attachments.h"

/* Puts one file in place; the statement needs what was found out about it. */
static enum rc place(struct import_context *w, struct arena *a, struct str body, int64_t id,
	struct spool_look *look)
{
	if (spool_place(&w->spool, arena_str(a, body), id, look))
		return RC_OK;
	context_fail(w, "a file cannot be kept: %s", spool_problem(&w->spool));
	return RC_UNAVAILABLE;
}

static enum rc note(
	struct import_context *w, struct arena *a, int64_t n, const struct spool_look *look)
{
	const struct db_param params[] = { db_int(a, n), db_text(a, str_of(look->type)),
		db_int_or_null(a, look->width, 0), db_int_or_null(a, look->height, 0),
		db_bool(a, look->thumbnailable), db_int(a, look->size) };
	return context_run(w, STMT_IMPORT_FILE_DETECTED, 6, params);
}

struct one {
	int64_t n, id;
	struct str body;
};

enum rc attachments_place(struct import_context *w)
{
	enum { AT_ONCE = 100 };
	struct one page[AT_ONCE];
	int64_t last = INT64_MIN;
	enum rc rc = RC_OK;
	if (w->options->dry_run)
		return RC_OK;
	for (int count = 1; count > 0 && !rc;) {
		struct arena a = { 0 };
		struct rows *rows;
		const struct db_param param = db_int(&a, last);
		rc = context_rows(w, STMT_IMPORT_FILES_TO_PLACE, 1, &param, &rows);
		count = rc ? 0 : db_count(rows);
		for (int i = 0; i < count; i++)
			page[i] = (struct one){ db_get_int(rows, i, db_column(rows, "n")),
				db_get_int(rows, i, db_column(rows, "id")),
				arena_str(&a, db_get_text(rows, i, db_column(rows, "body"))) };
		for (int i = 0; i < count && !rc; i++) {
			struct spool_look look;
			last = page[i].n;
			rc = place(w, &a, page[i].body, page[i].id, &look);
			if (!rc)
				rc = note(w, &a, page[i].n, &look);
		}
		arena_free(&a);
	}
	return rc;
}

enum rc attachments_open_room(struct import_context *w)
{
	int64_t quota = w->conf->account_quota_mib << 20;
	struct rows *rows;
	if (w->options->performer == NIL)
		return RC_OK;
	w->spool.room = files_room(files_folder(w->conf), w->conf->disk_floor_mib << 20, INT64_MAX);
	if (!quota)
		return RC_OK;
	const struct db_param params[] = { context_int(w, w->account), context_int(w, w->project) };
	enum rc rc = context_rows(w, STMT_IMPORT_STORAGE_USED, 2, params, &rows);
	if (rc)
		return rc;
	w->files_used = db_get_int(rows, 0, db_column(rows, "used"));
	int64_t left = quota > w->files_used ? quota - w->files_used : 0;
	w->spool.room.left = left + db_get_int(rows, 0, db_column(rows, "here"));
	db_end(w->db);
	return RC_OK;
}

void attachments_refuse(struct import_context *w)
{
	if (w->spool.room.full == FILES_DISK_FULL)
		context_refuse(w, "disk_full",
			"the server accepts no files at the moment: its disk for them is nearly "
			"full: send them again later, or ask who runs the server "
			"to make room there or to lower disk_floor_mib");
	else
		context_refuse(w, "account_full",
			"the files of this account use %lld of %lld bytes, and there is no room "
			"for those of this import: delete attachments that nobody needs, or ask "
			"the administrator of the server to raise account_quota_mib",
			(long long)w->files_used, (long long)(w->conf->account_quota_mib << 20));
}

enum rc attachments_check_room(struct import_context *w)
{
	int64_t quota = w->conf->account_quota_mib << 20;
	struct rows *rows;
	if (!quota || w->options->performer == NIL)
		return RC_OK;
	enum rc rc = context_rows(w, STMT_IMPORT_STORAGE_NEEDED, 0, NULL, &rows);
	if (rc)
		return rc;
	int64_t used = db_get_int(rows, 0, db_column(rows, "used"));
	int64_t more = db_get_int(rows, 0, db_column(rows, "more"));
	if (more > 0 && (used > quota || more > quota - used))
		context_refuse(w, "account_full",
			"the files of this account use %lld of %lld bytes, and there is no room "
			"for %lld more: delete attachments that nobody needs, or ask the "
			"administrator of the server to raise account_quota_mib",
			(long long)used, (long long)quota, (long long)more);
	return RC_OK;
}
