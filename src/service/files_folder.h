/* Folder back end of files.h; for files_doors.c. False and errno on failure. */
#ifndef FILES_FOLDER_H
#define FILES_FOLDER_H

#include "service/files.h"

/* Makes the file durable, moves it to its place and closes it. */
bool files_folder_put(const char *folder, struct files_temp *t, const char *place);

/* As files_walk(), without opening anything. */
bool files_folder_walk(
	const char *folder, void (*each)(void *to, const struct files_found *found), void *to);

#endif
