#include "api/upload_permission.h"

#include "api/gate.h"
#include "http/scope.h"
#include "service/files.h"

enum {
	SMALL = 64 * 1024, /* what nginx keeps in memory (client_body_buffer_size) */
	RETRY_DISK_S = 60,
};

#define MIB INT64_C(1048576)

/* The disk --------------------------------------------------------------------------- */

enum rc upload_permission_refuse_disk(struct req *r)
{
	r->retry_after = RETRY_DISK_S;
	req_fail(r, RC_UNAVAILABLE,
		"the server accepts no files at the moment: its disk for them is nearly full");
	r->error.possible_fix =
		STR("The administrator of the server has to free space on that disk, or lower "
		    "disk_floor_mib. Send the file again later; everything else "
		    "works.");
	return RC_UNAVAILABLE;
}

enum rc upload_permission_check_disk(struct req *r)
{
	struct files_disk disk;
	if (!files_look_at_disk(files_folder(r->conf), &disk) ||
		disk.free >= r->conf->disk_floor_mib * MIB)
		return RC_OK;
	return upload_permission_refuse_disk(r);
}

/* The quota -------------------------------------------------------------------------- */

void upload_permission_ask_quota(struct req *r, bool to_keep)
{
	struct db_param project = db_int(r->arena, route_id(r, ":project"));
	if (!r->conf->account_quota_mib)
		return;
	if (to_keep)
		db_send(r->db, STMT_ACCOUNT_FILES_LOCK, 1, &project);
	db_send(r->db, STMT_ACCOUNT_FILES_SIZE, 1, &project);
}

/* Rounded up to the next tenth, so that a file that does not fit never looks as if it did. */
static struct str in_mib(struct req *r, int64_t bytes)
{
	int64_t tenths = bytes / MIB * 10 + (bytes % MIB * 10 + MIB - 1) / MIB;
	return arena_printf(
		r->arena, "%lld.%lld MiB", (long long)(tenths / 10), (long long)(tenths % 10));
}

enum rc upload_permission_take_quota(struct req *r, bool to_keep, int64_t more)
{
	struct rows *rows;
	int64_t quota = r->conf->account_quota_mib * MIB;
	enum rc rc = RC_OK;
	if (!quota)
		return RC_OK;
	if (to_keep)
		rc = req_next(r, &rows);
	if (!rc)
		rc = req_next(r, &rows);
	if (rc)
		return rc;
	int64_t used = db_get_int(rows, 0, db_column(rows, "bytes"));
	if (used <= quota && more <= quota - used)
		return RC_OK;
	rc = req_fail_field(r, "file",
		"the files of this account use %s of %lld MiB, and there is no room for %s more",
		in_mib(r, used).p, (long long)r->conf->account_quota_mib, in_mib(r, more).p);
	r->error.possible_fix =
		STR("Delete attachments that nobody needs, in any project of the account: every "
		    "member of a project can. The administrator of the server can "
		    "raise account_quota_mib.");
	return rc;
}

/* The question ----------------------------------------------------------------------- */

static bool is_of_caller(enum rc rc)
{
	return rc == RC_INVALID_AUTHENTICATION || rc == RC_UNAUTHORIZED_OPERATION ||
		rc == RC_INSUFFICIENT_SCOPE || rc == RC_UNAVAILABLE;
}

bool upload_permission_is_needed(const struct req *r)
{
	return r->announced < 0 || r->announced > SMALL;
}

enum rc upload_permission_answer(struct req *r, enum rc rc)
{
	/* Where no file can be sent, anybody whose token has the route's scope may send a body. */
	struct route *anywhere = arena_alloc(r->arena, sizeof *anywhere);
	*anywhere = (struct route){ .method = "POST",
		.path = "/",
		.need = NEED_PERSON,
		.scope = r->route->act ? scope_of(r->route) : SCOPE_READ };
	if (is_of_caller(rc))
		return rc;
	bool has_place = !rc && r->route->flags & R_UPLOAD;
	if (!has_place) {
		r->error = (struct req_error){ 0 };
		r->route = anywhere;
		r->n_ids = 0;
	}
	rc = gate_pass_alone(r);
	if (!rc && has_place)
		rc = upload_permission_check_disk(r);
	if (is_of_caller(rc))
		return rc;
	return r->person_id ? RC_OK : RC_UNAUTHORIZED_OPERATION;
}
