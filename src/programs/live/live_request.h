/*
 * Parser of nginx's requests to planwright-live: the head of an HTTP/1 request, whose path ends
 * with a ticket. Pure: it reads bytes.
 */
#ifndef LIVE_REQUEST_H
#define LIVE_REQUEST_H

#include <stdbool.h>

#include "lib/str.h"

enum { LIVE_REQUEST_MAX = 8192 };

struct live_request {
	struct str ticket; /* in the bytes that were read */
	bool is_head;      /* HEAD: wants no events */
};

enum live_read {
	LIVE_READ_MORE, /* it is not whole yet */
	LIVE_READ_DONE,
	LIVE_READ_BAD, /* it is none, or of another kind */
};

enum live_read live_request_read(struct str bytes, struct live_request *request);

#endif
