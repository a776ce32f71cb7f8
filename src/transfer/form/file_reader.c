#include "transfer/form/file_reader.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "lib/log.h"
#include "transfer/read/file_bytes.h"
#include "transfer/form/folder_read.h"
#include "transfer/form/history_csv.h"
#include "transfer/form/json_projects.h"
#include "transfer/form/json_read.h"
#include "transfer/form/members_csv.h"
#include "transfer/form/sniff.h"
#include "transfer/form/sqlite_read.h"
#include "transfer/form/stories_csv.h"

static void refuse(struct intake *in, int file, const char *code, const char *path, const char *why)
{
	intake_say(in, INTAKE_ERROR, (struct intake_place){ .file = file }, NIL, NULL, code,
		"%s: %s", path, why);
}

static enum rc read_tree(struct intake *in, int file, const char *path,
	bool (*open)(struct tree *, struct intake *, int, const char *))
{
	struct tree tree;
	enum rc rc = RC_OK;

	if (open(&tree, in, file, path))
		rc = folder_read(in, file, &tree);
	tree_close(&tree);
	return rc;
}

static enum rc read_json(struct intake *in, int file, const char *path, struct intake_bytes *bytes)
{
	struct json_projects projects;
	struct v5 v;
	enum rc rc = RC_OK;
	bool refused = false;

	v5_init(&v, in, file, path);
	json_projects_init(&projects, in, file, path);
	for (int pass = 0; pass < 2 && rc == RC_OK; pass++) {
		rc = json_projects_look(&projects, pass, bytes);
		if (!bytes->rewind(bytes)) {
			refuse(in, file, "unreadable", path, "it cannot be read twice");
			refused = true;
		}
	}
	if (rc == RC_OK && !refused && json_projects_choose(&projects, &v.project)) {
		rc = json_read(&v, bytes, V5_UNKNOWN, &refused);
		if (rc == RC_OK && !refused && v.taken == 0)
			refuse(in, file, "unknown", path,
				"nothing in this JSON is a record of the API");
	}
	v5_free(&v);
	return rc;
}

static enum rc read_file(
	struct intake *in, int file, const char *path, struct file_bytes *f, char *start)
{
	struct intake_bytes *bytes = &f->bytes;
	const struct str seen = file_bytes_start(bytes, start, SNIFF_BYTES);
	const char *why = "it cannot be read";
	const enum sniff is = seen.p ? sniff(seen, &why) : SNIFF_UNKNOWN;

	switch (is) {
	case SNIFF_ZIP: return read_tree(in, file, path, tree_open_zip);
	case SNIFF_SQLITE: return sqlite_read(in, file, path, NULL);
	case SNIFF_JSON: return read_json(in, file, path, bytes);
	case SNIFF_STORIES: return stories_csv_read(in, file, bytes);
	case SNIFF_HISTORY: return history_csv_read(in, file, bytes);
	case SNIFF_MEMBERS: return members_csv_read(in, file, bytes);
	case SNIFF_EMPTY: refuse(in, file, "unknown", path, "it is empty"); break;
	case SNIFF_UNKNOWN:
	case SNIFF_REFUSED: refuse(in, file, "unknown", path, why); break;
	}
	return RC_OK;
}

enum rc reader_read(struct intake *in, int file, const char *path)
{
	struct stat st;
	struct file_bytes f;
	char *start;
	enum rc rc;

	if (stat(path, &st) == 0 && S_ISDIR(st.st_mode))
		return read_tree(in, file, path, tree_open_folder);
	if (!file_bytes_open(&f, path)) {
		refuse(in, file, "unreadable", path,
			errno == EINVAL ? "it is neither a file nor a folder" : strerror(errno));
		return RC_OK;
	}
	start = malloc(SNIFF_BYTES);
	if (!start)
		log_die("out of memory: %d bytes", SNIFF_BYTES);
	rc = read_file(in, file, path, &f, start);
	free(start);
	file_bytes_close(&f);
	return rc;
}
