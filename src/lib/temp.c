#include "lib/temp.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "lib/str.h"

enum { TRIES = 5, OLD_S = 24 * 60 * 60 };
static const char lock_name[] = "lock";

static bool put_path(char to[TEMP_PATH_MAX], const char *folder, const char *name)
{
	if (strlen(folder) + 1 + strlen(name) >= TEMP_PATH_MAX) {
		errno = ENAMETOOLONG;
		return false;
	}
	str_print(to, TEMP_PATH_MAX, "%s/%s", folder, name);
	return true;
}

/*
 * Whether this process owns the file now. A sweep may have come between creating and locking it. A
 * file system without locks has no sweep, either.
 */
static bool own(int fd)
{
	struct stat s;
	if (flock(fd, LOCK_EX | LOCK_NB) && errno == EWOULDBLOCK)
		return false;
	return fstat(fd, &s) == 0 && s.st_nlink > 0;
}

int temp_open_file(const char *folder, char path[TEMP_PATH_MAX])
{
	for (int i = 0; i < TRIES; i++) {
		if (!put_path(path, folder, TEMP_PREFIX "XXXXXX"))
			return -1;
		int fd = mkostemp(path, O_CLOEXEC);
		if (fd < 0 || own(fd))
			return fd;
		close(fd);
		unlink(path);
	}
	errno = EBUSY;
	return -1;
}

/* What root creates gets the owner of the folder above. */
static bool give_away(const char *above, const char *path, int lock)
{
	struct stat s;
	return geteuid() != 0 ||
		(stat(above, &s) == 0 && chown(path, s.st_uid, s.st_gid) == 0 &&
			fchown(lock, s.st_uid, s.st_gid) == 0);
}

bool temp_open_folder(struct temp_folder *t, const char *above)
{
	char lock[TEMP_PATH_MAX];
	for (int i = 0; i < TRIES; i++) {
		*t = (struct temp_folder){ .lock = -1 };
		if (!put_path(t->path, above, TEMP_PREFIX "XXXXXX") || !mkdtemp(t->path)) {
			*t->path = '\0';
			return false;
		}
		if (put_path(lock, t->path, lock_name))
			t->lock = open(
				lock, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
		if (t->lock >= 0 && own(t->lock) && give_away(above, t->path, t->lock))
			return true;
		temp_drop_folder(t);
	}
	return false;
}

/* The lock file disappears a moment before the name: what a sweep cannot lock it leaves for a
   day. */
bool temp_give_folder(struct temp_folder *t, const char *path)
{
	char lock[TEMP_PATH_MAX];
	if (!put_path(lock, t->path, lock_name) || unlink(lock) || rename(t->path, path))
		return false;
	close(t->lock);
	*t = (struct temp_folder){ .lock = -1 };
	return true;
}

bool temp_delete_folder(const char *path)
{
	char file[TEMP_PATH_MAX];
	DIR *d = opendir(path);
	bool ok = true;
	if (!d)
		return errno == ENOENT;
	for (struct dirent *e; (e = readdir(d));)
		if (strcmp(e->d_name, ".") && strcmp(e->d_name, ".."))
			ok &= put_path(file, path, e->d_name) && unlink(file) == 0;
	closedir(d);
	return rmdir(path) == 0 && ok;
}

void temp_drop_folder(struct temp_folder *t)
{
	if (*t->path)
		temp_delete_folder(t->path);
	if (t->lock >= 0)
		close(t->lock);
	*t = (struct temp_folder){ .lock = -1 };
}

/* Locks what has no owner; -1: it has one, or that cannot be determined. */
static int take(const char *path)
{
	int fd = open(path, O_RDWR | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
	if (fd >= 0 && flock(fd, LOCK_EX | LOCK_NB) == 0)
		return fd;
	if (fd >= 0)
		close(fd);
	return -1;
}

static void sweep_one(const char *path)
{
	struct stat s;
	char lock[TEMP_PATH_MAX];
	if (lstat(path, &s))
		return;
	bool is_folder = S_ISDIR(s.st_mode);
	if (is_folder && !put_path(lock, path, lock_name))
		return;
	int fd = take(is_folder ? lock : path);
	if (fd < 0 && (errno == EWOULDBLOCK || s.st_mtime > time(NULL) - OLD_S))
		return;
	if (is_folder)
		temp_delete_folder(path);
	else
		unlink(path);
	if (fd >= 0)
		close(fd);
}

void temp_sweep(const char *above)
{
	char path[TEMP_PATH_MAX];
	DIR *d = opendir(above);
	if (!d)
		return;
	for (struct dirent *e; (e = readdir(d));)
		if (!strncmp(e->d_name, TEMP_PREFIX, strlen(TEMP_PREFIX)) &&
			put_path(path, above, e->d_name))
			sweep_one(path);
	closedir(d);
}
