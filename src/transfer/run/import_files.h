/*
 * Storage of the files of waiting and running imports, below the folder of files on this host
 * (service/files.h). A folder is filled under a name of its own; when all is in it, it gets that
 * of the import, or the files in it go to the object store, where any importer finds them
 * (import_store.h).
 *
 *	<files>/import/own.XXXXXX/            what comes in (lib/temp.h)
 *	<files>/import/<id>/1-stories.csv     the first file; names are cut to plain letters
 *	<files>/import/<id>/people.csv        the people's map, if one came or was written
 *	<files>/import/<id>/report.json       the report, while it is written
 */
#ifndef IMPORT_FILES_H
#define IMPORT_FILES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "service/files.h"

enum { IMPORT_FILES_NAME_MAX = 64 };

struct import_files {
	struct temp_folder folder;
	struct files_room room;
	int fd;       /* the file that is written; -1: none */
	int64_t size; /* its bytes so far */
};

/* A new folder, for writing, as long as so much of the disk is free; false and errno on failure,
   as all below. */
bool import_files_open(struct import_files *w, const char *files, int64_t floor);
/* The next file; the one before it is closed. None is durable yet: the import may still be refused. */
bool import_files_begin(struct import_files *w, const char *name);
bool import_files_write(struct import_files *w, const char *p, size_t n);
/* Closes the last file: another process may go on with the folder. */
void import_files_close(struct import_files *w);
/*
 * Gives all to the import, and makes it durable. A store may take as long as its patience says, for all files together;
 * they are still in the folder then. False: the problem of `f` says why.
 */
bool import_files_keep(struct import_files *w, struct files *f, int64_t id);
/* Takes back what was kept: there is no such import. */
void import_files_take_back(struct import_files *w, struct files *f, int64_t id);
/* Deletes what was not kept. */
void import_files_drop(struct import_files *w);

/* How file `number`, counted from 1, is named that came with that name: "1-stories.csv". */
void import_files_name(char to[IMPORT_FILES_NAME_MAX], int number, const char *filename);

/* The folder of an import. */
void import_files_place(char to[FILES_PATH_MAX], const char *files, int64_t id);

/* Deletes it; none there is no failure. */
bool import_files_delete(const char *files, int64_t id);

/*
 * Calls `each` for every import that has a folder which is an hour old: a younger one may be that
 * of a request that is on its way. Deletes what versions before left that came in only half.
 */
bool import_files_walk(const char *files, void (*each)(void *to, int64_t id), void *to);

#endif
