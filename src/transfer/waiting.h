/*
 * The files of imports that wait or are under way, below the folder of the setting `files`.
 * A folder is filled under a name of its own and gets that of the import when all is in it.
 *
 *	<files>/import/own.XXXXXX/            what comes in (lib/temp.h)
 *	<files>/import/<id>/1-stories.csv     the first file; names are cut to plain letters
 *	<files>/import/<id>/people.csv        the people's map, if one came or was written
 *	<files>/import/<id>/report.json       the report, while it is written
 */
#ifndef WAITING_H
#define WAITING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "service/files.h"

enum { WAITING_NAME_MAX = 64 };

struct waiting {
	struct temp_folder folder;
	struct files_room room;
	int fd;       /* the file that is written; -1: none */
	int64_t size; /* its bytes so far */
};

/* A new folder, for writing, as long as so much of the disk is free; false and errno on failure,
   as all below. */
bool waiting_open(struct waiting *w, const char *files, int64_t floor);
/* The next file; the one before it is made durable and closed. */
bool waiting_begin(struct waiting *w, const char *name);
bool waiting_write(struct waiting *w, const char *p, size_t n);
/* Closes the last file and gives the folder to the import. */
bool waiting_keep(struct waiting *w, const char *files, int64_t id);
/* Deletes what was not kept. */
void waiting_drop(struct waiting *w);

/* How file `number`, counted from 1, is named that came with that name: "1-stories.csv". */
void waiting_name(char to[WAITING_NAME_MAX], int number, const char *filename);

/* The folder of an import. */
void waiting_place(char to[FILES_PATH_MAX], const char *files, int64_t id);

/* Deletes it; none there is no failure. */
bool waiting_delete(const char *files, int64_t id);

/*
 * Calls `each` for every import that has a folder which is an hour old: a younger one may be that
 * of a request that is on its way. Deletes what versions before left that came in only half.
 */
bool waiting_walk(const char *files, void (*each)(void *to, int64_t id), void *to);

#endif
