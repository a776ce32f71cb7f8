/*
 * For tests of the readers: an intake that prints one line per record or remark, in the notation
 * of t/import/README.md, and files in memory.
 */
#ifndef TRANSFER_PRINT_H
#define TRANSFER_PRINT_H

#include "transfer/common/intake.h"

enum { TRANSFER_NAMES = 16 };

struct transfer_print {
	struct intake in; /* first: the functions cast its address to the whole */
	struct buf out;
	struct str names[TRANSFER_NAMES]; /* those for which is_name is true */
	int n_names;
	int64_t records, errors; /* how many; printed only if `quiet` is not set */
	bool quiet;
	enum rc ends; /* what put() returns */
};

/* Writes a record as JSON, on one line. */
void transfer_print_record(struct buf *to, enum intake_kind kind, const struct record *record);

void transfer_print_init(struct transfer_print *p);

/* A file that repeats a piece, so that it may be larger than memory. */
struct transfer_bytes {
	struct intake_bytes bytes; /* first */
	struct str head, piece, tail;
	int64_t times; /* how often the piece is repeated between head and tail */
	size_t at;     /* in the one that is being read … */
	int64_t turn;  /* … -1 in the head, `times` in the tail */
	size_t step;   /* at most so many bytes per read; 0: as many as requested */
	bool once;     /* cannot be rewound */
	bool fails;    /* cannot be read */
};

void transfer_bytes_init(struct transfer_bytes *b, struct str head, struct str piece, int64_t times,
	struct str tail);

#endif
