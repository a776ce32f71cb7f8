#include "http/http.h"

#include <string.h>

#include "http/envelope.h"
#include "http/old.h"
#include "http/route.h"
#include "lib/when.h"
#include "service/files.h"

static const char *reason(int status)
{
	static const struct {
		int status;
		const char *text;
	} reasons[] = {
		{ 200, "OK" },
		{ 202, "Accepted" },
		{ 204, "No Content" },
		{ 303, "See Other" },
		{ 304, "Not Modified" },
		{ 400, "Bad Request" },
		{ 401, "Unauthorized" },
		{ 403, "Forbidden" },
		{ 404, "Not Found" },
		{ 405, "Method Not Allowed" },
		{ 410, "Gone" },
		{ 413, "Content Too Large" },
		{ 414, "URI Too Long" },
		{ 422, "Unprocessable Content" },
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
	if (envelope_has_version(r) && r->made_version)
		put_service_header(r, h, "Project-Changed", 1);
	if (envelope_has_pages(r)) {
		put_service_header(r, h, "Pagination-Total", r->page.total);
		put_service_header(r, h, "Pagination-Limit", r->page.limit);
		put_service_header(r, h, "Pagination-Offset", r->page.offset);
		put_service_header(r, h, "Pagination-Returned", r->page.returned);
	}
	if (r->tells_newest && !r->envelope)
		put_service_header(r, h, "Last-Notification-Timestamp", r->newest_notification);
	put_service_header(r, h, "Client-Pinger-Interval", 20);
	for (int i = 0; i < REQ_COOKIES; i++)
		if (r->set_cookie[i].p)
			buf_printf(h, "Set-Cookie: %s\r\n", r->set_cookie[i].p);
	/* For the web server's log; the server does not pass it on. */
	if (r->person_id)
		put_header_int(h, "X-Planwright-", "Person", r->person_id);
}

static void write_gone(struct req *r)
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
	if (r->is_gone || r->old.version)
		return "application/xml; charset=utf-8";
	return r->media_type ? r->media_type : "application/json; charset=utf-8";
}

/* Only the web server sees the signature: in the address, it would be logged whenever the store
   fails. */
static void put_given(struct req *r, const struct files *kept, struct buf *h)
{
	const struct files_given given = files_give(kept, r->arena, r->file.place.p);
	buf_printf(h, "X-Accel-Redirect: %s\r\n", given.address.p);
	if (given.store.date.p)
		buf_printf(h,
			"X-Planwright-Store-Signature: %s\r\nX-Planwright-Store-Date: %s\r\n"
			"X-Planwright-Store-Digest: " SIGV4_NOTHING "\r\n",
			given.store.authorization.p, given.store.date.p);
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
		put_given(r, &kept, h);
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

/* The internal location provides the status, the type and everything after them. */
static void reply_elsewhere(struct req *r, FCGX_Request *f)
{
	struct buf h = { 0 };
	buf_printf(&h, "Status: 200 OK\r\nX-Accel-Redirect: %s\r\n", r->handed_to.p);
	put_service_headers(r, &h);
	buf_put_z(&h, "\r\n");
	http_send(f, buf_str(&h), STR(""));
	buf_free(&h);
}

/* The methods of the rows, what counts as one of them, and OPTIONS, which the web server answers. */
static void put_allow(const struct req *r, struct buf *h)
{
	struct str rest = r->allow;
	buf_printf(h, "Allow: ");
	while (rest.p) {
		struct str method = str_trim(str_cut(&rest, ','));
		buf_printf(h, "%.*s%s, ", (int)method.n, method.p,
			str_equal_z(method, "GET")           ? ", HEAD"
				: str_equal_z(method, "PUT") ? ", PATCH"
							     : "");
	}
	buf_printf(h, "OPTIONS\r\n");
}

/* Which credentials are needed, and where to get them. */
static void put_challenge(const struct req *r, struct buf *h)
{
	if (r->status != 401)
		return;
	if (r->route && r->route->flags & R_BASIC)
		buf_put_z(h, "WWW-Authenticate: Basic realm=\"planwright\"\r\n");
	else
		buf_printf(h,
			"WWW-Authenticate: Bearer realm=\"planwright\", error_description=\"make a token "
			"at %s/profile\"\r\n",
			r->conf->base_url);
}

/* Puts XML on one line. */
static void join_lines(struct buf *b)
{
	for (size_t i = 0; i < b->n; i++)
		if (b->p[i] == '\n')
			b->p[i] = ' ';
}

/* Only for the web server, which sends the contents of the header when it refuses the body. */
static void reply_question(struct req *r, FCGX_Request *f)
{
	struct buf h = { 0 };
	if (r->is_gone)
		write_gone(r);
	else if (r->old.version && r->status >= 400)
		old_write(r);
	join_lines(r->out);
	bool is_away = r->status >= 500;
	buf_printf(&h, "Status: %d %s\r\n", r->status, reason(r->status));
	put_challenge(r, &h);
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
	if (r->is_question) {
		reply_question(r, f);
		return;
	}
	if (r->file.place.p && r->status == 200) {
		reply_file(r, f);
		return;
	}
	if (r->handed_to.p && r->status == 200) {
		reply_elsewhere(r, f);
		return;
	}
	if (r->old.version)
		old_write(r);
	bool bodiless = r->status == 202 || r->status == 204;
	if (r->is_gone)
		write_gone(r);
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
	put_challenge(r, &h);
	if (r->location.p && r->status == 303)
		buf_printf(&h, "Location: %s\r\n", r->location.p);
	if (r->allow.p && r->status == 405)
		put_allow(r, &h);
	if (r->status == 503 || r->status == 429)
		buf_printf(&h, "Retry-After: %d\r\n", r->retry_after ? r->retry_after : 5);
	put_safety(&h);
	put_service_headers(r, &h);
	buf_printf(&h, "X-Runtime: %.6f\r\n\r\n", (double)(when_now() - started_us) / 1e6);
	http_send(f, buf_str(&h), buf_str(r->out));
	buf_free(&h);
}
