/*
 * HTTP client for providers, through libcurl: answers of at most 256 KiB, no redirects, TLS with a
 * verified name, and a time limit for the whole exchange. Anything outside the issuer's own origin
 * must be at a public address; an issuer without TLS must be on this host.
 */
#ifndef HTTP_CLIENT_H
#define HTTP_CLIENT_H

#include "lib/arena.h"
#include "lib/str.h"

enum { WIRE_DOCUMENT_MAX = 256 * 1024, WIRE_SECONDS = 10 };

struct http_client {
	struct arena *arena;
	struct str issuer;
	int64_t until_us;    /* of lib/when.h: the talk ends then */
	long status;         /* of the last answer; 0: there was none */
	int64_t date;        /* its Date, in seconds since 1970; -1: it has none */
	bool is_away;        /* the last one that failed got no answer in time, or a 5xx */
	const char *problem; /* of the last one that failed, for a log: the rest of "… answers" */
};

/* A talk that begins now. */
struct http_client http_client_begin(struct arena *a, struct str issuer);

/*
 * The body of a 200 to GET, or to POST of a form if there is one; `secret` present: with basic auth
 * of `user`. False: w->problem says why.
 */
struct http_client_request {
	struct str address, form;
	struct str user, secret;
};
bool http_client_ask(struct http_client *w, const struct http_client_request *q, struct str *body);

#endif
