/*
 * CSV writer: commas, a cell in quotes when it holds a comma, a quote or a line end. Out of
 * memory ends the process (buf.h).
 */
#ifndef CSV_H
#define CSV_H

#include "lib/buf.h"

enum csv_style {
	CSV_RFC,        /* RFC 4180: CR LF behind each row, and all rows are as long */
	CSV_SHORT_ROWS, /* LF behind each row, which ends at its last value */
};

struct csv {
	struct buf *out;
	enum csv_style style;
	bool in_row; /* a cell of this row was written */
	int blanks;  /* cells behind it that are not written yet */
};

void csv_init(struct csv *c, struct buf *out, enum csv_style style);

/* A cell whose text the program made: numbers, dates, names of states. */
void csv_put(struct csv *c, struct str text);
void csv_put_int(struct csv *c, int64_t v);

/* A cell that holds an empty text, and not nothing: "". */
void csv_put_empty(struct csv *c);

/*
 * A cell that holds what people wrote: one that a spreadsheet would take for a
 * formula gets a leading ' ('=', '+', '-', '@', tab, CR). CSV_SHORT_ROWS
 * leaves a '-' alone that a blank or another '-' follows: it begins a list.
 */
void csv_put_text(struct csv *c, struct str text);

void csv_end_row(struct csv *c);

/* The same with all cells, in either style. */
void csv_end_row_whole(struct csv *c);

#endif
