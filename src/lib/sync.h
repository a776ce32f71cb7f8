/*
 * Durable directory entries: a file that was created, renamed or deleted stays so after a power
 * cut.
 */
#ifndef SYNC_H
#define SYNC_H

#include <stdbool.h>

/* Waits until a folder's names are written; false and errno if that fails. */
bool sync_folder(const char *path);

#endif
