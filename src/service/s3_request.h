/*
 * One request to an object store, with its retries: what s3.h is built on. A request that the
 * store does not answer, or answers 5xx or 429, is retried until it was sent S3_TRIES times or the
 * time is over. One that makes no progress for S3_STALL_S and a few seconds, in which libcurl
 * measures the speed, is given up and not retried.
 */
#ifndef S3_REQUEST_H
#define S3_REQUEST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "lib/str.h"

enum {
	S3_PROBLEM_MAX = 400,
	S3_KEY_MAX = 512,
	S3_BODY_MAX = 2048,
	S3_TRIES = 3,
	S3_CONNECT_S = 5,
	S3_STALL_S = 8,
};

struct s3 {
	const char *endpoint; /* https://host[:port]; null: there is no store */
	const char *region, *access_key, *secret_key;
	struct str bucket, prefix; /* no prefix, or one without slashes at its ends */
	int patience_s;            /* for one call with all its tries; 0: any time */
	bool (*beat)(void *of);    /* called each second while a call waits; false ends it */
	void *beat_of;
};

/* Why a call failed: one line for people, without secrets. */
struct s3_problem {
	bool is_missing; /* there is no such object */
	char text[S3_PROBLEM_MAX];
};

/* The object's name as the bucket has it: behind the prefix. */
struct str s3_key(const struct s3 *s, const char *name, char to[S3_KEY_MAX]);

struct s3_request {
	const struct s3 *store;
	const char *method; /* GET, PUT, DELETE */
	const char *name;   /* of the object; null: the bucket */
	const char *query;  /* without '?', sorted by name and encoded; null: none */
	int from;           /* PUT: the file */
	const char *sha256; /* PUT: of the file, in hexadecimal */
	int64_t size;
	/* Takes what a 200 brings; false ends the request. Null: nothing is expected. */
	bool (*take)(void *to, const char *p, size_t n);
	bool (*again)(void *to); /* before each try */
	void *to;

	/* The answer. */
	void *easy;
	char body[S3_BODY_MAX]; /* of an error */
	size_t n_body;
	long status;
};

/* True if the status is 2xx, and 200 if something is to be taken; or 404 to a DELETE. */
bool s3_request(struct s3_request *r, struct s3_problem *p);

#endif
