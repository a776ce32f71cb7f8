/*
 * Writes a zip, piece by piece and from the front to the end: what takes it need not seek. Sizes
 * stand behind the contents; zip64 where it is needed. Memory grows by the names alone.
 */
#ifndef ZIP_WRITE_H
#define ZIP_WRITE_H

#include <stdint.h>

#include "lib/sink.h"

struct zip_write;

/* What an entry was. */
struct zip_made {
	int64_t size;
	char sha256[65]; /* hexadecimal */
};

struct zip_write *zip_write_open(struct sink *to);

/* Begins an entry; `packed`: its content is compressed already. time_s: of its last change. */
void zip_write_begin(struct zip_write *z, const char *path, int64_t time_s, bool packed);

/* Takes the content of the entry that was begun. */
struct sink *zip_write_sink(struct zip_write *z);

/* Ends the entry, of which `to` then has everything. False, as with a sink: `to` accepts no more. */
bool zip_write_end(struct zip_write *z, struct zip_made *made);

/* Writes the directory, if `whole`, and frees it all. False: not all of it went. */
bool zip_write_close(struct zip_write *z, bool whole);

#endif
