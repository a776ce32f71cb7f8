/* Recognises which of the original's tables a CSV file is, by the names in its header. */
#ifndef CSV_KIND_H
#define CSV_KIND_H

#include "lib/str.h"

enum csv_kind {
	CSV_NONE,
	CSV_STORIES, /* stories_csv.h */
	CSV_HISTORY, /* history_csv.h */
	CSV_MEMBERS, /* members_csv.h */
};

/* How the file begins. */
struct csv_start {
	enum csv_kind kind;
	char separator;     /* of a known table, or as the file says; else 0 */
	int above;          /* how many rows with a cell stand above the header */
	bool has_separator; /* the first of them is `sep=;`, which tells Excel the separator */
};

/*
 * Of a file that begins with these bytes; 64 KiB of them are enough. The separator is `,`, `;`
 * or TAB, a mark of UTF-8 may stand in front. Of stories, only the title has to be
 * there: other programs know no ids of ours. A table that is nearly one of the others is none: the people's map.
 * Spreadsheets put a title like `Table 1` above the header: it is one of the first rows, and longer than those above it.
 */
struct csv_start csv_start_of(struct str start);

#endif
