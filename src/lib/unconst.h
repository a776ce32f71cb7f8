/*
 * Constant bytes for a function of a library that declares them changeable and leaves them as they
 * are. Nothing else casts const away.
 */
#ifndef UNCONST_H
#define UNCONST_H

#include <stdint.h>

static inline void *unconst(const void *p)
{
	return (void *)(uintptr_t)p;
}

#endif
