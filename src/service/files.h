/*
 * Attached files on disk: below the folder of the setting `files`, by id and never by the user's
 * name for them: nginx decodes X-Accel-Redirect. A file is written under tmp/, made durable, and
 * renamed to its place once its row has an id; a file in its place is never written again. Files
 * created by root are given to the folder's owner.
 *
 *	<files>/tmp/own.XXXXXX    what comes in (lib/temp.h)
 *	<files>/<hh>/<id>         hh: the id's last byte in hexadecimal
 *	<files>/<hh>/<id>.small   pictures made of it: to show in a list …
 *	<files>/<hh>/<id>.big     … and on a screen
 *	<files>/doctor            of planwrightctl doctor, which asks the web server for it
 */
#ifndef FILES_H
#define FILES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "lib/temp.h"

enum { FILES_PATH_MAX = TEMP_PATH_MAX };
#define FILES_TEST "doctor"

struct files_temp {
	int fd; /* -1: none */
	char path[FILES_PATH_MAX];
};

/* The disk that has the folder, in bytes; false and errno on failure. */
struct files_disk {
	int64_t size, free;
};
bool files_look_at_disk(const char *folder, struct files_disk *disk);

/* The place of a file below the folder: "0a/10.big"; suffix null: the file itself. */
void files_place(char to[64], int64_t id, const char *suffix);

/* Writes all bytes, whatever kind of descriptor it is; false and errno on failure. */
bool files_write(int fd, const char *p, size_t n);

/*
 * Disk space for what others send. Every byte that a program stores for somebody else is written
 * with files_put, which checks the disk after each MiB: false and errno if free space is down to
 * the floor, if the allowed bytes are used up, or on failure.
 */
enum files_full { FILES_HAS_ROOM, FILES_DISK_FULL, FILES_QUOTA_FULL };
struct files_room {
	const char *folder;
	int64_t floor;        /* bytes that stay free on its disk; 0: none */
	int64_t left;         /* bytes still allowed */
	int64_t asked;        /* of these, how many until the disk is checked again */
	enum files_full full; /* why the last one was not written */
};
struct files_room files_room(const char *folder, int64_t floor, int64_t left);
bool files_put(struct files_room *room, int fd, const char *p, size_t n);

/* Deletes incoming files (lib/temp.h) left by processes that are gone. */
void files_sweep(const char *folder);

/* Gives what root created in the folder to the folder's owner. */
bool files_give_away(const char *folder, int fd);

/* A new file under tmp/, for reading and writing; false and errno on failure. */
bool files_open_temp(const char *folder, struct files_temp *t);

/* Closes the file, and deletes it unless it was kept. */
void files_drop_temp(struct files_temp *t);

/* Moves it to <files>/doctor; false and errno on failure. */
bool files_keep_test(const char *folder, struct files_temp *t);
void files_drop_test(const char *folder);

/* Makes the file durable and moves it to its place; false and errno on failure. */
bool files_keep(const char *folder, struct files_temp *t, int64_t id, const char *suffix);

/*
 * Calls `each` for every file in its place, oldest change first to none: in no
 * order. `id` -1: a file under tmp/, or one with no id's name.
 */
bool files_walk(const char *folder,
	void (*each)(void *to, const char *path, int64_t id, int64_t changed_s), void *to);

#endif
