/*
 * Casting const away, for library functions that take pointers to non-const bytes but do not
 * change them. Nothing else does so.
 */
#ifndef UNCONST_H
#define UNCONST_H

#include <stdint.h>

static inline void *unconst(const void *p)
{
	return (void *)(uintptr_t)p;
}

#endif
