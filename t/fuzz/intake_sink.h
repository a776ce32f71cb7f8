/* Shared by the fuzz targets for readers (src/transfer/common/intake.h): bytes that arrive in pieces, and
 * a sink that collects everything read in one text, for comparison. */
#ifndef INTAKE_SINK_H
#define INTAKE_SINK_H

#include "transfer/common/intake.h"

struct intake_sink {
	struct intake in; /* first; its `remark` is set, `put` is the target's own */
	struct buf all;
	int64_t records, errors, line;
};

struct intake_source {
	struct intake_bytes bytes; /* first */
	struct str data;
	size_t at, step;
};

/* Aborts, which fuzzers report, unless the condition holds. */
void must(bool holds, const char *what);

/* A sink that appends to `all`, which stays the caller's. */
struct intake_sink intake_sink_of(struct buf all,
	enum rc (*put)(
		struct intake *, enum intake_kind, struct intake_place, const struct record *));

/* A source of `data`, at most `step` bytes at a time. */
struct intake_source intake_source_of(struct str data, size_t step);

#endif
