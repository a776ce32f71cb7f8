#include "transfer/read/tree.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

struct walk {
	struct tree *tree;
	struct intake *in;
	int file;
	size_t seen; /* names, including folders */
	char path[TREE_PATH_MAX + 256];
};

static bool walk_folder(struct walk *w, int fd, size_t n, int depth);

static bool refuse(struct walk *w, const char *code, const char *why)
{
	intake_say(w->in, INTAKE_ERROR, (struct intake_place){ .file = w->file, .line = 0 }, NIL,
		NULL, code, "%s/%s: %s", w->tree->where, w->path, why);
	return false;
}

/* Takes what the path names; its last part begins at `from`, and its whole length is n. */
static bool take(struct walk *w, int folder, size_t from, size_t n, int depth)
{
	struct stat st;

	if (++w->seen > 2 * TREE_FILES_MAX)
		return refuse(w, "too_many_files", "too many files: import the folder in parts");
	if (n > TREE_PATH_MAX || depth > TREE_DEPTH_MAX)
		return refuse(w, "bad_path", "the folder is too deep");
	if (fstatat(folder, w->path + from, &st, AT_SYMLINK_NOFOLLOW) < 0)
		return refuse(w, "unreadable", strerror(errno));
	if (S_ISREG(st.st_mode))
		return tree_add(w->tree, w->in, w->file,
			(struct tree_entry){ { w->path, n }, st.st_size, 0, 0 });
	if (!S_ISDIR(st.st_mode)) {
		intake_say(w->in, INTAKE_LOST, (struct intake_place){ .file = w->file, .line = 0 },
			NIL, NULL, "no_file", "%s/%s is a link or a device, and was skipped",
			w->tree->where, w->path);
		return true;
	}
	int fd = openat(folder, w->path + from, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_DIRECTORY);
	if (fd < 0)
		return refuse(w, "unreadable", strerror(errno));
	w->path[n] = '/';
	return walk_folder(w, fd, n + 1, depth + 1);
}

/* Closes fd. */
static bool walk_folder(struct walk *w, int fd, size_t n, int depth)
{
	DIR *folder = fdopendir(fd);
	struct dirent *entry;
	bool good = true;

	if (!folder) {
		close(fd);
		return refuse(w, "unreadable", strerror(errno));
	}
	while (good && (entry = readdir(folder))) {
		size_t length = strlen(entry->d_name);

		if (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0)
			continue;
		memcpy(w->path + n, entry->d_name, length + 1);
		good = take(w, dirfd(folder), n, n + length, depth);
	}
	closedir(folder);
	return good;
}

bool tree_open_folder(struct tree *t, struct intake *in, int file, const char *path)
{
	struct walk w = { .tree = t, .in = in, .file = file };

	*t = (struct tree){ .where = path, .in = in };
	t->folder = open(path, O_RDONLY | O_CLOEXEC | O_DIRECTORY);
	int fd = t->folder < 0 ? -1 : fcntl(t->folder, F_DUPFD_CLOEXEC, 0);
	if (fd < 0) {
		intake_say(in, INTAKE_ERROR, (struct intake_place){ .file = file, .line = 0 }, NIL,
			NULL, "unreadable", "%s cannot be read: %s", path, strerror(errno));
		return false;
	}
	if (!walk_folder(&w, fd, 0, 1))
		return false;
	tree_sort(t);
	return true;
}
