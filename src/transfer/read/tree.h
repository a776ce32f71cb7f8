/*
 * A folder, or an archive in zip format, as a list of files: what it holds is bounded, and
 * checked for what harms, before the first byte is unpacked.
 */
#ifndef TREE_H
#define TREE_H

#include "transfer/common/intake.h"

enum {
	TREE_FILES_MAX = 100000,
	TREE_PATH_MAX = 1024,
	TREE_DEPTH_MAX = 12,
	TREE_SMALL = 256 << 20, /* bytes: longer than that and … */
	TREE_RATIO_MAX = 200,   /* … so many times the archive is too long */
	TREE_READS_MAX = 8,     /* of one file: to know what it is, to check it, to keep it */
};

struct tree_entry {
	struct str path; /* below the tree, parts parted by '/'; UTF-8 */
	int64_t size;
	int64_t index; /* in the archive */
	int reads;     /* how often it was opened */
};

struct tree {
	struct arena arena;         /* for the paths */
	struct tree_entry *entries; /* in the order of their paths */
	size_t n, room;
	const char *where; /* the path of the folder or archive */
	struct intake *in; /* is asked before bytes are read; when it must end, there are none */

	struct zip *zip;              /* null: a folder … */
	struct tree_zip_names *names; /* in the archive (tree_zip_names.h); else null */
	int folder;                   /* … which this is; else -1 */
};

/*
 * Opens the folder or archive at that path. False: it is refused, and an INTAKE_ERROR says why.
 * To be closed, then too.
 */
bool tree_open_folder(struct tree *t, struct intake *in, int file, const char *path);
bool tree_open_zip(struct tree *t, struct intake *in, int file, const char *path);
void tree_close(struct tree *t);

/* Bytes of one of its files. An archive's gives as many as was said of its size, or -1. */
struct tree_bytes {
	struct intake_bytes bytes;
	void (*close)(struct tree_bytes *b);
};

/* Null when it cannot be opened, or was too often: lists that name it again and again would
   make a short file long. To be closed. */
struct tree_bytes *tree_read(struct tree *t, const struct tree_entry *entry);

/* The file of that path; null: there is none. */
const struct tree_entry *tree_find(const struct tree *t, const char *path);

/*
 * For tree_*.c: loses a file that cannot be read, by its name, if it is an attached one; false: the
 * project is made of it, so the archive is refused.
 */
bool tree_lose(struct tree *t, struct intake *in, int file, struct str path, const char *code,
	const char *why);

/*
 * Adds a file. False: its path leads out of the tree, which is remarked; an attached one is lost.
 * Puts all in order; opens a file of an archive, and closes the archive.
 */
bool tree_add(struct tree *t, struct intake *in, int file, struct tree_entry entry);
void tree_sort(struct tree *t);
struct tree_bytes *tree_zip_read(struct tree *t, const struct tree_entry *entry);
void tree_zip_close(struct tree *t);

#endif
