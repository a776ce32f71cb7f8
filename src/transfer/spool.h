/*
 * Contents of files on their way in: below the folder `files`, under tmp/, each by its digest, so
 * that an import that was broken off and is made again need not write them again. They get
 * their places before the transaction commits (lib/files.h): a file without a row goes with
 * planwrightctl files sweep, a row without a file would be half an attachment.
 */
#ifndef SPOOL_H
#define SPOOL_H

#include "transfer/intake.h"

struct spool {
	const char *folder;
	int64_t max;  /* bytes of one file */
	bool dry_run; /* nothing is written */
	struct spool_place *places;
	struct spool_word *words;
	size_t n_places, n_words;
};

/* What a file came to. */
enum spool_end { SPOOL_KEPT, SPOOL_TOO_LARGE, SPOOL_UNREADABLE, SPOOL_FAILED };

/* Keeps a content; the word is its digest. SPOOL_FAILED: errno says why. */
enum spool_end spool_keep(
	struct spool *s, struct intake_bytes *bytes, struct arena *a, struct str *word);

/* What planwright-media says of a content. */
struct spool_look {
	char type[128];
	int width, height;
	bool thumbnailable;
	int64_t size;
};

/* Puts the content into the place of an id, with its pictures; false and errno on failure. */
bool spool_place(struct spool *s, struct str word, int64_t id, struct spool_look *look);

/* The import is made: what waited goes. Or it is not: what was placed goes. */
void spool_end(struct spool *s, bool is_made);

#endif
