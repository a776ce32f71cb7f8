#include "http/http.h"

#include <string.h>

#include "http/envelope.h"
#include "http/old.h"
#include "http/route.h"
#include "lib/log.h"

enum { PATH_MAX_LENGTH = 2048, QUERY_MAX_LENGTH = 65536, TOKEN_MAX_LENGTH = 200 };

static struct str param(FCGX_Request *f, const char *name)
{
	return str_of(FCGX_GetParam(name, f->envp));
}

/* The token of "Authorization: Bearer …"; false: a page of another site sent it. */
static bool take_bearer(struct req *r)
{
	struct str rest = str_trim(r->authorization), scheme = str_cut(&rest, ' ');
	if (!str_equal_nocase(scheme, STR("Bearer")))
		return true;
	r->authorization = (struct str){ 0 };
	r->token = rest.p ? str_trim(rest) : STR("");
	return !r->origin.p || str_equal_z(r->origin, r->conf->base_url);
}

/* The one token of the request; two that differ are refused (contract 1.1). */
static enum rc take_token(struct req *r, FCGX_Request *f)
{
	static const char *const names[] = { "HTTP_X_SERVICETOKEN=", "HTTP_X_TRACKERTOKEN=" };
	bool welcome = take_bearer(r);
	enum rc rc = RC_OK;
	for (char **e = f->envp; *e; e++)
		for (int i = 0; i < 2; i++) {
			if (strncmp(*e, names[i], strlen(names[i])))
				continue;
			struct str value = str_trim(str_of(*e + strlen(names[i])));
			if (r->token.p && !str_equal(r->token, value))
				rc = RC_INVALID_PARAMETER;
			r->token = value;
		}
	for (const struct uri_param *p = r->params; p; p = p->next) {
		if (!str_equal_z(p->name, "token"))
			continue;
		if (r->token.p && !str_equal(r->token, p->value))
			rc = RC_INVALID_PARAMETER;
		r->token = p->value;
	}
	if (rc)
		return req_fail(r, rc, "the request contains two different tokens: send only one");
	if (!welcome) {
		rc = req_fail(r, RC_INVALID_AUTHENTICATION,
			"a page of another site sent Authorization: Bearer");
		r->error.possible_fix =
			STR("Send the token in the header X-ServiceToken or X-TrackerToken.");
		return rc;
	}
	if (r->token.p && (r->token.n == 0 || r->token.n > TOKEN_MAX_LENGTH))
		return RC_INVALID_AUTHENTICATION;
	return RC_OK;
}

/* Some clients name the format in the path; it is the only one there is. */
static void cut_format(struct str *segment, struct str format)
{
	if (segment->n > format.n &&
		memcmp(segment->p + segment->n - format.n, format.p, format.n) == 0)
		segment->n -= format.n;
}

/* The first segment of paths next to /services. */
static bool is_at_root(struct str name)
{
	static const char *const names[] = { "file_attachments", "-", "choose_password",
		"session" };
	for (size_t i = 0; i < sizeof names / sizeof *names; i++)
		if (str_equal_z(name, names[i]))
			return true;
	return false;
}

static bool is_retired(struct str version)
{
	return str_equal_z(version, "v3") || str_equal_z(version, "v4");
}

static enum rc take_retired(struct req *r, struct str version)
{
	r->old.version = old_version_of(r->conf->old_versions, version);
	r->is_gone = !r->old.version;
	r->envelope = false;
	return r->is_gone ? RC_GONE : RC_OK;
}

/* A path that cannot be split; clients of retired versions get their own form of the error. */
static enum rc refuse_path(struct req *r, struct str path, enum rc why)
{
	struct str parts[2] = { 0 };
	for (int n = 0; n < 2 && path.p; n += parts[n].n > 0)
		parts[n] = str_cut(&path, '/');
	bool is_old = str_equal_z(parts[0], "services") && is_retired(parts[1]);
	enum rc rc = is_old ? take_retired(r, parts[1]) : RC_OK;
	return rc ? rc : why;
}

/* Splits the path: /services/<version>/… */
static enum rc take_path(struct req *r, struct str path)
{
	struct str all[REQ_SEGMENTS_MAX];
	if (path.n > PATH_MAX_LENGTH)
		return refuse_path(r, path, RC_URI_TOO_LONG);
	int n = str_is_text(path) ? uri_split_path(path, all, REQ_SEGMENTS_MAX) : -1;
	/* Web servers block /-/ by the text of the path, so it must not be encoded. */
	if (n > 0 && str_equal_z(all[0], "-") && !uri_is_plain(path, all, n))
		return RC_ROUTE_NOT_FOUND;
	if (n > 0 && is_at_root(all[0])) {
		r->at_root = true;
		r->n_segments = n;
		memcpy(r->segments, all, (size_t)n * sizeof *all);
		return RC_OK;
	}
	if (n < 2 || !str_equal_z(all[0], "services"))
		return refuse_path(r, path, RC_ROUTE_NOT_FOUND);
	bool is_v5 = str_equal_z(all[1], "v5") || str_equal_z(all[1], "edge") ||
		str_equal_z(all[1], "next");
	bool is_old = !is_v5 && is_retired(all[1]);
	if (!is_v5 && !is_old)
		return RC_ROUTE_NOT_FOUND;
	if (is_old && take_retired(r, all[1]))
		return RC_GONE;
	r->n_segments = n - 2;
	memcpy(r->segments, all + 2, (size_t)r->n_segments * sizeof *all);
	if (r->n_segments > 0)
		cut_format(&r->segments[r->n_segments - 1], is_old ? STR(".xml") : STR(".json"));
	return RC_OK;
}

static enum rc take_query(struct req *r, struct str query)
{
	struct str bad;
	if (query.n > QUERY_MAX_LENGTH)
		return RC_URI_TOO_LONG;
	if (!uri_parse_query(r->arena, query, &r->params, &bad))
		return req_fail(r, RC_INVALID_PARAMETER,
			"the query is not valid percent-encoded UTF-8, or has more than 200 parameters");
	envelope_take(r);
	return RC_OK;
}

enum rc http_take_method(struct req *r, struct str method, const struct uri_param *params)
{
	static const char *const methods[] = { "GET", "POST", "PUT", "DELETE", "PATCH" };
	const struct uri_param *p = uri_find(params, "_method");
	r->method = method;
	if (p) {
		r->method = (struct str){ 0 };
		for (int i = 0; i < 5; i++)
			if (str_equal_nocase(p->value, str_of(methods[i])))
				r->method = str_of(methods[i]);
		if (!r->method.p)
			return req_fail(r, RC_INVALID_PARAMETER,
				"'_method' must be one of: GET, POST, PUT, PATCH, DELETE");
	}
	if (str_equal_z(r->method, "PATCH"))
		r->method = STR("PUT");
	if (str_equal_z(r->method, "HEAD"))
		r->method = STR("GET");
	return RC_OK;
}

static int read_upload(void *stream, char *to, int n)
{
	return FCGX_GetStr(to, n, stream);
}

/* The body of an upload is not read until its handler asks for it. */
static bool is_upload(struct str content_type)
{
	static const struct str type = { "multipart/", 10 };
	return content_type.n >= type.n &&
		str_equal_nocase((struct str){ content_type.p, type.n }, type);
}

/*
 * Reads the body of a write. libfcgi does not report a body that ends early, so the length is
 * compared.
 */
static enum rc take_body(struct req *r, FCGX_Request *f)
{
	struct str length = param(f, "CONTENT_LENGTH");
	int64_t n = 0;
	if (length.n == 0 || !route_takes_body(r))
		return RC_OK;
	if (!str_to_int(length, &n) || n < 0)
		return req_fail(r, RC_INVALID_PARAMETER,
			"Content-Length must be the number of bytes of the body");
	if (is_upload(r->content_type)) {
		r->upload = (struct req_upload){ read_upload, f->in, n };
		return RC_OK;
	}
	if (n > r->conf->max_body_kib * 1024)
		return RC_BODY_TOO_LARGE;
	char *p = arena_alloc(r->arena, (size_t)n + 1);
	int got = n ? FCGX_GetStr(p, (int)n, f->in) : 0;
	if (got != n)
		return req_fail(r, RC_COULD_NOT_PARSE_BODY, "the body ended after %d of %lld bytes",
			got, (long long)n);
	r->body_text = (struct str){ p, (size_t)n };
	return RC_OK;
}

/* What the web server asks about; in HTTP/1, every body is announced. */
static void take_question(struct req *r, FCGX_Request *f)
{
	struct str length = param(f, "HTTP_CONTENT_LENGTH");
	struct str protocol = param(f, "SERVER_PROTOCOL");
	bool is_http1 = protocol.n > 6 && !memcmp(protocol.p, "HTTP/1", 6);
	r->is_question = param(f, "PLANWRIGHT_QUESTION").n > 0;
	if (length.n == 0)
		r->announced = is_http1 && !param(f, "HTTP_TRANSFER_ENCODING").n ? 0 : -1;
	else if (!str_to_int(length, &r->announced) || r->announced < 0)
		r->announced = -1;
}

/*
 * The decoded path for which the web server chose this program. nginx passes it in DOCUMENT_URI;
 * with CGI it is the script name and the path info, where a script name ending in .fcgi is a file
 * name added by rewriting.
 */
static struct str find_path(struct req *r, FCGX_Request *f)
{
	struct str path = param(f, "DOCUMENT_URI");
	r->may_hand_over = path.n > 0;
	if (r->may_hand_over)
		return path;
	struct str name = param(f, "SCRIPT_NAME"), rest = param(f, "PATH_INFO");
	r->file.sender = SENDER_X_SENDFILE;
	if (name.n > 5 && !memcmp(name.p + name.n - 5, ".fcgi", 5))
		name = (struct str){ 0 };
	return arena_printf(r->arena, "%.*s%.*s", (int)name.n, name.p ? name.p : "", (int)rest.n,
		rest.p ? rest.p : "");
}

static void choose_sender(struct req *r)
{
	static const char *const words[] = {
		[SENDER_NGINX] = "nginx", [SENDER_X_SENDFILE] = "x-sendfile", [SENDER_SELF] = "self"
	};
	for (int i = 0; i < 3; i++)
		if (!strcmp(r->conf->send_files, words[i]))
			r->file.sender = (enum req_sender)i;
}

enum rc http_read(struct req *r, FCGX_Request *f)
{
	r->environment = f->envp;
	r->origin = param(f, "HTTP_ORIGIN");
	r->authorization = param(f, "HTTP_AUTHORIZATION");
	r->if_none_match = param(f, "HTTP_IF_NONE_MATCH");
	r->idempotency_key = param(f, "HTTP_IDEMPOTENCY_KEY");
	r->cookie = param(f, "HTTP_COOKIE");
	r->fetch_site = param(f, "HTTP_SEC_FETCH_SITE");
	r->fetch_dest = param(f, "HTTP_SEC_FETCH_DEST");
	r->accept = param(f, "HTTP_ACCEPT");
	r->requested_with = param(f, "HTTP_X_REQUESTED_WITH");
	r->agent = param(f, "HTTP_USER_AGENT");
	r->languages = param(f, "HTTP_ACCEPT_LANGUAGE");
	if (r->conf->trust_remote_user)
		r->remote_user = param(f, "REMOTE_USER");
	r->content_type = param(f, "CONTENT_TYPE");
	r->address = param(f, "REMOTE_ADDR");
	struct str id = param(f, "HTTP_X_REQUEST_ID");
	if (log_set_request(id.p))
		db_name_request(r->db, r->id = arena_str(r->arena, id).p);
	struct str path = find_path(r, f);
	choose_sender(r);
	take_question(r, f);
	enum rc query = take_query(r, param(f, "QUERY_STRING"));
	enum rc rc = take_path(r, path);
	if (rc)
		r->error = (struct req_error){ 0 };
	else
		rc = query;
	if (!rc)
		rc = http_take_method(r, param(f, "REQUEST_METHOD"), r->params);
	if (!rc)
		rc = take_token(r, f);
	return rc || r->is_question ? rc : take_body(r, f);
}
