/*
 * An intake that prints, a line a record or remark, and bytes of the memory, for tests of the
 * readers: the notation of t/import/README.md.
 */
#ifndef TRANSFER_PRINT_H
#define TRANSFER_PRINT_H

#include "transfer/common/intake.h"

enum { TRANSFER_NAMES = 16 };

struct transfer_print {
	struct intake in; /* first: the functions find the rest by it */
	struct buf out;
	struct str names[TRANSFER_NAMES]; /* what is_name knows */
	int n_names;
	int64_t records, errors; /* how many came; printed only if `quiet` is not set */
	bool quiet;
	enum rc ends; /* what put() returns */
};

/* A record as JSON, on one line. */
void transfer_print_record(struct buf *to, enum intake_kind kind, const struct record *record);

void transfer_print_init(struct transfer_print *p);

/* Bytes that repeat a piece, so that a file may be larger than memory. */
struct transfer_bytes {
	struct intake_bytes bytes; /* first */
	struct str head, piece, tail;
	int64_t times; /* how often the piece comes between head and tail */
	size_t at;     /* in the one of them that is read now … */
	int64_t turn;  /* … -1 in the head, `times` in the tail */
	size_t step;   /* at most so many bytes a read; 0: as many as are asked for */
	bool once;     /* cannot go back */
	bool fails;    /* cannot be read */
};

void transfer_bytes_init(struct transfer_bytes *b, struct str head, struct str piece, int64_t times,
	struct str tail);

#endif
