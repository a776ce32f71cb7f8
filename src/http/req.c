#include "http/req.h"

#include <stdarg.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "domain/outcome.h"
#include "http/sentence.h"
#include "lib/log.h"
#include "service/files.h"

enum rc req_fail(struct req *r, enum rc rc, const char *format, ...)
{
	va_list args;
	va_start(args, format);
	r->error = (struct req_error){ .general_problem = arena_vprintf(r->arena, format, args) };
	va_end(args);
	return rc;
}

enum rc req_fail_field(struct req *r, const char *field, const char *format, ...)
{
	va_list args;
	va_start(args, format);
	r->error = (struct req_error){ .general_problem = arena_vprintf(r->arena, format, args),
		.field = str_of(field) };
	va_end(args);
	return RC_INVALID_PARAMETER;
}

static enum rc fail_held(struct req *r)
{
	return req_fail(r, RC_INVALID_PARAMETER,
		"the answer needs more than %lld MiB of rows and text: request fewer 'fields' or "
		"a smaller page",
		(long long)r->conf->max_rows_mib);
}

enum rc req_fail_stopped(struct req *r, enum rc rc)
{
	switch (db_stopped(r->db)) {
	case DB_GOES_ON: return rc;
	case DB_STOP_TURN:
		r->over_share = true;
		return req_fail(r, RC_TOO_MANY_REQUESTS,
			"your requests that take longer than a second already use as many "
			"workers as one person may have");
	case DB_STOP_ROWS: return fail_held(r);
	case DB_STOP_LIMIT: return rc;
	case DB_STOP_WRITE:
		r->error = (struct req_error){
			.possible_fix =
				STR("The change may have taken effect: check before you send the "
				    "request again.")
		};
		return RC_UNAVAILABLE;
	case DB_STOP_TIME:
	case DB_STOP_PEER: break;
	}
	r->error = (struct req_error){ 0 };
	return RC_UNAVAILABLE;
}

enum rc req_fail_db(struct req *r, enum rc rc)
{
	const struct db_error *e = db_error(r->db);
	const struct sentence *s = sentence_find(e);
	if (db_stopped(r->db))
		return req_fail_stopped(r, rc);
	r->error = (struct req_error){ 0 };
	if (s) {
		r->error.general_problem = str_of(s->text);
		r->error.field = str_of(s->field);
		return s->rc;
	}
	log_error("%s (SQLSTATE %s)", db_problem(r->db), *e->sqlstate ? e->sqlstate : "none");
	return rc == RC_UNAVAILABLE ? rc : RC_UNHANDLED_CONDITION;
}

enum rc req_next(struct req *r, struct rows **rows)
{
	enum rc rc = db_next(r->db, rows);
	return rc ? req_fail_db(r, rc) : RC_OK;
}

void req_refuse(struct req *r, enum rc rc)
{
	if (!r->refused)
		r->refused = rc;
}

struct str req_token_mac(struct req *r)
{
	if (!r->token_mac.p || r->token_mac_of != r->crypt->nth)
		r->token_mac = crypt_mac(r->crypt, r->arena, r->token);
	r->token_mac_of = r->crypt->nth;
	return r->token_mac;
}

struct db_param req_token_param(struct req *r)
{
	return r->token.p ? db_bytes(req_token_mac(r)) : db_null();
}

enum rc req_open_file(struct req *r)
{
	struct stat s;
	struct files kept = files_of(r->conf);
	r->file.fd = files_read(&kept, r->file.place.p);
	if (r->file.fd >= 0 && !fstat(r->file.fd, &s) && S_ISREG(s.st_mode)) {
		r->file.size = s.st_size;
		return RC_OK;
	}
	log_error("an attached file cannot be sent: %s", kept.problem.text);
	if (r->file.fd >= 0)
		close(r->file.fd);
	return RC_UNFOUND_RESOURCE;
}

struct req req_part(const struct req *r, struct str method)
{
	struct req part = { .arena = r->arena,
		.conf = r->conf,
		.crypt = r->crypt,
		.db = r->db,
		.peer = r->peer,
		.ledger = r->ledger,
		.method = method,
		.agent = r->agent,
		.languages = r->languages,
		.token = r->token,
		.login_id = r->login_id,
		.session_id = r->session_id,
		.session = r->session,
		.id = r->id,
		.address = r->address,
		.agent_token = r->agent_token,
		.body = body_new_object(r->arena),
		.out = r->out,
		.status = 200 };
	json_init(&part.json, r->out);
	return part;
}

struct str req_header(const struct req *r, const char *name)
{
	size_t n = strlen(name);
	for (char **e = r->environment; e && *e; e++)
		if (!strncmp(*e, name, n) && (*e)[n] == '=')
			return str_of(*e + n + 1);
	return (struct str){ 0 };
}

static void write_text(struct json *j, const char *key, struct str text, const char *preset)
{
	if (!text.p && !preset)
		return;
	json_key(j, key);
	if (text.p)
		json_str(j, text);
	else
		json_z(j, preset);
}

static void write_problem(struct req *r, struct str field, struct str text)
{
	json_object(&r->json);
	json_key(&r->json, "field");
	json_str(&r->json, field);
	json_key(&r->json, "problem");
	json_str(&r->json, text);
	json_object_end(&r->json);
}

static struct str join_problems(struct arena *a, const struct problem *p)
{
	struct str all = p->text;
	for (p = p->next; p; p = p->next)
		all = arena_printf(a, "%.*s, %.*s", (int)all.n, all.p, (int)p->text.n, p->text.p);
	return all;
}

static void write_problems(struct req *r)
{
	const struct req_error *e = &r->error;
	if (!e->problems && !e->field.p)
		return;
	json_key(&r->json, "validation_errors");
	json_array(&r->json);
	for (const struct problem *p = e->problems; p; p = p->next)
		write_problem(r, p->field, p->text);
	if (e->field.p)
		write_problem(r, e->field, e->general_problem);
	json_array_end(&r->json);
}

struct str req_problem(const struct req *r)
{
	return r->error.problems ? join_problems(r->arena, r->error.problems)
				 : r->error.general_problem;
}

enum rc req_check_size(struct req *r)
{
	if (held_is_too_much(&r->held))
		return fail_held(r);
	if (json_is_full(&r->json))
		return req_fail(r, RC_INVALID_PARAMETER,
			"the answer would be larger than %d MB: request fewer 'fields' or a "
			"smaller page",
			REQ_ANSWER_MAX / 1024 / 1024);
	return RC_OK;
}

/* Callers without credentials learn only that, and nothing about roles. */
static void say_how_to_sign_in(struct req *r)
{
	if (r->token.p || r->login_id || r->error.general_problem.p)
		return;
	r->error.general_problem = STR(
		"No API token was sent: send it in the header X-ServiceToken or X-TrackerToken, or as "
		"Authorization: Bearer.");
	r->error.possible_fix = STR(
		"GET /me with your name and password, as basic credentials, returns your token.");
}

void req_write_error(struct req *r, enum rc rc)
{
	if (rc == RC_UNAUTHORIZED_OPERATION)
		say_how_to_sign_in(r);
	const struct err_kind *kind = &err_kinds[rc];
	const struct req_error *e = &r->error;
	if (r->write_error) {
		r->write_error(r, kind->status);
		return;
	}
	r->status = kind->status;
	r->media_type = NULL;
	r->filename = NULL;
	json_object(&r->json);
	json_key(&r->json, "code");
	json_z(&r->json, kind->code);
	json_key(&r->json, "kind");
	json_z(&r->json, "error");
	write_text(&r->json, "error", e->error, kind->error);
	write_text(&r->json, "general_problem", req_problem(r), kind->general_problem);
	write_text(&r->json, "possible_fix", e->possible_fix, kind->possible_fix);
	write_text(&r->json, "requirement", e->requirement, NULL);
	write_problems(r);
	json_object_end(&r->json);
}
