#include "service/files_folder.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "lib/str.h"
#include "lib/sync.h"

enum { PATH_ROOM = FILES_PATH_MAX + 512 };

bool files_folder_put(const char *folder, struct files_temp *t, const char *place)
{
	char path[PATH_ROOM], above[PATH_ROOM];
	const char *slash = strchr(place, '/');
	str_print(path, sizeof path, "%s/%s", folder, place);
	str_print(above, sizeof above, "%s/%.*s", folder, slash ? (int)(slash - place) : 0, place);
	if (fsync(t->fd) || !files_make_folder(folder, above) || rename(t->path, path))
		return false;
	close(t->fd);
	t->fd = -1;
	return sync_folder(above) && sync_folder(folder);
}

/* "10" and "10.big" belong to 10. */
static int64_t id_of(const char *name)
{
	struct str rest = str_of(name);
	int64_t id;
	return str_to_int(str_cut(&rest, '.'), &id) && id > 0 ? id : -1;
}

static bool walk_below(const char *folder, const char *below, bool has_ids,
	void (*each)(void *, const struct files_found *), void *to)
{
	char path[PATH_ROOM], place[300];
	struct stat s;
	str_print(path, sizeof path, "%s/%s", folder, below);
	DIR *d = opendir(path);
	if (!d)
		return errno == ENOENT;
	for (struct dirent *e; (e = readdir(d));) {
		str_print(place, sizeof place, "%s/%s", below, e->d_name);
		str_print(path, sizeof path, "%s/%s", folder, place);
		if (e->d_name[0] == '.' || lstat(path, &s) || !S_ISREG(s.st_mode))
			continue;
		const struct files_found found = { place, has_ids ? id_of(e->d_name) : -1,
			s.st_size, s.st_ctime };
		each(to, &found);
	}
	closedir(d);
	return true;
}

static bool walk_tests(
	const char *folder, void (*each)(void *, const struct files_found *), void *to)
{
	char path[PATH_ROOM];
	struct stat s;
	DIR *d = opendir(folder);
	if (!d)
		return errno == ENOENT;
	for (struct dirent *e; (e = readdir(d));) {
		if (!files_is_test(e->d_name))
			continue;
		str_print(path, sizeof path, "%s/%s", folder, e->d_name);
		if (lstat(path, &s) || !S_ISREG(s.st_mode))
			continue;
		const struct files_found found = { e->d_name, -1, s.st_size, s.st_ctime };
		each(to, &found);
	}
	closedir(d);
	return true;
}

bool files_folder_walk(
	const char *folder, void (*each)(void *to, const struct files_found *found), void *to)
{
	char below[3];
	int problem = walk_tests(folder, each, to) && walk_below(folder, "tmp", false, each, to)
		? 0
		: errno;
	for (unsigned i = 0; i < 256; i++) {
		str_print(below, sizeof below, "%02x", i);
		if (!walk_below(folder, below, true, each, to))
			problem = errno;
	}
	errno = problem;
	return !problem;
}
