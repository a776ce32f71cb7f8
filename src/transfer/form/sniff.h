/* Recognises the format of a file by its first bytes. */
#ifndef SNIFF_H
#define SNIFF_H

#include "lib/str.h"

enum sniff {
	SNIFF_UNKNOWN,
	SNIFF_EMPTY,
	SNIFF_ZIP,
	SNIFF_SQLITE,
	SNIFF_JSON,
	SNIFF_STORIES, /* CSV (csv_kind.h) */
	SNIFF_HISTORY,
	SNIFF_MEMBERS,
	SNIFF_REFUSED, /* known, and not read */
};

enum { SNIFF_BYTES = 64 * 1024 }; /* of these it should see */

/* `why` becomes one phrase if it is refused or unknown: what it is, and what to do. */
enum sniff sniff(struct str start, const char **why);

#endif
