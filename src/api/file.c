/* Files: uploads, which wait to be attached to a comment, and downloads. */
#include <errno.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "api/crud.h"
#include "api/gate.h"
#include "api/routes.h"
#include "api/upload_permission.h"
#include "http/list.h"
#include "lib/log.h"
#include "lib/multipart.h"
#include "model/model.h"
#include "service/files.h"
#include "service/media.h"

/* An upload's body is a stream: it has no fields. */
static const struct field upload_body_fields[] = {
	{ "file", FT_STRING, F_HIDDEN, .doc = "The file, a part of multipart/form-data." },
};
static const struct resource res_upload_body = { "upload", RESOURCE_FIELDS(upload_body_fields) };

/* What a form needs in addition to the file: the limit applies to the file. */
enum { FORM_MAX = 64 * 1024 };

/* How long moving a file into a store may take; nginx waits for an answer as long as
   planwright.conf says. */
enum { STORE_PATIENCE_S = 60 };

/* The files made from one upload; temporary files that are not kept are deleted. */
struct upload {
	struct files kept;
	struct files_temp file, small, big;
	struct files_room room;
	int64_t id, size;
	const char *filename;
	struct media media;
};

static void drop(struct upload *u)
{
	files_drop_temp(&u->file);
	files_drop_temp(&u->small);
	files_drop_temp(&u->big);
}

static bool write_piece(void *to, const char *p, size_t n)
{
	struct upload *u = to;
	bool ok = files_put(&u->room, u->file.fd, p, n);
	u->size += ok ? (int64_t)n : 0;
	return ok;
}

static enum rc fail_disk(struct req *r, const char *what)
{
	log_error("%s below %s: %m", what, files_folder(r->conf));
	return RC_UNAVAILABLE;
}

static int64_t size_max(const struct req *r)
{
	return r->conf->max_upload_mib << 20;
}

static const char *part_of(const struct req *r)
{
	return r->upload_part ? r->upload_part : "file";
}

/* Reads the body, once, in pieces: writes the content of the part with the file to u->file. */
static enum rc read_body(struct req *r, struct upload *u, struct multipart *m)
{
	char piece[8192];
	int64_t left = r->upload.length;
	u->room = files_room(u->kept.folder, r->conf->disk_floor_mib << 20, INT64_MAX);
	if (!files_open_temp(u->kept.folder, &u->file))
		return fail_disk(r, "no file can be created");
	while (left > 0) {
		int want = left < (int64_t)sizeof piece ? (int)left : (int)sizeof piece;
		int got = r->upload.read(r->upload.stream, piece, want);
		if (got <= 0)
			return req_fail(r, RC_COULD_NOT_PARSE_BODY, "the body ended too early");
		left -= got;
		errno = 0;
		if (!multipart_feed(m, piece, (size_t)got))
			return u->room.full ? upload_permission_refuse_disk(r)
				: errno
				? fail_disk(r, "an upload cannot be written")
				: req_fail(r, RC_COULD_NOT_PARSE_BODY,
					  "the body is not well-formed multipart/form-data");
	}
	if (!multipart_is_complete(m))
		return req_fail(r, RC_COULD_NOT_PARSE_BODY, "the last boundary is missing");
	if (!m->found)
		return req_fail(r, RC_INVALID_PARAMETER, "this endpoint requires the parameter: %s",
			part_of(r));
	return u->size > size_max(r) ? RC_BODY_TOO_LARGE : RC_OK;
}

/* Checks the right to send and the free space before anything is read; takes the id. */
static enum rc ask_permission(struct req *r, int64_t *id)
{
	struct rows *rows;
	enum rc rc = gate_ask(r);
	if (rc)
		return rc;
	upload_permission_ask_quota(r, false);
	db_send(r->db, STMT_UPLOAD_ID, 0, NULL);
	db_commit(r->db);
	if ((rc = gate_allows(r)) || (rc = upload_permission_check_disk(r)))
		return rc;
	/* What surrounds the file may have any length. */
	int64_t least = r->upload.length > FORM_MAX ? r->upload.length - FORM_MAX : 0;
	if ((rc = upload_permission_take_quota(r, false, least)) || (rc = req_next(r, &rows)))
		return rc;
	*id = db_get_int(rows, 0, 0);
	rc = db_finish(r->db);
	return rc ? req_fail_db(r, rc) : RC_OK;
}

static enum rc keep_files(struct upload *u)
{
	bool pictures = u->media.thumbnailable;
	if (files_keep(&u->kept, &u->file, u->id, NULL) &&
		(!pictures ||
			(files_keep(&u->kept, &u->small, u->id, "small") &&
				files_keep(&u->kept, &u->big, u->id, "big"))))
		return RC_OK;
	log_error("an upload cannot be kept: %s", u->kept.problem.text);
	return RC_UNAVAILABLE;
}

/* planwrightctl files sweep removes what cannot be dropped here. */
static void drop_kept(struct upload *u)
{
	static const char *const suffixes[] = { NULL, "small", "big" };
	char place[FILES_PLACE_MAX];
	for (int i = 0; i < (u->media.thumbnailable ? 3 : 1); i++) {
		files_place(place, u->id, suffixes[i]);
		if (!files_drop(&u->kept, place))
			log_warn("%s", u->kept.problem.text);
	}
}

static enum rc write_row(struct req *r, struct upload *u)
{
	struct arena *a = r->arena;
	const struct media *m = &u->media;
	struct crud_read read;
	struct rows *rows;
	enum rc rc = gate_pass(r);
	if (rc)
		return rc;
	const struct db_param params[] = { db_int(a, r->project_id), db_int(a, r->person_id),
		db_text(a, *u->filename ? str_of(u->filename) : STR("file")),
		db_text(a, str_of(m->type)), db_int(a, u->size), db_int_or_null(a, m->width, 0),
		db_int_or_null(a, m->height, 0), db_bool(a, m->thumbnailable), db_int(a, u->id) };
	upload_permission_ask_quota(r, true);
	db_send(r->db, STMT_UPLOAD_CREATE, sizeof params / sizeof *params, params);
	db_flush(r->db);
	if ((rc = upload_permission_take_quota(r, true, u->size)) || (rc = req_next(r, &rows)))
		return rc;
	if (db_count(rows) == 0)
		return RC_UNFOUND_RESOURCE;
	crud_send_read(r, &read, u->id, 0);
	return crud_take_read(r, &read);
}

/*
 * The files are in their places before the row is written, and no lock is held meanwhile: a store
 * may be slow. A refusal drops them; if it is not known whether the row was written, they stay.
 */
static enum rc store(struct req *r, struct upload *u)
{
	enum rc rc = keep_files(u);
	if (rc)
		return rc;
	rc = write_row(r, u);
	if (rc && err_kinds[rc].status < 500)
		drop_kept(u);
	return rc;
}

/* Examines the file when its turn comes; after waiting too long, does without. */
static void wait_and_look(struct req *r, struct ledger *place)
{
	const struct timespec pause = { .tv_nsec = MEDIA_PAUSE_MS * 1000000 };
	struct upload *u = r->stream.of;
	struct media_turn turn;
	for (int i = 0; i < MEDIA_WAIT_SECONDS * 1000 / MEDIA_PAUSE_MS; i++) {
		if (ledger_is_next(place) && media_try_turn(&turn)) {
			ledger_note_turn(place);
			media_look_in_turn(&turn, u->file.fd, u->small.fd, u->big.fd, &u->media);
			return;
		}
		nanosleep(&pause, NULL);
	}
	media_look_away(&u->media);
}

static enum rc store_there(struct req *r, struct sink *to)
{
	(void)to;
	return store(r, r->stream.of);
}

static void drop_there(struct req *r)
{
	drop(r->stream.of);
}

/*
 * Only one file is examined at a time, and a store is across the network: a request that has to
 * wait does so in a separate process, and occupies no worker.
 */
static enum rc look_and_store(struct req *r, struct upload *u)
{
	struct media_turn turn;
	if (!files_open_temp(u->kept.folder, &u->small) ||
		!files_open_temp(u->kept.folder, &u->big))
		return fail_disk(r, "no file can be created");
	if (!conf_has_store(r->conf) && !ledger_has_waiting(r->ledger, LEDGER_PICTURE) &&
		media_try_turn(&turn)) {
		media_look_in_turn(&turn, u->file.fd, u->small.fd, u->big.fd, &u->media);
		return store(r, u);
	}
	r->stream = (struct req_stream){ store_there, u, LEDGER_PICTURE, wait_and_look, drop_there,
		{ &u->file.fd, &u->small.fd, &u->big.fd } };
	return RC_OK;
}

static enum rc take_upload(struct req *r)
{
	struct upload *u = arena_alloc(r->arena, sizeof *u);
	struct multipart *m = arena_alloc(r->arena, sizeof *m);
	u->kept = files_of(r->conf);
	files_bound(&u->kept, STORE_PATIENCE_S);
	u->file.fd = u->small.fd = u->big.fd = -1;
	u->filename = m->filename;
	if (!multipart_begin(m, r->content_type, part_of(r), write_piece, u))
		req_refuse(r,
			req_fail(r, RC_INVALID_PARAMETER,
				"send multipart/form-data with a part named %s", part_of(r)));
	else if (r->upload.length > size_max(r) + FORM_MAX)
		req_refuse(r, RC_BODY_TOO_LARGE);
	enum rc rc = ask_permission(r, &u->id);
	if (!rc)
		rc = read_body(r, u, m);
	if (!rc)
		rc = look_and_store(r, u);
	if (!r->stream.make)
		drop(u);
	return rc;
}

/* Downloads ---------------------------------------------------------------- */

/* attachment; filename="plain"; filename*=UTF-8''encoded (RFC 6266, RFC 8187). */
static struct str disposition(struct arena *a, const char *kind, struct str name)
{
	static const char safe[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
				   "!#$&+-.^_`|~";
	struct buf b = { 0 };
	buf_printf(&b, "%s; filename=\"", kind);
	for (size_t i = 0; i < name.n; i++) {
		unsigned char c = (unsigned char)name.p[i];
		bool plain = c >= 0x20 && c < 0x7f && c != '"' && c != '\\' && c != '%';
		if ((c & 0xc0) != 0x80) /* a code point, one character */
			buf_put_char(&b, plain ? (char)c : '_');
	}
	buf_put_z(&b, "\"; filename*=UTF-8''");
	for (size_t i = 0; i < name.n; i++)
		if (memchr(safe, name.p[i], sizeof safe - 1))
			buf_put_char(&b, name.p[i]);
		else
			buf_printf(&b, "%%%02X", (unsigned char)name.p[i]);
	struct str s = arena_str(a, buf_str(&b));
	buf_free(&b);
	return s;
}

/* The thumbnail with that name, or the file itself if it is null. */
static enum rc send_file(struct req *r, const char *picture, bool in_place)
{
	struct db_param id = db_int(r->arena, crud_id(r));
	struct rows *rows;
	char place[FILES_PLACE_MAX];
	enum rc rc = gate_ask(r);
	if (rc)
		return rc;
	db_send(r->db, r->route->read, 1, &id);
	db_commit(r->db);
	if ((rc = gate_allows(r)))
		return rc;
	if ((rc = req_next(r, &rows)))
		return rc;
	if (db_count(rows) == 0 || (picture && !db_get_bool(rows, 0, 2)))
		return RC_UNFOUND_RESOURCE;
	struct str type = arena_str(r->arena, db_get_text(rows, 0, 1));
	r->file.disposition =
		disposition(r->arena, in_place ? "inline" : "attachment", db_get_text(rows, 0, 0));
	r->file.type = picture ? str_of(media_picture_type(type.p)) : type;
	files_place(place, crud_id(r), picture);
	r->file.place = arena_printf(r->arena, "%s", place);
	if ((rc = db_finish(r->db)))
		return req_fail_db(r, rc);
	if (conf_has_store(r->conf) && r->file.sender != SENDER_NGINX) {
		log_error("only nginx can send files from an object store: use it as the web "
			  "server, or name a folder in the setting files");
		r->file.place = (struct str){ 0 };
		return RC_UNAVAILABLE;
	}
	return r->file.sender == SENDER_SELF ? req_open_file(r) : RC_OK;
}

static enum rc answer_file(struct req *r)
{
	list_check(r);
	const struct body *in_place = list_value(r, "inline");
	return send_file(r, NULL, in_place && in_place->boolean);
}

static enum rc answer_small(struct req *r)
{
	return send_file(r, "small", true);
}

static enum rc answer_big(struct req *r)
{
	return send_file(r, "big", true);
}

/* Endpoints ------------------------------------------------------------------ */

static const struct param download_params[] = {
	{ "inline", FT_BOOL, .doc = "true: shown by the browser, not saved." },
	{ 0 },
};

const struct route file_routes[] = {
	{ "POST", "/projects/:project/uploads", NEED_MEMBER, take_upload, &res_file_attachment,
		.read = STMT_FILE_ATTACHMENT_GET, .body = &res_upload_body,
		.flags = R_UNTOLD | R_UPLOAD, .example = "-F file=@photo.png",
		.audit = AUDIT_UNTOLD,
		.doc = "Upload a file, as the part named file of multipart/form-data." },
	{ "GET", "/file_attachments/:file/download", NEED_VIEWER, answer_file, NULL,
		.read = STMT_FILE_TO_SEND, .params = download_params, .flags = R_ROOT,
		.media = ROUTE_FILE, .fetch = FETCH_PICTURE, .example = "?inline=true",
		.doc = "The file." },
	{ "GET", "/file_attachments/:file/thumbnail", NEED_VIEWER, answer_small, NULL,
		.read = STMT_FILE_TO_SEND, .flags = R_ROOT, .media = ROUTE_FILE,
		.fetch = FETCH_PICTURE, .doc = "A small picture of the file." },
	{ "GET", "/file_attachments/:file/big", NEED_VIEWER, answer_big, NULL,
		.read = STMT_FILE_TO_SEND, .flags = R_ROOT, .media = ROUTE_FILE,
		.fetch = FETCH_PICTURE, .doc = "A large picture of the file." },
	{ 0 },
};
