#include "transfer/read/tree.h"

#include <stdlib.h>
#include <string.h>

#include "lib/log.h"

static int by_path(const void *a, const void *b)
{
	return strcmp(
		((const struct tree_entry *)a)->path.p, ((const struct tree_entry *)b)->path.p);
}

void tree_sort(struct tree *t)
{
	if (t->n)
		qsort(t->entries, t->n, sizeof(*t->entries), by_path);
}

const struct tree_entry *tree_find(const struct tree *t, const char *path)
{
	const struct tree_entry wanted = { .path = str_of(path) };

	return t->n ? bsearch(&wanted, t->entries, t->n, sizeof(wanted), by_path) : NULL;
}

/* Both separators count: the program that made the archive may have meant either. So do Windows' names of disks. */
static bool leads_out(struct str path)
{
	size_t from = 0;

	if (path.n > 2 && path.p[1] == ':' && (path.p[2] == '/' || path.p[2] == '\\'))
		return true;
	for (size_t i = 0; i <= path.n; i++) {
		if (i < path.n && path.p[i] != '/' && path.p[i] != '\\')
			continue;
		if ((i == from && (from == 0 || path.p[i - 1] == '/')) ||
			(i - from == 2 && memcmp(path.p + from, "..", 2) == 0))
			return true;
		from = i + 1;
	}
	return false;
}

static bool is_plain(struct str path)
{
	size_t depth = 0;

	for (size_t i = 0; i < path.n; i++) {
		if ((unsigned char)path.p[i] < 0x20 || path.p[i] == 0x7f)
			return false;
		depth += path.p[i] == '/';
	}
	return path.n <= TREE_PATH_MAX && depth < TREE_DEPTH_MAX && str_is_text(path);
}

/* The story of a file that is in a numbered folder, as attached ones are; else NIL. */
static int64_t story_of(struct str path)
{
	int64_t number = NIL;

	for (int depth = 0; depth < 3 && number == NIL; depth++) {
		const struct str folder = str_cut(&path, '/');

		if (!path.p)
			return NIL;
		if (!folder.n || folder.p[0] == '-' || !str_to_int(folder, &number) || number < 1)
			number = NIL;
	}
	return number;
}

bool tree_lose(struct tree *t, struct intake *in, int file, struct str path, const char *code,
	const char *why)
{
	const struct intake_place at = { .file = file, .line = 0 };
	const struct intake_why lost = { code, str_of(why) };
	const int64_t story = story_of(path);

	if (story == NIL)
		return false;
	intake_lose_file(in, at, story, &lost, "%s, %.200s", t->where, path.p);
	return true;
}

bool tree_add(struct tree *t, struct intake *in, int file, struct tree_entry entry)
{
	const struct intake_place at = { .file = file, .line = 0 };

	if (leads_out(entry.path)) {
		if (tree_lose(t, in, file, entry.path, "path_leads_out",
			    "has a path that points outside the archive: it was skipped"))
			return true;
		intake_say(in, INTAKE_ERROR, at, NIL, NULL, "path_leads_out",
			"%s contains a file whose path points outside it (%.200s): the archive "
			"was not read",
			t->where, entry.path.p);
		return false;
	}
	if (!is_plain(entry.path)) {
		if (tree_lose(t, in, file, entry.path, "bad_path",
			    "has a name that is not text, or is too long or too deep: it was "
			    "skipped"))
			return true;
		intake_say(in, INTAKE_ERROR, at, NIL, NULL, "bad_path",
			"%s contains a file whose path is not text, or longer than %d bytes, or "
			"deeper than %d folders: the archive was not read",
			t->where, TREE_PATH_MAX, TREE_DEPTH_MAX);
		return false;
	}
	if (t->n == TREE_FILES_MAX) {
		intake_say(in, INTAKE_ERROR, at, NIL, NULL, "too_many_files",
			"%s contains more than %d files: import it in parts", t->where,
			TREE_FILES_MAX);
		return false;
	}
	if (t->n == t->room) {
		t->room = t->room ? 2 * t->room : 64;
		t->entries = realloc(t->entries, t->room * sizeof(*t->entries));
		if (!t->entries)
			log_die("out of memory: %zu files", t->room);
	}
	entry.path = arena_str(&t->arena, entry.path);
	t->entries[t->n++] = entry;
	return true;
}
