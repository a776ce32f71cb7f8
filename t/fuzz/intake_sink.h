/* What fuzz targets of readers (src/transfer/common/intake.h) share: bytes that come in pieces, and a
 * sink that keeps all that was read in one text, to be compared. */
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

/* Ends the program, as a fuzzer wants it, unless it holds. */
void must(bool holds, const char *what);

/* A sink whose text goes on in `all`, which stays the caller's. */
struct intake_sink intake_sink_of(struct buf all,
	enum rc (*put)(
		struct intake *, enum intake_kind, struct intake_place, const struct record *));

/* Bytes of `data`, at most `step` at a time. */
struct intake_source intake_source_of(struct str data, size_t step);

#endif
