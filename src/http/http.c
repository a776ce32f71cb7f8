#include "http/http.h"

#include <stdio.h>
#include <string.h>

#include "http/envelope.h"
#include "http/route.h"
#include "lib/log.h"
#include "lib/when.h"
#include "service/files.h"

/* Reading ---------------------------------------------------------------- */

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
		return req_fail(r, rc, "the request contains two different tokens");
	if (!welcome)
		return RC_INVALID_AUTHENTICATION;
	if (r->token.p && (r->token.n == 0 || r->token.n > TOKEN_MAX_LENGTH))
		return RC_INVALID_AUTHENTICATION;
	return RC_OK;
}

/* Some clients name the format in the path; it is the only one there is. */
static void cut_format(struct str *segment)
{
	struct str format = STR(".json");
	if (segment->n > format.n &&
		memcmp(segment->p + segment->n - format.n, format.p, format.n) == 0)
		segment->n -= format.n;
}

/* Cuts the path: /services/<version>/… */
static enum rc take_path(struct req *r, struct str path)
{
	struct str all[REQ_SEGMENTS_MAX];
	if (path.n > PATH_MAX_LENGTH)
		return RC_URI_TOO_LONG;
	int n = str_is_text(path) ? uri_split_path(path, all, REQ_SEGMENTS_MAX) : -1;
	/* Web servers close it by its text. */
	if (n > 0 && str_equal_z(all[0], "-") && !uri_is_plain(path, all, n))
		return RC_ROUTE_NOT_FOUND;
	if (n > 0 &&
		(str_equal_z(all[0], "file_attachments") || str_equal_z(all[0], "-") ||
			str_equal_z(all[0], "choose_password"))) {
		r->at_root = true;
		r->n_segments = n;
		memcpy(r->segments, all, (size_t)n * sizeof *all);
		return RC_OK;
	}
	if (n < 2 || !str_equal_z(all[0], "services"))
		return RC_ROUTE_NOT_FOUND;
	if (str_equal_z(all[1], "v3") || str_equal_z(all[1], "v4")) {
		r->xml = true;
		return RC_GONE;
	}
	if (!str_equal_z(all[1], "v5") && !str_equal_z(all[1], "edge") &&
		!str_equal_z(all[1], "next"))
		return RC_ROUTE_NOT_FOUND;
	r->n_segments = n - 2;
	memcpy(r->segments, all + 2, (size_t)r->n_segments * sizeof *all);
	if (r->n_segments > 0)
		cut_format(&r->segments[r->n_segments - 1]);
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

/* The effective method: `_method` overrides it, and PATCH is taken as PUT. */
static enum rc take_method(struct req *r, struct str method)
{
	static const char *const methods[] = { "GET", "POST", "PUT", "DELETE", "PATCH" };
	const struct uri_param *p = uri_find(r->params, "_method");
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
		return req_fail(r, RC_INVALID_PARAMETER, "Content-Length is invalid");
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

/* What a question is about: HTTP/1 has no body that is not announced. */
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
	if (path.n > 0)
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
		rc = take_method(r, param(f, "REQUEST_METHOD"));
	if (!rc)
		rc = take_token(r, f);
	return rc || r->is_question ? rc : take_body(r, f);
}

/* Answering -------------------------------------------------------------- */

static const char *reason(int status)
{
	static const struct {
		int status;
		const char *text;
	} reasons[] = {
		{ 200, "OK" },
		{ 204, "No Content" },
		{ 304, "Not Modified" },
		{ 400, "Bad Request" },
		{ 403, "Forbidden" },
		{ 404, "Not Found" },
		{ 405, "Method Not Allowed" },
		{ 410, "Gone" },
		{ 413, "Content Too Large" },
		{ 414, "URI Too Long" },
		{ 429, "Too Many Requests" },
		{ 503, "Service Unavailable" },
	};
	for (size_t i = 0; i < sizeof reasons / sizeof *reasons; i++)
		if (reasons[i].status == status)
			return reasons[i].text;
	return "Internal Server Error";
}

static void put_header_int(struct buf *h, const char *prefix, const char *name, int64_t value)
{
	buf_put_z(h, prefix);
	buf_put_z(h, name);
	buf_put_z(h, ": ");
	buf_put_int(h, value);
	buf_put_z(h, "\r\n");
}

/* Sends a header of the service under both of its names. */
static void put_service_header(const struct req *r, struct buf *h, const char *name, int64_t value)
{
	put_header_int(h, "X-Service-", name, value);
	if (r->conf->tracker_headers)
		put_header_int(h, "X-Tracker-", name, value);
}

static void put_service_headers(const struct req *r, struct buf *h)
{
	if (envelope_has_version(r))
		put_service_header(r, h, "Project-Version", r->version);
	if (envelope_has_pages(r)) {
		put_service_header(r, h, "Pagination-Total", r->page.total);
		put_service_header(r, h, "Pagination-Limit", r->page.limit);
		put_service_header(r, h, "Pagination-Offset", r->page.offset);
		put_service_header(r, h, "Pagination-Returned", r->page.returned);
	}
	if (r->tells_newest && !r->envelope)
		put_service_header(r, h, "Last-Notification-Timestamp", r->newest_notification);
	put_service_header(r, h, "Client-Pinger-Interval", 20);
	if (r->set_cookie.p)
		buf_printf(h, "Set-Cookie: %s\r\n", r->set_cookie.p);
	/* For the web server's log, which keeps it to itself. */
	if (r->person_id)
		put_header_int(h, "X-Planwright-", "Person", r->person_id);
}

static void wrap_xml(struct req *r)
{
	const struct err_kind *gone = &err_kinds[RC_GONE];
	r->out->n = 0;
	buf_printf(r->out,
		"<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<error>\n  <code>%s</code>\n"
		"  <kind>error</kind>\n  <error>%s</error>\n"
		"  <possible_fix>%s</possible_fix>\n</error>\n",
		gone->code, gone->error, gone->possible_fix);
}

/* A validator of the answer's bytes (RFC 9110, 8.8.3). */
static void make_etag(const struct req *r, char etag[40])
{
	static const char digits[] = "0123456789abcdef";
	unsigned char tag[CRYPT_TAG_SIZE];
	crypt_tag(r->crypt, buf_str(r->out), tag);
	char *p = stpcpy(etag, "W/\"");
	for (int i = 0; i < CRYPT_TAG_SIZE; i++) {
		*p++ = digits[tag[i] >> 4];
		*p++ = digits[tag[i] & 15];
	}
	strcpy(p, "\"");
}

/* If-None-Match: weak comparison with each member of the list. */
static bool matches_etag(struct str list, const char *etag)
{
	while (list.p) {
		struct str member = str_trim(str_cut(&list, ','));
		if (str_equal_z(member, "*") || str_equal_z(member, etag) ||
			str_equal_z(member, etag + 2))
			return true;
	}
	return false;
}

/* Browsers must never guess the type of an answer. */
static void put_safety(struct buf *h)
{
	buf_put_z(h, "X-Content-Type-Options: nosniff\r\n");
}

static void put_caching(struct req *r, struct buf *h)
{
	char etag[40];
	if (r->is_page) {
		buf_put_z(h,
			"Cache-Control: no-store\r\nReferrer-Policy: no-referrer\r\n"
			"Content-Security-Policy: default-src 'none'; style-src 'self'; "
			"form-action 'self'; "
			"frame-ancestors 'none'; base-uri 'none'\r\n");
		return;
	}
	bool cacheable = r->status == 200 || r->status == 304;
	buf_printf(h, "Cache-Control: %s\r\n",
		cacheable ? "max-age=0, private, must-revalidate" : "no-cache");
	if (r->status != 200 || !str_equal_z(r->method, "GET"))
		return;
	make_etag(r, etag);
	buf_printf(h, "ETag: %s\r\n", etag);
	if (r->if_none_match.p && matches_etag(r->if_none_match, etag)) {
		r->status = 304;
		r->out->n = 0;
	}
}

static const char *media_type(const struct req *r)
{
	if (r->xml)
		return "application/xml; charset=utf-8";
	return r->media_type ? r->media_type : "application/json; charset=utf-8";
}

/*
 * Attachments run no scripts and load nothing, wherever they are opened. If nginx sends the file,
 * it keeps the type, the disposition and the caching, and its configuration adds the rest.
 */
static void put_file_head(struct req *r, struct buf *h)
{
	buf_put_z(h, "Status: 200 OK\r\n");
	const struct files kept = files_of(r->conf);
	if (r->file.sender == SENDER_X_SENDFILE)
		buf_printf(h, "X-Sendfile: %s/%s\r\n", kept.folder, r->file.place.p);
	else if (r->file.sender == SENDER_NGINX)
		buf_printf(h, "X-Accel-Redirect: %s\r\n",
			files_give(&kept, r->arena, r->file.place.p).p);
	else
		buf_printf(h, "Content-Length: %lld\r\n", (long long)r->file.size);
	buf_printf(h, "Content-Type: %s\r\nContent-Disposition: %s\r\n", r->file.type.p,
		r->file.disposition.p);
	buf_put_z(h,
		"Cache-Control: max-age=0, private, must-revalidate\r\n"
		"Content-Security-Policy: default-src 'none'; sandbox\r\n");
	put_safety(h);
	put_service_headers(r, h);
	buf_put_z(h, "\r\n");
}

static void reply_file(struct req *r, FCGX_Request *f)
{
	struct buf h = { 0 };
	put_file_head(r, &h);
	if (r->file.sender == SENDER_SELF)
		http_send_file(f, buf_str(&h), r->file.fd, r->file.size);
	else
		http_send(f, buf_str(&h), STR(""));
	buf_free(&h);
}

/* Only for the web server, which sends the contents of the header when it refuses the body. */
static void reply_question(struct req *r, FCGX_Request *f)
{
	struct buf h = { 0 };
	bool is_away = r->status >= 500;
	buf_printf(&h, "Status: %d %s\r\n", r->status, reason(r->status));
	if (r->status != 204)
		buf_printf(&h, "X-Planwright-Refusal: %.*s\r\n", (int)r->out->n, r->out->p);
	if (is_away)
		buf_printf(&h, "Retry-After: %d\r\n", r->retry_after ? r->retry_after : 5);
	buf_put_z(&h, "\r\n");
	http_send(f, buf_str(&h), STR(""));
	buf_free(&h);
}

static void put_content(const struct req *r, struct buf *h)
{
	buf_printf(h, "Content-Type: %s\r\n", media_type(r));
	if (r->filename)
		buf_printf(h, "Content-Disposition: attachment; filename=\"%s\"\r\n", r->filename);
}

/* Its length is not known in advance, and there is nothing to make an ETag from. */
bool http_reply_begin(struct req *r, FCGX_Request *f)
{
	struct buf h = { 0 };
	http_send_begin(f);
	buf_put_z(&h, "Status: 200 OK\r\nCache-Control: max-age=0, private, must-revalidate\r\n");
	put_content(r, &h);
	put_safety(&h);
	put_service_headers(r, &h);
	buf_put_z(&h, "\r\n");
	bool ok = http_send_piece(f, buf_str(&h));
	buf_free(&h);
	return ok;
}

void http_reply(struct req *r, FCGX_Request *f, int64_t started_us)
{
	struct buf h = { 0 };
	bool bodiless = r->status == 204;
	if (r->is_question) {
		reply_question(r, f);
		return;
	}
	if (r->file.place.p && r->status == 200) {
		reply_file(r, f);
		return;
	}
	if (r->xml)
		wrap_xml(r);
	else if (bodiless)
		r->out->n = 0;
	else if (r->envelope)
		envelope_wrap(r, 0);
	put_caching(r, &h);
	buf_printf(&h, "Status: %d %s\r\n", r->status, reason(r->status));
	if (!bodiless && r->status != 304) {
		put_content(r, &h);
		buf_printf(&h, "Content-Length: %zu\r\n", r->out->n);
	}
	if (r->allow.p && r->status == 405)
		buf_printf(&h, "Allow: %s\r\n", r->allow.p);
	if (r->status == 503 || r->status == 429)
		buf_printf(&h, "Retry-After: %d\r\n", r->retry_after ? r->retry_after : 5);
	put_safety(&h);
	put_service_headers(r, &h);
	buf_printf(&h, "X-Runtime: %.6f\r\n\r\n", (double)(when_now() - started_us) / 1e6);
	http_send(f, buf_str(&h), buf_str(r->out));
	buf_free(&h);
}
