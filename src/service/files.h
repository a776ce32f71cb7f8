/*
 * Attached files: one interface with two back ends, here called doors. Files are kept below a
 * folder or in an object store (s3.h), depending on the setting `files`; callers that put, give,
 * read, drop or list them need not know which. Their names are ids, never the user's names for
 * them, as nginx decodes X-Accel-Redirect.
 *
 * Either way, a file is first written below a folder of this host, under tmp/; once it has an id, it
 * is put in its place, and never written again. In a folder, it is made durable and renamed; in a
 * store, it exists once the store has confirmed it. Files created by root are given to the folder's
 * owner.
 *
 *	<folder>/tmp/own.XXXXXX    what comes in (lib/temp.h)
 *	<hh>/<id>                  hh: the id's last byte in hexadecimal
 *	<hh>/<id>.small            pictures made of it: to show in a list …
 *	<hh>/<id>.big              … and on a screen
 *	doctor-<token>             of planwrightctl doctor, which tries the place by it (probe.h)
 *
 * Waiting for a store may take long, so workers put nothing there themselves (http/stream.h).
 */
#ifndef FILES_H
#define FILES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "lib/arena.h"
#include "lib/temp.h"
#include "service/conf.h"
#include "service/s3.h"

enum { FILES_PATH_MAX = TEMP_PATH_MAX, FILES_PLACE_MAX = 64 };
#define FILES_TESTS "doctor-"

/* Where files are kept. */
struct files {
	const char *name;          /* as the setting names it, for people */
	const char *folder;        /* of files on their way and, without a store, of all */
	struct s3 store;           /* endpoint null: there is none */
	struct s3_problem problem; /* why the last call failed; errno, too, is set in a folder */
};

/* The place of the setting `files`; points into the settings. */
struct files files_of(const struct conf *conf);

/*
 * Another place, named like the setting, which conf_check_text() has found right, and reached by
 * the same settings.
 */
struct files files_at(const struct conf *conf, const char *name);

/* The folder of this host: that of files_of(). */
const char *files_folder(const struct conf *conf);

/*
 * A store may take as long as it moves bytes, unless this bounds each call: for whoever waits for
 * an answer.
 */
void files_bound(struct files *f, int seconds);

struct files_temp {
	int fd; /* -1: none */
	char path[FILES_PATH_MAX];
};

/* The disk that has the folder, in bytes; false and errno on failure. */
struct files_disk {
	int64_t size, free;
};
bool files_look_at_disk(const char *folder, struct files_disk *disk);

/* The place of a file: "0a/10.big"; suffix null: the file itself. */
void files_place(char to[FILES_PLACE_MAX], int64_t id, const char *suffix);

/* Whether that is the place of a test: FILES_TESTS and a token. */
bool files_is_test(const char *place);

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

/*
 * Makes a folder, if there is none. Folders belong to the service and its group, through which the
 * web server reads; a group inherited from the folder above is kept.
 */
bool files_make_folder(const char *folder, const char *path);

/* Gives what root created in the folder to the folder's owner. */
bool files_give_away(const char *folder, int fd);

/* A new file under tmp/, for reading and writing; false and errno on failure. */
bool files_open_temp(const char *folder, struct files_temp *t);

/* Closes the file, and deletes it unless it was kept. */
void files_drop_temp(struct files_temp *t);

/* Putting, giving, reading, dropping, listing ------------------------------------------- */

/* Puts it in a place, durably, and closes it; false on failure, as all below. */
bool files_put_at(struct files *f, struct files_temp *t, const char *place);

/* The same for the place of an id. */
bool files_keep(struct files *f, struct files_temp *t, int64_t id, const char *suffix);

/*
 * The address inside of the web server at which it finds the file, for X-Accel-Redirect, and the
 * headers with which it asks a store for it; absent: there is none. Nobody is asked whether the file
 * is there.
 */
struct files_given {
	struct str address;
	struct sigv4 store;
};
struct files_given files_give(const struct files *f, struct arena *a, const char *place);

/*
 * Opens it for reading, at its beginning; -1 on failure. A store's file is fetched whole before,
 * into one without a name. Errno is ENOENT if there is no such file.
 */
int files_read(struct files *f, const char *place);

/* Deletes it; none there is no failure. */
bool files_drop(struct files *f, const char *place);

struct files_found {
	const char *place;
	int64_t id; /* -1: a file on its way, a test, or one with no id's name */
	int64_t size, changed_s;
};

/*
 * Calls `each` for every file: those in their places, tests, and those of a folder's tmp/. In a folder in
 * no order, in a store in that of names.
 */
bool files_walk(struct files *f, void (*each)(void *to, const struct files_found *found), void *to);

#endif
