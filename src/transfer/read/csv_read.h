/*
 * Tolerant CSV reader: UTF-8 with or without a byte order mark, or windows-1252 if the intake says
 * so; cells separated by `,`, `;` or TAB, whichever the header or a line `sep=;` above it has; rows ended by
 * LF, CR LF or CR; doubled quotes and line ends in quoted cells; rows of any length. It streams:
 * memory is bounded by the limits below, whatever the size.
 *
 * What refuses the file is remarked as INTAKE_ERROR, once: a quote that is never closed, text
 * that is not UTF-8 (with the first lines that are not), a row beyond the limits, bytes that
 * cannot be read.
 */
#ifndef CSV_READ_H
#define CSV_READ_H

#include "transfer/common/intake.h"

enum {
	CSV_READ_CELL_MAX = 4 << 20, /* bytes */
	CSV_READ_ROW_MAX = 16 << 20,
	CSV_READ_COLUMNS_MAX = 1 << 14, /* what spreadsheets can hold */
	CSV_READ_BEHIND_MAX = 16,
};

struct csv_read {
	/* The row that was read last; cells are valid until the next one. */
	const struct str *cells;
	size_t n;
	struct intake_place at; /* its first line; rows without a cell count */
	int64_t nuls;           /* how many U+0000 were taken out of it */
	/* Cells in which text stands behind the closing quote, as a part of it: the first of them. */
	int behind[CSV_READ_BEHIND_MAX];
	int n_behind;
	bool refused; /* the file is; a remark says why */

	/* csv_read.c alone looks at these. */
	struct csv_reading *reading;
	struct arena arena;
};

/*
 * From where the bytes stand. The header is the first row that csv_read_row() gives: what spreadsheets
 * put above it is skipped, and remarked (csv_kind.h). To be
 * closed, also when the file is refused.
 */
void csv_read_open(struct csv_read *r, struct intake *in, int file, struct intake_bytes *bytes);
void csv_read_close(struct csv_read *r);

/* The next row that has a cell; false: there is none, or the file is refused. */
bool csv_read_row(struct csv_read *r);

/*
 * Once more from the start of the bytes, when all rows were read. If every line of the file
 * ends in CR LF, also those in cells, then a program made them so: cells have LF from now on.
 * False: the bytes cannot be read twice, and the file is refused.
 */
bool csv_read_again(struct csv_read *r);

#endif
