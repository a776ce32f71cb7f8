/*
 * Reads CSV as people have it: UTF-8 with or without its mark (or windows-1252 when the command
 * says so); cells parted by `,`, `;` or TAB, whichever parts the header most often; rows ended
 * by LF, CR LF or CR; quotes doubled in cells that stand in quotes, and line ends in them; rows
 * shorter or longer than the header. It streams: memory is bounded by the limits below, whatever
 * the size of the file.
 *
 * What refuses the file is remarked as INTAKE_ERROR, once: a quote that is never closed, text
 * that is not UTF-8 (the first lines that are not), a row beyond the limits.
 */
#ifndef CSV_READ_H
#define CSV_READ_H

#include "transfer/intake.h"

enum {
	CSV_READ_CELL_MAX = 4 << 20,    /* bytes */
	CSV_READ_ROW_MAX = 24 << 20,    /* bytes */
	CSV_READ_COLUMNS_MAX = 1 << 14, /* what spreadsheets can hold */
};

struct csv_read {
	/* The row that was read last; cells are valid until the next one. */
	const struct str *cells;
	size_t n;
	struct intake_place at; /* its first line */
	int64_t nuls;           /* how many U+0000 were taken out of it */
	bool refused;           /* the file is: a remark says why */
	bool crlf_cells;        /* every line end so far, in cells, too, is CR LF */

	struct csv_reading *reading; /* csv_read.c alone looks at it */
};

/*
 * From the start of the bytes. The header is the first row that csv_read_row() gives. To be
 * closed, also when it is refused.
 */
void csv_read_open(struct csv_read *r, struct intake *in, int file, struct intake_bytes *bytes);
void csv_read_close(struct csv_read *r);

/* The next row that has a cell; false: there is none, or the file is refused. */
bool csv_read_row(struct csv_read *r);

/* Again from the start of the bytes; false: refused, for they cannot be read twice. */
bool csv_read_again(struct csv_read *r);

#endif
