/*
 * Temporary files and folders with an owner: a lock that ends with its process, on every host
 * that shares the folder. Their names begin with TEMP_PREFIX; what no longer has an owner goes
 * when a program starts.
 */
#ifndef TEMP_H
#define TEMP_H

#include <stdbool.h>

enum { TEMP_PATH_MAX = 1024 };
#define TEMP_PREFIX "own."

/* A new file below the folder, for reading and writing; -1 and errno on failure. */
int temp_open_file(const char *folder, char path[TEMP_PATH_MAX]);

/* A new folder below one that exists. */
struct temp_folder {
	char path[TEMP_PATH_MAX]; /* empty: none */
	int lock;                 /* a file in it; -1: none */
};
bool temp_open_folder(struct temp_folder *t, const char *above);

/* Renames it; it has no owner then. False and errno on failure, as above. */
bool temp_give_folder(struct temp_folder *t, const char *path);

/* Deletes it with all that is in it; none is no failure. */
void temp_drop_folder(struct temp_folder *t);

/* Deletes a folder that holds files alone; none there is no failure. */
bool temp_delete_folder(const char *path);

/* Deletes what is below the folder and has lost its owner. */
void temp_sweep(const char *above);

#endif
