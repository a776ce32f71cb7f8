/*
 * Writes CSV as RFC 4180 gives it: commas, lines ended by CR LF, a cell in quotes
 * when it holds a comma, a quote or a line end. Out of memory ends the process
 * (buf.h).
 */
#ifndef CSV_H
#define CSV_H

#include "lib/buf.h"

struct csv {
	struct buf *out;
	bool in_row; /* a cell of this row was written */
};

void csv_init(struct csv *c, struct buf *out);

/* A cell whose text the program made: numbers, dates, names of states. */
void csv_put(struct csv *c, struct str text);
void csv_put_int(struct csv *c, int64_t v);

/*
 * A cell that holds what people wrote: one that a spreadsheet would take for a
 * formula gets a leading ' (contract 7.2; '=', '+', '-', '@', tab, CR).
 */
void csv_put_text(struct csv *c, struct str text);

void csv_end_row(struct csv *c);

#endif
