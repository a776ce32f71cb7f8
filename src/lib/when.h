/*
 * Dates and times. An instant is an int64_t of microseconds since 1970-01-01
 * 00:00:00 UTC; a date is an int32_t of days since 1970-01-01.
 */
#ifndef WHEN_H
#define WHEN_H

#include <stdbool.h>
#include <stdint.h>

#include "lib/buf.h"
#include "lib/str.h"

/*
 * Any ISO 8601 instant of the profile in RFC 3339, years 0001 to 9999: 'T', 't'
 * or a space; seconds may be left out; fractions to any length (microseconds
 * kept); zone Z, +hh:mm, +hhmm, +hh, or none, which means UTC. A date alone
 * is its midnight in UTC. So is the basic form, 20170503T232942Z. Leap second 60
 * counts as 59. False if it is not one.
 */
bool when_parse(struct str s, int64_t *us);

/* The instant of milliseconds since the epoch; false: it is not in the years 0001 to 9999. */
bool when_of_millis(int64_t ms, int64_t *us);

/* YYYY-MM-DD of a day that exists. */
bool when_parse_date(struct str s, int32_t *days);

/* 2017-05-03T23:29:42Z, whole seconds (rounded down). */
void when_put_iso(struct buf *b, int64_t us);

/* The same with what there is of a fraction: 2017-05-03T23:29:42.125Z */
void when_put_exact(struct buf *b, int64_t us);

/* Milliseconds since the epoch (rounded down). */
int64_t when_millis(int64_t us);

/* 2017-05-03 */
void when_put_date(struct buf *b, int32_t days);

/* Oct 7, 2019 */
void when_put_words(struct buf *b, int32_t days);

/* 4/20/2019 */
void when_put_slashes(struct buf *b, int32_t days);

/* Day of the week, 0 is Sunday. */
int when_weekday(int32_t days);

/* The last day on or before that one which is on the given weekday. */
int32_t when_week_start(int32_t days, int weekday);

/* Whether it looks like a name of the tz database: UTC, or parts with slashes between. */
bool when_is_zone_name(struct str s);

/* Now, for logs and time-outs only: the service's clock is the database's. */
int64_t when_now(void);

#endif
