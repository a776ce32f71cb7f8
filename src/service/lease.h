/*
 * How long leases last (sql/lease.sql): a program that dies is followed by another after so many
 * seconds at most, and one that stands still for as long may lose its work to another.
 */
#ifndef LEASE_H
#define LEASE_H

#include <stdint.h>

#include "lib/arena.h"
#include "lib/str.h"

/* `seconds` as an interval for SQL; the environment's PLANWRIGHT_LEASE_SECONDS instead, for tests. */
struct str lease_length(struct arena *a, int64_t seconds);

/* From one renewal to the next: a fifth of it, so that a few may fail. */
int64_t lease_renewal_us(int64_t seconds);

#endif
