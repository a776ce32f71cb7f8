#include "service/files.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include "lib/str.h"
#include "lib/temp.h"
#include "service/crypt.h"

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

void files_place(char to[FILES_PLACE_MAX], int64_t id, const char *suffix)
{
	snprintf(to, FILES_PLACE_MAX, "%02x/%lld%s%s", (unsigned)(id & 0xff), (long long)id,
		suffix ? "." : "", suffix ? suffix : "");
}

bool files_is_test(const char *place)
{
	const size_t n = sizeof FILES_TESTS - 1;
	return !strncmp(place, FILES_TESTS, n) && strlen(place + n) == CRYPT_TOKEN_CHARS &&
		strspn(place + n, "0123456789abcdef") == CRYPT_TOKEN_CHARS;
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

bool files_make_folder(const char *folder, const char *path)
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

/* Whether the disk has space for this much; if that cannot be determined, the write will show
   it. */
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
	if (!files_make_folder(folder, t->path))
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
