#include "http/viewed.h"

#include "lib/log.h"

static enum rc note(struct req *r)
{
	const struct db_param params[] = { db_int(r->arena, r->project_id),
		db_int(r->arena, r->person_id) };
	struct rows *rows;
	db_send(r->db, STMT_PROJECT_VIEWED, 2, params);
	db_commit(r->db);
	enum rc rc = db_next(r->db, &rows);
	return rc ? rc : db_finish(r->db);
}

void viewed_note(struct req *r)
{
	if (!r->is_view || r->status >= 400)
		return;
	if (note(r))
		log_warn(
			"a visit of person %lld to project %lld was not recorded; the next one will be",
			(long long)r->person_id, (long long)r->project_id);
	db_end(r->db);
}
