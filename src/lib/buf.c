#include "lib/buf.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/log.h"

enum { FIRST_BYTES = 4096, KEEP_BYTES = 256 * 1024, PRINTF_BYTES = 128 };

void buf_reset(struct buf *b)
{
	b->n = 0;
	if (b->cap > KEEP_BYTES) {
		char *p = realloc(b->p, KEEP_BYTES);

		if (p) {
			b->p = p;
			b->cap = KEEP_BYTES;
		}
	}
}

void buf_free(struct buf *b)
{
	free(b->p);
	*b = (struct buf){ 0 };
}

void buf_grow(struct buf *b, size_t more)
{
	size_t need, cap = b->cap ? b->cap : FIRST_BYTES;

	if (__builtin_add_overflow(b->n, more, &need) || need > SIZE_MAX / 2)
		log_die("out of memory: an output of %zu bytes and %zu more", b->n, more);
	while (cap < need)
		cap *= 2;
	char *p = realloc(b->p, cap);
	if (!p)
		log_die("out of memory: an output buffer of %zu bytes", cap);
	b->p = p;
	b->cap = cap;
}

void buf_put(struct buf *b, const void *p, size_t n)
{
	if (n == 0)
		return;
	memcpy(buf_reserve(b, n), p, n);
	b->n += n;
}

void buf_put_str(struct buf *b, struct str s)
{
	buf_put(b, s.p, s.n);
}

void buf_put_z(struct buf *b, const char *z)
{
	buf_put(b, z, strlen(z));
}

void buf_put_int(struct buf *b, int64_t v)
{
	char digits[20];
	size_t at = sizeof(digits);
	uint64_t rest = v < 0 ? -(uint64_t)v : (uint64_t)v;

	do {
		digits[--at] = (char)('0' + rest % 10);
		rest /= 10;
	} while (rest > 0);
	if (v < 0)
		digits[--at] = '-';
	buf_put(b, digits + at, sizeof(digits) - at);
}

void buf_vprintf(struct buf *b, const char *format, va_list args)
{
	va_list again;

	va_copy(again, args);
	char *to = buf_reserve(b, PRINTF_BYTES);
	int length = vsnprintf(to, PRINTF_BYTES, format, args);
	if (length < 0)
		log_die("cannot format \"%s\"", format);
	if (length >= PRINTF_BYTES) {
		to = buf_reserve(b, (size_t)length + 1);
		vsnprintf(to, (size_t)length + 1, format, again);
	}
	va_end(again);
	b->n += (size_t)length;
}

void buf_printf(struct buf *b, const char *format, ...)
{
	va_list args;
	va_start(args, format);
	buf_vprintf(b, format, args);
	va_end(args);
}

struct str buf_str(const struct buf *b)
{
	return (struct str){ b->p ? b->p : "", b->n };
}
