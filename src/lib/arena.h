/*
 * Arena allocator, the memory for one request: everything that a request allocates lives until
 * arena_reset, so handlers never free. Out of memory ends the process: its
 * supervisor starts another.
 *
 * Built with -DARENA_MALLOC each piece is a malloc of its own, so that
 * sanitizers see an overrun of a single piece.
 */
#ifndef ARENA_H
#define ARENA_H

#include <stdarg.h>
#include <stddef.h>

#include "lib/str.h"

struct arena_block;

struct arena {
	struct arena_block *blocks; /* newest first; null before first use */
	size_t used;                /* bytes handed out since the last reset */
};

/* Zeroed memory aligned for any type; never null. */
void *arena_alloc(struct arena *a, size_t size);

/* Room for n elements of size bytes; ends the process when n * size overflows. */
void *arena_array(struct arena *a, size_t n, size_t size);

/* A copy of s, followed by a NUL that is not counted; the absent string stays absent. */
struct str arena_str(struct arena *a, struct str s);

/* The same, to be written over. */
char *arena_chars(struct arena *a, struct str s);

/* Formatted text as a NUL ended string of the arena. */
struct str arena_printf(struct arena *a, const char *format, ...)
	__attribute__((format(printf, 2, 3)));
struct str arena_vprintf(struct arena *a, const char *format, va_list args)
	__attribute__((format(printf, 2, 0)));

/* Ends the life of all pieces; keeps one block of at most 256 KiB for reuse. */
void arena_reset(struct arena *a);

/* Gives all memory back. */
void arena_free(struct arena *a);

#endif
