/*
 * S3 client, through libcurl: objects by name, below the prefix of one bucket, addressed by path
 * (endpoint/bucket/name) and signed with version 4. Every call may wait for the network, so no
 * worker makes one (http/stream.h); only s3_sign() does not contact the store.
 */
#ifndef S3_H
#define S3_H

#include <stdbool.h>
#include <stdint.h>

#include "lib/arena.h"
#include "lib/sigv4.h"
#include "service/s3_request.h"

/* Stores all that the descriptor's file contains; false on failure, as all below. */
bool s3_put(const struct s3 *s, const char *name, int fd, struct s3_problem *p);

/* Writes the object to the descriptor's file, which is empty. */
bool s3_get(const struct s3 *s, const char *name, int fd, struct s3_problem *p);

/* A missing object is no failure. */
bool s3_delete(const struct s3 *s, const char *name, struct s3_problem *p);

/* An object of the store, by its name without the prefix. */
struct s3_object {
	const char *name;
	int64_t size, changed_s;
};

/* Calls `each` for every object whose name begins with `below`, in the order of names. */
bool s3_list(const struct s3 *s, const char *below,
	void (*each)(void *to, const struct s3_object *o), void *to, struct s3_problem *p);

/* "/bucket/prefix/name", and the headers with which the endpoint gives it (lib/sigv4.h). */
struct s3_signed {
	struct str path;
	struct sigv4 headers;
};
struct s3_signed s3_sign(const struct s3 *s, struct arena *a, const char *name, int64_t time_s);

#endif
