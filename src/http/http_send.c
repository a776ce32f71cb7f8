#include <errno.h>
#include <fastcgi.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/uio.h>
#include <unistd.h>

#include "http/http.h"
#include "lib/log.h"
#include "lib/unconst.h"

/* A record holds up to 65,535 bytes; a multiple of eight needs no padding. */
enum { RECORD_MAX = 65528, RECORDS = 32 };

struct answer {
	int fd, id;
	bool failed; /* the web server went away: nobody waits for the rest */
	int n_records, n;
	FCGI_Header headers[RECORDS];
	struct iovec parts[2 * RECORDS];
};

static struct answer answer_of(const FCGX_Request *f)
{
	return (struct answer){ .fd = f->ipcFd, .id = f->requestId };
}

static void flush(struct answer *a)
{
	struct iovec *v = a->parts;
	int left = a->failed ? 0 : a->n;
	while (left > 0) {
		ssize_t sent = writev(a->fd, v, left);
		if (sent < 0 && errno == EINTR)
			continue;
		a->failed = sent < 0;
		if (a->failed)
			break;
		for (; left > 0 && (size_t)sent >= v->iov_len; left--, v++)
			sent -= (ssize_t)v->iov_len;
		if (left > 0) {
			v->iov_base = (char *)v->iov_base + sent;
			v->iov_len -= (size_t)sent;
		}
	}
	a->n = a->n_records = 0;
}

static void put_record(struct answer *a, int type, const void *content, size_t n)
{
	if (a->n_records == RECORDS)
		flush(a);
	FCGI_Header *h = &a->headers[a->n_records++];
	*h = (FCGI_Header){ .version = FCGI_VERSION_1,
		.type = (unsigned char)type,
		.requestIdB1 = (unsigned char)(a->id >> 8),
		.requestIdB0 = (unsigned char)a->id,
		.contentLengthB1 = (unsigned char)(n >> 8),
		.contentLengthB0 = (unsigned char)n };
	a->parts[a->n++] = (struct iovec){ h, sizeof *h };
	if (n > 0)
		a->parts[a->n++] = (struct iovec){ unconst(content), n };
}

static void put_stream(struct answer *a, struct str content)
{
	while (content.n > 0) {
		size_t n = content.n < RECORD_MAX ? content.n : RECORD_MAX;
		put_record(a, FCGI_STDOUT, content.p, n);
		content.p += n;
		content.n -= n;
	}
}

/*
 * Reads the unused rest of the input, since nginx turns a body cut off midway into a 502. Returns
 * whether the end has arrived; does not wait long for a server that never sends it.
 */
static bool has_read_all(FCGX_Request *f)
{
	const struct timeval patience = { .tv_sec = 2 };
	char piece[8192];
	if (setsockopt(f->ipcFd, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience))
		return false;
	while (FCGX_GetStr(piece, sizeof piece, f->in) == sizeof piece)
		;
	return !FCGX_GetError(f->in);
}

static void put_end(struct answer *a, bool is_last)
{
	static const FCGI_EndRequestBody end = { .protocolStatus = FCGI_REQUEST_COMPLETE };
	put_record(a, FCGI_STDOUT, NULL, 0);
	put_record(a, FCGI_END_REQUEST, &end, sizeof end);
	/*
	 * nginx does not keep a connection with data after the end; otherwise it might reuse this
	 * one.
	 */
	if (is_last)
		put_record(a, FCGI_STDOUT, NULL, 0);
	flush(a);
}

void http_send(FCGX_Request *f, struct str head, struct str body)
{
	struct answer a = answer_of(f);
	/*
	 * Before the answer, since the next request may follow it directly on a kept connection.
	 */
	bool all_read = has_read_all(f);
	put_stream(&a, head);
	put_stream(&a, body);
	put_end(&a, f->keepConnection == HTTP_LAST);
	/*
	 * libfcgi waits for the server to close first, because unread input would reset the
	 * connection; that is not needed if everything was read.
	 */
	bool keep = f->keepConnection == HTTP_KEEP && all_read && !a.failed;
	if (!keep && all_read)
		FCGX_Detach(f);
	FCGX_Free(f, !keep);
}

/* Sends a file with constant memory, without waiting forever for a slow reader. */
static bool put_file(struct answer *a, int file, int64_t size)
{
	char piece[RECORD_MAX];
	while (size > 0 && !a->failed) {
		size_t want = size < RECORD_MAX ? (size_t)size : RECORD_MAX;
		ssize_t got = read(file, piece, want);
		if (got < 0 && errno == EINTR)
			continue;
		if (got <= 0)
			return false;
		put_record(a, FCGI_STDOUT, piece, (size_t)got);
		flush(a);
		size -= got;
	}
	return !a->failed;
}

void http_send_file(FCGX_Request *f, struct str head, int file, int64_t size)
{
	const struct timeval patience = { .tv_sec = HTTP_STALL_SECONDS }, none = { 0 };
	struct answer a = answer_of(f);
	bool all_read = has_read_all(f);
	setsockopt(f->ipcFd, SOL_SOCKET, SO_SNDTIMEO, &patience, sizeof patience);
	put_stream(&a, head);
	flush(&a);
	bool whole = put_file(&a, file, size);
	close(file);
	if (whole)
		put_end(&a, f->keepConnection == HTTP_LAST);
	bool keep = whole && f->keepConnection == HTTP_KEEP && all_read && !a.failed;
	setsockopt(f->ipcFd, SOL_SOCKET, SO_SNDTIMEO, &none, sizeof none);
	if (!keep && (all_read || !whole))
		FCGX_Detach(f);
	FCGX_Free(f, !keep);
}

/* Piece by piece --------------------------------------------------------------- */

void http_send_begin(FCGX_Request *f)
{
	if (!has_read_all(f))
		log_warn("a request arrived incomplete");
}

bool http_send_piece(FCGX_Request *f, struct str piece)
{
	struct answer a = answer_of(f);
	put_stream(&a, piece);
	flush(&a);
	return !a.failed;
}

void http_send_end(FCGX_Request *f)
{
	struct answer a = answer_of(f);
	put_end(&a, true);
	http_send_cut(f);
}

void http_send_cut(FCGX_Request *f)
{
	FCGX_Detach(f);
	FCGX_Free(f, true);
}
