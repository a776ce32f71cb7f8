/*
 * The report of an import: remarks as JSON lines while it runs, and a summary at its end.
 *	{"file","row","line","id","column","severity","code","message"}
 */
#ifndef REPORT_H
#define REPORT_H

#include <stdio.h>

#include "lib/buf.h"
#include "transfer/common/import_options.h"
#include "transfer/common/intake.h"

/* What became of a thing of the files. */
enum report_end {
	REPORT_CREATED,
	REPORT_UPDATED,
	REPORT_SAME,    /* it is here already, and alike */
	REPORT_SKIPPED, /* it is here otherwise, and stays as it is */
	REPORT_LOST,
	REPORT_END__MAX
};

struct report;

/*
 * A report has so many lines and bytes; notes leave the second half of both to what is worse.
 * Behind them one line says how many more there were.
 */
enum { REPORT_LINES_MAX = 100000, REPORT_BYTES_MAX = 64 << 20 };

/* lines may be null. Names of the files as the command has them, for remarks; they stay the
   caller's. */
struct report *report_open(FILE *lines, int n, const char *const *files);
void report_close(struct report *r);

/* Writes a line while there is room, and counts it by its code. */
void report_remark(struct report *r, const struct intake_remark *remark);

/* The same for what stands in no file; the message is printed. */
void report_say(struct report *r, enum intake_severity severity, int64_t id, const char *column,
	const char *code, const char *format, ...) __attribute__((format(printf, 6, 7)));

/* Behind all remarks: says how many lines were left out, if any. */
void report_end_lines(struct report *r);

/* Counts n things of a kind (intake_kinds; "membership" and "person" as well). */
void report_count(struct report *r, enum intake_kind kind, enum report_end end, int64_t n);

/* IMPORT_REFUSED after an error, IMPORT_LOST after a loss, else IMPORT_ALL. */
enum import_end report_status(const struct report *r);

/* The first error's message, with its file and line; absent: none. */
struct str report_problem(const struct report *r);

/* Counts as JSON (import.h), and lines for people: counts, then how often each code came. */
void report_put_counts(const struct report *r, struct buf *to);
void report_put_summary(const struct report *r, struct buf *to);

#endif
