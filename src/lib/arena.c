#include "lib/arena.h"

#include <stdarg.h>
#include <stdalign.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/log.h"

enum { FIRST_BYTES = 16 * 1024, KEEP_BYTES = 256 * 1024 };

struct arena_block {
	struct arena_block *next;
	size_t size; /* of the whole block, this head included */
	size_t used;
	alignas(max_align_t) char data[];
};

static struct arena_block *new_block(size_t size)
{
	struct arena_block *block = malloc(size);

	if (!block)
		log_die("out of memory: %zu bytes for a request", size);
	block->next = NULL;
	block->size = size;
	block->used = offsetof(struct arena_block, data);
	return block;
}

static void free_blocks(struct arena_block *block)
{
	while (block) {
		struct arena_block *next = block->next;

		free(block);
		block = next;
	}
}

#ifdef ARENA_MALLOC

/* A block of exactly this size: the sanitizer guards its end. */
static void *take(struct arena *a, size_t size)
{
	struct arena_block *block = new_block(offsetof(struct arena_block, data) + size);

	block->next = a->blocks;
	a->blocks = block;
	return block->data;
}

void arena_reset(struct arena *a)
{
	arena_free(a);
}

#else

static size_t round_up(size_t n)
{
	return (n + alignof(max_align_t) - 1) & ~(alignof(max_align_t) - 1);
}

static void *take(struct arena *a, size_t size)
{
	struct arena_block *block = a->blocks;
	size_t need = round_up(size);

	if (!block || block->size - block->used < need) {
		size_t fresh = block ? block->size * 2 : FIRST_BYTES;

		if (fresh > KEEP_BYTES)
			fresh = KEEP_BYTES;
		bool own = need > fresh / 4;
		block = new_block(own ? offsetof(struct arena_block, data) + need : fresh);
		/* A block of its own is full at once: the one before it stays in use. */
		struct arena_block **at = own && a->blocks ? &a->blocks->next : &a->blocks;
		block->next = *at;
		*at = block;
	}
	void *p = (char *)block + block->used;
	block->used += need;
	return p;
}

void arena_reset(struct arena *a)
{
	struct arena_block **keep = NULL;

	for (struct arena_block **at = &a->blocks; *at; at = &(*at)->next) {
		if ((*at)->size <= KEEP_BYTES && (!keep || (*at)->size > (*keep)->size))
			keep = at;
	}
	struct arena_block *kept = keep ? *keep : NULL;
	if (kept) {
		*keep = kept->next;
		kept->next = NULL;
		kept->used = offsetof(struct arena_block, data);
	}
	free_blocks(a->blocks);
	a->blocks = kept;
	a->used = 0;
}

#endif

void *arena_alloc(struct arena *a, size_t size)
{
	if (size > SIZE_MAX / 2)
		log_die("out of memory: %zu bytes for a request", size);
	a->used += size;
	return memset(take(a, size), 0, size);
}

void *arena_array(struct arena *a, size_t n, size_t size)
{
	size_t bytes;

	if (__builtin_mul_overflow(n, size, &bytes))
		log_die("out of memory: %zu elements of %zu bytes for a request", n, size);
	return arena_alloc(a, bytes);
}

char *arena_chars(struct arena *a, struct str s)
{
	if (!s.p)
		return NULL;
	char *p = arena_alloc(a, s.n + 1);
	memcpy(p, s.p, s.n);
	return p;
}

struct str arena_str(struct arena *a, struct str s)
{
	return (struct str){ arena_chars(a, s), s.n };
}

struct str arena_vprintf(struct arena *a, const char *format, va_list args)
{
	va_list again;

	va_copy(again, args);
	int length = vsnprintf(NULL, 0, format, args);
	if (length < 0)
		log_die("cannot format \"%s\"", format);
	char *p = arena_alloc(a, (size_t)length + 1);
	vsnprintf(p, (size_t)length + 1, format, again);
	va_end(again);
	return (struct str){ p, (size_t)length };
}

struct str arena_printf(struct arena *a, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	struct str s = arena_vprintf(a, format, args);
	va_end(args);
	return s;
}

void arena_free(struct arena *a)
{
	free_blocks(a->blocks);
	*a = (struct arena){ 0 };
}
