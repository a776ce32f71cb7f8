/*
 * Streamed responses, which may be long or have to wait (req.h, struct req_stream): a separate
 * process continues the request, with a copy of its connection to the web server and its own
 * connection to the database. The worker takes the next request at once, so nobody waits for a
 * long one, however slowly the client reads.
 */
#ifndef STREAM_H
#define STREAM_H

#include "http/http.h"

enum {
	STREAM_MOST = 4,            /* at once on this host; one per person */
	STREAM_FILES = 8,           /* waiting to be examined (media.h), per person … */
	STREAM_FILES_MOST = 32,     /* … and of all */
	STREAM_SIGN_INS = 4,        /* waiting for an OpenID provider, per address … */
	STREAM_SIGN_INS_MOST = 8,   /* … and of all */
	STREAM_SECONDS = 3600,      /* then it is cut */
	STREAM_STALL_SECONDS = 120, /* likewise if the client reads nothing for this long */
};

/*
 * RC_OK: the request is that process's now, which answers it, also with an error; the caller
 * lets its connection go (accept_let_go). Else no process can be made.
 */
enum rc stream_hand_over(struct req *r, FCGX_Request *f, int64_t started_us) MUST_CHECK;

#endif
