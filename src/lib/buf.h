/*
 * A growable output buffer. Writers return nothing: out of memory ends the
 * process. The buffer is kept between requests; buf_reset gives back what is
 * above 1 MiB, so that one large answer does not make a worker fat for ever.
 */
#ifndef BUF_H
#define BUF_H

#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include "lib/str.h"

struct buf {
	char *p;
	size_t n;   /* bytes written */
	size_t cap; /* bytes allocated */
};

void buf_reset(struct buf *b);
void buf_free(struct buf *b);

/* Room for `more` bytes where there is none: for buf_reserve(). */
void buf_grow(struct buf *b, size_t more);

/* Makes sure that `more` bytes can follow and returns where they go. Here, as each byte of an answer passes. */
static inline char *buf_reserve(struct buf *b, size_t more)
{
	if (b->cap - b->n < more || !b->p)
		buf_grow(b, more);
	return b->p + b->n;
}

void buf_put(struct buf *b, const void *p, size_t n);
void buf_put_str(struct buf *b, struct str s);
void buf_put_z(struct buf *b, const char *z);
static inline void buf_put_char(struct buf *b, char c)
{
	*buf_reserve(b, 1) = c;
	b->n++;
}
void buf_put_int(struct buf *b, int64_t v);
void buf_printf(struct buf *b, const char *format, ...) __attribute__((format(printf, 2, 3)));
void buf_vprintf(struct buf *b, const char *format, va_list args)
	__attribute__((format(printf, 2, 0)));

/* What was written so far; valid until the next write. */
struct str buf_str(const struct buf *b);

#endif
