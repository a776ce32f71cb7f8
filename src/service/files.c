#include "service/files.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include "lib/str.h"
#include "lib/temp.h"

enum { ASK_EVERY = 1 << 20 };

bool files_look_at_disk(const char *folder, struct files_disk *disk)
{
	struct statvfs s;
	*disk = (struct files_disk){ 0 };
	if (statvfs(folder, &s))
		return false;
	disk->size = (int64_t)(s.f_blocks * s.f_frsize);
	disk->free = (int64_t)(s.f_bavail * s.f_frsize);
	return true;
}

void files_place(char to[64], int64_t id, const char *suffix)
{
	snprintf(to, 64, "%02x/%lld%s%s", (unsigned)(id & 0xff), (long long)id, suffix ? "." : "",
		suffix ? suffix : "");
}

bool files_give_away(const char *folder, int fd)
{
	struct stat s;
	return geteuid() != 0 || (stat(folder, &s) == 0 && fchown(fd, s.st_uid, s.st_gid) == 0);
}

static bool give_folder_away(const char *folder, const char *path)
{
	int fd = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	bool ok = fd >= 0 && files_give_away(folder, fd);
	if (fd >= 0)
		close(fd);
	return ok;
}

/* Folders belong to the service and its group, through which the web server reads; a group
   inherited from the folder above is kept. */
static bool make_folder(const char *folder, const char *path)
{
	mode_t before = umask(027);
	bool is_new = mkdir(path, 0750) == 0, ok = is_new || errno == EEXIST;
	umask(before);
	return ok && (!is_new || give_folder_away(folder, path));
}

bool files_write(int fd, const char *p, size_t n)
{
	while (n) {
		ssize_t done = write(fd, p, n);
		if (done < 0 && errno == EINTR)
			continue;
		if (done == 0)
			errno = ENOSPC;
		if (done <= 0)
			return false;
		p += done;
		n -= (size_t)done;
	}
	return true;
}

struct files_room files_room(const char *folder, int64_t floor, int64_t left)
{
	return (struct files_room){ .folder = folder, .floor = floor, .left = left };
}

/* Whether the disk has space for this much; if that cannot be determined, writing will show. */
static bool has_floor(struct files_room *room, int64_t n)
{
	struct files_disk disk;
	if (n <= room->asked || !room->floor)
		return true;
	room->asked = n > ASK_EVERY ? n : ASK_EVERY;
	return !files_look_at_disk(room->folder, &disk) || disk.free - room->asked >= room->floor;
}

bool files_put(struct files_room *room, int fd, const char *p, size_t n)
{
	room->full = (int64_t)n > room->left   ? FILES_QUOTA_FULL
		: !has_floor(room, (int64_t)n) ? FILES_DISK_FULL
					       : FILES_HAS_ROOM;
	if (room->full) {
		errno = room->full == FILES_DISK_FULL ? ENOSPC : EDQUOT;
		return false;
	}
	room->left -= (int64_t)n;
	room->asked -= (int64_t)n;
	return files_write(fd, p, n);
}

void files_sweep(const char *folder)
{
	static const char *const below[] = { "tmp", "import" };
	char path[FILES_PATH_MAX];
	for (size_t i = 0; i < sizeof below / sizeof *below; i++)
		if (str_print(path, sizeof path, "%s/%s", folder, below[i]).n < sizeof path)
			temp_sweep(path);
}

bool files_open_temp(const char *folder, struct files_temp *t)
{
	t->fd = -1;
	if (str_print(t->path, sizeof t->path, "%s/tmp", folder).n >= sizeof t->path - 8) {
		errno = ENAMETOOLONG;
		return false;
	}
	if (!make_folder(folder, t->path))
		return false;
	char above[FILES_PATH_MAX];
	strcpy(above, t->path);
	t->fd = temp_open_file(above, t->path);
	return t->fd >= 0 && fchmod(t->fd, 0640) == 0 && files_give_away(folder, t->fd);
}

void files_drop_temp(struct files_temp *t)
{
	if (t->fd < 0)
		return;
	close(t->fd);
	unlink(t->path);
	t->fd = -1;
}

static bool sync_folder(const char *path)
{
	int fd = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (fd < 0)
		return false;
	bool ok = fsync(fd) == 0;
	close(fd);
	return ok;
}

bool files_keep(const char *folder, struct files_temp *t, int64_t id, const char *suffix)
{
	char place[64], path[FILES_PATH_MAX + 64], above[FILES_PATH_MAX + 64];
	files_place(place, id, suffix);
	snprintf(path, sizeof path, "%s/%s", folder, place);
	snprintf(above, sizeof above, "%s/%.2s", folder, place);
	if (fsync(t->fd) || !make_folder(folder, above) || rename(t->path, path))
		return false;
	close(t->fd);
	t->fd = -1;
	return sync_folder(above) && sync_folder(folder);
}

bool files_keep_test(const char *folder, struct files_temp *t)
{
	char path[FILES_PATH_MAX + 64];
	snprintf(path, sizeof path, "%s/" FILES_TEST, folder);
	if (rename(t->path, path))
		return false;
	close(t->fd);
	t->fd = -1;
	return true;
}

void files_drop_test(const char *folder)
{
	char path[FILES_PATH_MAX + 64];
	snprintf(path, sizeof path, "%s/" FILES_TEST, folder);
	unlink(path);
}

/* "10" and "10.big" are of 10. */
static int64_t id_of(const char *name)
{
	struct str rest = str_of(name);
	int64_t id;
	return str_to_int(str_cut(&rest, '.'), &id) && id > 0 ? id : -1;
}

static bool walk_folder(const char *path, bool has_ids,
	void (*each)(void *, const char *, int64_t, int64_t), void *to)
{
	char file[FILES_PATH_MAX + 512];
	struct stat s;
	DIR *d = opendir(path);
	if (!d)
		return errno == ENOENT;
	for (struct dirent *e; (e = readdir(d));) {
		snprintf(file, sizeof file, "%s/%s", path, e->d_name);
		if (e->d_name[0] != '.' && !lstat(file, &s) && S_ISREG(s.st_mode))
			each(to, file, has_ids ? id_of(e->d_name) : -1, s.st_ctime);
	}
	closedir(d);
	return true;
}

bool files_walk(const char *folder,
	void (*each)(void *to, const char *path, int64_t id, int64_t changed_s), void *to)
{
	char path[FILES_PATH_MAX];
	snprintf(path, sizeof path, "%s/tmp", folder);
	bool ok = walk_folder(path, false, each, to);
	for (unsigned i = 0; i < 256; i++) {
		snprintf(path, sizeof path, "%s/%02x", folder, i);
		ok &= walk_folder(path, true, each, to);
	}
	return ok;
}
