/*
 * The spool for contents of attached files, until their import commits: below the folder `files`,
 * under tmp/, in a folder that this process owns (lib/temp.h), each by its digest, so that what
 * comes twice is written once. They get their places before the transaction commits
 * (service/files.h): a file without a row goes with planwrightctl files sweep, a row without a file
 * would be half an attachment.
 */
#ifndef SPOOL_H
#define SPOOL_H

#include "service/files.h"
#include "transfer/common/intake.h"

struct spool {
	struct files files; /* where contents get their places */
	struct files_room room;
	int64_t max;  /* bytes of one file */
	bool dry_run; /* nothing is written */
	struct temp_folder own;
	struct spool_place *places;
	size_t n_places;
};

/* What a file came to. */
enum spool_end {
	SPOOL_KEPT,
	SPOOL_TOO_LARGE,
	SPOOL_UNREADABLE,
	SPOOL_NO_QUOTA,
	SPOOL_NO_DISK,
	SPOOL_FAILED
};

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

/* Puts the content into the place of an id, with its pictures; false: spool_problem() says why. */
bool spool_place(struct spool *s, struct str word, int64_t id, struct spool_look *look);

const char *spool_problem(const struct spool *s);

/* What waited goes; what was placed, too, unless the import is made, or may be. */
void spool_end(struct spool *s, bool may_be_made);

#endif
