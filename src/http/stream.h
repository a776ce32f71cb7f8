/*
 * Streamed responses, which may be long or have to wait (req.h, struct req_stream): a process of
 * its own goes on with the request, on a copy of its connection to the web server and with one of
 * its own to the database. The worker takes the next request at once, so that nobody waits for a
 * long one, however slowly it is fetched.
 */
#ifndef STREAM_H
#define STREAM_H

#include "http/http.h"

enum {
	STREAM_MOST = 4,            /* at once on this host; of one person one */
	STREAM_FILES = 8,           /* that wait to be looked at (media.h), of one person … */
	STREAM_FILES_MOST = 32,     /* … and of all */
	STREAM_SECONDS = 3600,      /* then it is cut */
	STREAM_STALL_SECONDS = 120, /* likewise when nothing is fetched for so long */
};

/*
 * RC_OK: the request is that process's now, which answers it, also with an error; the caller
 * lets its connection go (accept_let_go). Else no process can be made.
 */
enum rc stream_hand_over(struct req *r, FCGX_Request *f, int64_t started_us) MUST_CHECK;

#endif
