#include "transfer/run/import_files.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "lib/str.h"
#include "lib/sync.h"
#include "lib/temp.h"
#include "service/files.h"

enum { OLD_S = 60 * 60 };

static bool put_path(char to[FILES_PATH_MAX], const char *folder, const char *name)
{
	if (strlen(folder) + 1 + strlen(name) >= FILES_PATH_MAX) {
		errno = ENAMETOOLONG;
		return false;
	}
	str_print(to, FILES_PATH_MAX, "%s/%s", folder, name);
	return true;
}

void import_files_close(struct import_files *w)
{
	if (w->fd >= 0)
		close(w->fd);
	w->fd = -1;
}

bool import_files_open(struct import_files *w, const char *files, int64_t floor)
{
	char above[FILES_PATH_MAX];
	*w = (struct import_files){ .fd = -1, .folder.lock = -1 };
	w->room = files_room(files, floor, INT64_MAX);
	return put_path(above, files, "import") && (!mkdir(above, 0700) || errno == EEXIST) &&
		temp_open_folder(&w->folder, above);
}

bool import_files_begin(struct import_files *w, const char *name)
{
	char path[FILES_PATH_MAX];
	import_files_close(w);
	if (!put_path(path, w->folder.path, name))
		return false;
	w->fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
	w->size = 0;
	return w->fd >= 0;
}

bool import_files_write(struct import_files *w, const char *p, size_t n)
{
	bool ok = files_put(&w->room, w->fd, p, n);
	w->size += ok ? (int64_t)n : 0;
	return ok;
}

/* A file in the folder, and its name in the store if it goes there. */
struct one {
	struct import_files *w;
	struct files *f;
	char path[FILES_PATH_MAX], name[IMPORT_FILES_NAME_MAX + 40];
};

static bool put_one(struct one *o)
{
	int fd = open(o->path, O_RDONLY | O_NOFOLLOW | O_CLOEXEC);
	bool ok = fd >= 0 && s3_put(&o->f->store, o->name, fd, &o->f->problem);
	if (fd < 0)
		str_print(o->f->problem.text, sizeof o->f->problem.text, "%s cannot be read: %s",
			o->path, strerror(errno));
	else
		close(fd);
	return ok;
}

static bool drop_one(struct one *o)
{
	return s3_delete(&o->f->store, o->name, &o->f->problem);
}

static bool sync_one(struct one *o)
{
	int fd = open(o->path, O_RDONLY | O_NOFOLLOW | O_CLOEXEC);
	bool ok = fd >= 0 && fsync(fd) == 0;
	if (fd >= 0)
		close(fd);
	return ok;
}

/* Besides the files, the folder has only its lock (lib/temp.h). */
static bool is_file(const char *name)
{
	return *name != '.' && strcmp(name, "lock") != 0;
}

static bool with_all(
	struct import_files *w, struct files *f, int64_t id, bool (*act)(struct one *o))
{
	const time_t until = time(NULL) + f->store.patience_s;
	struct one o = { .w = w, .f = f };
	DIR *d = opendir(w->folder.path);
	bool ok = d != NULL;
	for (struct dirent *e; ok && (e = readdir(d));) {
		if (!is_file(e->d_name))
			continue;
		str_print(o.name, sizeof o.name, "import/%lld/%s", (long long)id, e->d_name);
		f->store.patience_s = until > time(NULL) ? (int)(until - time(NULL)) : 1;
		ok = put_path(o.path, w->folder.path, e->d_name) && act(&o);
	}
	if (d)
		closedir(d);
	return ok;
}

static bool give_folder(struct import_files *w, const struct files *f, int64_t id)
{
	char above[FILES_PATH_MAX], path[FILES_PATH_MAX];
	import_files_place(path, f->folder, id);
	return sync_folder(w->folder.path) && put_path(above, f->folder, "import") &&
		temp_give_folder(&w->folder, path) && sync_folder(above);
}

bool import_files_keep(struct import_files *w, struct files *f, int64_t id)
{
	import_files_close(w);
	if (f->store.endpoint)
		return with_all(w, f, id, put_one);
	if (with_all(w, f, id, sync_one) && give_folder(w, f, id))
		return true;
	str_print(f->problem.text, sizeof f->problem.text, "cannot write below %s: %s", f->folder,
		strerror(errno));
	return false;
}

/* The next sweep of an importer deletes what is left. */
void import_files_take_back(struct import_files *w, struct files *f, int64_t id)
{
	if (f->store.endpoint)
		with_all(w, f, id, drop_one);
	else
		import_files_delete(f->folder, id);
}

void import_files_drop(struct import_files *w)
{
	import_files_close(w);
	temp_drop_folder(&w->folder);
}

void import_files_name(char to[IMPORT_FILES_NAME_MAX], int number, const char *filename)
{
	size_t n =
		str_print(to, IMPORT_FILES_NAME_MAX, "%d-%s", number, *filename ? filename : "file")
			.n;
	for (size_t i = 0; i < n; i++)
		if (!((to[i] >= 'a' && to[i] <= 'z') || (to[i] >= 'A' && to[i] <= 'Z') ||
			    (to[i] >= '0' && to[i] <= '9') || strchr(".-", to[i])))
			to[i] = '_';
}

void import_files_place(char to[FILES_PATH_MAX], const char *files, int64_t id)
{
	str_print(to, FILES_PATH_MAX, "%s/import/%lld", files, (long long)id);
}

bool import_files_delete(const char *files, int64_t id)
{
	char path[FILES_PATH_MAX];
	import_files_place(path, files, id);
	return temp_delete_folder(path);
}

static bool is_old(const char *path)
{
	struct stat s;
	return !lstat(path, &s) && S_ISDIR(s.st_mode) && s.st_mtime < time(NULL) - OLD_S;
}

bool import_files_walk(const char *files, void (*each)(void *to, int64_t id), void *to)
{
	char above[FILES_PATH_MAX], path[FILES_PATH_MAX];
	DIR *d = put_path(above, files, "import") ? opendir(above) : NULL;
	bool ok = true;
	if (!d)
		return errno == ENOENT;
	for (struct dirent *e; (e = readdir(d));) {
		int64_t id;
		if (*e->d_name == '.' || !put_path(path, above, e->d_name) || !is_old(path))
			continue;
		if (str_to_int(str_of(e->d_name), &id) && id > 0)
			each(to, id);
		else if (!strncmp(e->d_name, "new.", 4))
			ok &= temp_delete_folder(path);
	}
	closedir(d);
	return ok;
}
