/*
 * FastCGI requests and responses, on the other side of struct req: takes a request's parameters
 * and body with their bounds, writes status, headers and body in one go.
 * libfcgi is seen here and in the programs only.
 */
#ifndef HTTP_H
#define HTTP_H

#include <fcgiapp.h>

#include "http/req.h"

/*
 * Fills r from a request that was accepted. On failure r is complete enough to
 * be answered with the rc: 400 a body shorter than announced, a broken query or two
 * tokens, 413, 414, 404 outside of /services/v5, edge, next and /file_attachments,
 * 410 for v3 and v4. The body of an upload is not read yet: r->upload reads it.
 */
enum rc http_read(struct req *r, FCGX_Request *f) MUST_CHECK;

/* The effective method, r->method: `_method` overrides it, and PATCH is treated as PUT. */
enum rc http_take_method(
	struct req *r, struct str method, const struct uri_param *params) MUST_CHECK;

/* Sends r->status, the headers and r->out (contract 1.3, 1.5), and ends the request. */
void http_reply(struct req *r, FCGX_Request *f, int64_t started_us);

/* What becomes of a connection after the answer: f->keepConnection, see accept_next. */
enum {
	HTTP_CLOSE, /* the web server wants it closed */
	HTTP_KEEP,
	HTTP_LAST, /* it would keep it, but is told not to */
};

/*
 * Sends the answer as FastCGI 1.0 records, usually in one write, then ends the request and,
 * unless kept, its connection. libfcgi's own stream writes pieces of 8 kB and wakes nginx for
 * each: a list of 85 kB took a sixth more of both processes' time.
 */
void http_send(FCGX_Request *f, struct str head, struct str body);

/* The same piece by piece. The first call reads what is left of the request. */
void http_send_begin(FCGX_Request *f);
/* False: the web server accepts no more, and only http_send_cut is of use. */
bool http_send_piece(FCGX_Request *f, struct str piece);
/* Ends the answer, and the connection: the web server does not use it again. */
void http_send_end(FCGX_Request *f);
/* Ends the connection in the middle: the web server does not take the answer for whole. */
void http_send_cut(FCGX_Request *f);

/*
 * The head and that many bytes of a file, which is closed, piece by piece. A web server that
 * takes none for HTTP_STALL_SECONDS, or a file that turns out shorter, is cut off.
 */
enum { HTTP_STALL_SECONDS = 30 };
void http_send_file(FCGX_Request *f, struct str head, int file, int64_t size);

/* Headers of an answer that is sent piece by piece; false as of http_send_piece. */
bool http_reply_begin(struct req *r, FCGX_Request *f);

#endif
