/*
 * A comment in a cell: its text, and in brackets at the very end who wrote it on which day,
 * `text (Ana (QA) - Oct 11, 2023)` (contract 7.2). Text and names may have brackets, too, and
 * texts quote other comments, so known names decide where the last bracket opens.
 */
#ifndef CELL_COMMENT_H
#define CELL_COMMENT_H

#include <stdbool.h>
#include <stdint.h>

#include "lib/str.h"

struct cell_comment {
	struct str text;
	bool is_signed;    /* author and day are there; else all of the cell is the text */
	struct str author; /* empty: somebody without a name */
	int32_t day;
};

/* is_name says whether that is a name of somebody who is known. */
struct cell_comment cell_comment_read(
	struct str cell, bool (*is_name)(void *arg, struct str name), void *arg);

#endif
