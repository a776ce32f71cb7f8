#include "transfer/form/folder_read.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "lib/log.h"
#include "transfer/read/file_bytes.h"
#include "transfer/form/history_csv.h"
#include "transfer/common/nested_intake.h"
#include "transfer/form/json_projects.h"
#include "transfer/form/json_read.h"
#include "transfer/form/members_csv.h"
#include "transfer/form/own_read.h"
#include "transfer/form/sniff.h"
#include "transfer/form/sqlite_read.h"
#include "transfer/form/stories_csv.h"

/* What a file is: one of sniff.h's values, or of these. */
enum { OF_NUMBER = SNIFF_REFUSED + 1, JUNK, DEEP };

struct folder {
	struct intake *in;
	int file;
	struct tree *tree;
	size_t top;        /* length of the folder that all paths begin with */
	const char **whys; /* one for each file; null: nothing to say */
	unsigned char *is;
	bool *is_unreadable;
	size_t count[DEEP + 1];
	char start[SNIFF_BYTES];
};

static const char *below(const struct folder *f, size_t i)
{
	return f->tree->entries[i].path.p + f->top;
}

/* Files that systems leave in folders on their own. */
static bool is_junk(const char *path)
{
	const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;

	return strncmp(path, "__MACOSX/", 9) == 0 || strncmp(name, "._", 2) == 0 ||
		strcmp(name, ".DS_Store") == 0 || strcmp(name, "Thumbs.db") == 0 ||
		strcmp(name, "desktop.ini") == 0;
}

/* The number of the folder that the file is in; NIL if that has none, or there is no folder. */
static int64_t number_of(const char *path)
{
	struct str rest = str_of(path), folder = str_cut(&rest, '/');
	int64_t number;

	return rest.p && folder.p[0] != '-' && str_to_int(folder, &number) && number > 0 ? number
											 : NIL;
}

/* Descends into a folder that has everything else, if there is one. */
static bool find_top(struct folder *f)
{
	const char *first = NULL;
	size_t n = 0;

	for (size_t i = 0; i < f->tree->n; i++) {
		const char *path = below(f, i), *slash = strchr(path, '/');

		if (is_junk(path))
			continue;
		if (!slash || number_of(path) != NIL || strncmp(path, "planwright/", 11) == 0 ||
			(first && strncmp(path, first, n) != 0))
			return false;
		first = path;
		n = (size_t)(slash - path) + 1;
	}
	for (size_t i = 0; first && i < f->tree->n; i++)
		if (strncmp(below(f, i), first, n) != 0)
			return false;
	f->top += first ? n : 0;
	return first != NULL;
}

/* Junk next to the folder that has everything else would hide that folder. */
static void drop_junk(struct tree *t)
{
	size_t n = 0;

	for (size_t i = 0; i < t->n; i++)
		if (!is_junk(t->entries[i].path.p))
			t->entries[n++] = t->entries[i];
	t->n = n;
}

static void look(struct folder *f, size_t i)
{
	const char *path = below(f, i);
	struct tree_bytes *bytes;
	struct str start = { 0 };

	f->is[i] = SNIFF_UNKNOWN;
	if (number_of(path) != NIL) {
		f->is[i] = OF_NUMBER;
	} else if ((bytes = tree_read(f->tree, &f->tree->entries[i]))) {
		start = file_bytes_start(&bytes->bytes, f->start, sizeof(f->start));
		f->is[i] = (unsigned char)sniff(start, &f->whys[i]);
		bytes->close(bytes);
	}
	if (f->is[i] != OF_NUMBER && !start.p) {
		f->is[i] = SNIFF_UNKNOWN;
		f->is_unreadable[i] = true;
		f->whys[i] = "it cannot be read";
	}
	/* Attached files can be tables, too: those of the project are at the top. */
	if (f->is[i] != OF_NUMBER && f->is[i] != SNIFF_JSON && strchr(path, '/')) {
		f->is[i] = DEEP;
		f->whys[i] = "it is in a folder without a number";
	}
	f->count[f->is[i]]++;
}

static void refuse(struct folder *f, const char *code, const char *path, const char *why)
{
	intake_say(f->in, INTAKE_ERROR, (struct intake_place){ .file = f->file }, NIL, NULL, code,
		"%s%s%s: %s", f->tree->where, path ? ", " : "", path ? path : "", why);
}

static enum rc read_table(struct folder *f, size_t i, struct intake_bytes *bytes)
{
	struct nested_intake in;

	nested_intake_init(&in, f->in, f->tree->where, below(f, i));
	switch (f->is[i]) {
	case SNIFF_MEMBERS: return members_csv_read(&in.intake, f->file, bytes);
	case SNIFF_STORIES: return stories_csv_read(&in.intake, f->file, bytes);
	default: return history_csv_read(&in.intake, f->file, bytes);
	}
}

static enum rc read_tables(struct folder *f, enum sniff which)
{
	enum rc rc = RC_OK;

	for (size_t i = 0; i < f->tree->n && rc == RC_OK; i++) {
		struct tree_bytes *bytes = NULL;

		if (f->is[i] != which)
			continue;
		bytes = tree_read(f->tree, &f->tree->entries[i]);
		if (!bytes) {
			refuse(f, "unreadable", below(f, i), "it cannot be read");
			continue;
		}
		rc = read_table(f, i, &bytes->bytes);
		bytes->close(bytes);
	}
	return rc;
}

static enum rc put_file(struct folder *f, size_t i, int64_t position)
{
	const struct tree_entry *entry = &f->tree->entries[i];
	struct tree_bytes *bytes = tree_read(f->tree, entry);
	struct record record = { 0 };
	struct str word = { 0 };

	struct intake_why why = { "broken_file", STR("is broken, its content is lost") };
	enum rc rc = bytes ? f->in->body(f->in, &bytes->bytes, &record.arena, &word, &why) : RC_OK;
	if (rc == RC_OK && !word.p)
		intake_lose_file(f->in, (struct intake_place){ .file = f->file },
			number_of(below(f, i)), &why, "%s, %s", f->tree->where, below(f, i));
	record_int(&record, "number", number_of(below(f, i)));
	record_text(&record, "filename", str_of(strrchr(entry->path.p, '/') + 1));
	record_int(&record, "size", entry->size);
	record_int(&record, "position", position);
	record_text(&record, "body", word);
	if (!word.p)
		record_bool(&record, "told", true);
	if (rc == RC_OK)
		rc = f->in->put(
			f->in, INTAKE_FILE, (struct intake_place){ .file = f->file }, &record);
	if (bytes)
		bytes->close(bytes);
	record_free(&record);
	return rc;
}

/* Paths are sorted, so the files of a number follow each other. */
static enum rc put_files(struct folder *f)
{
	int64_t last = NIL, position = 0;
	enum rc rc = RC_OK;

	for (size_t i = 0; i < f->tree->n && rc == RC_OK; i++) {
		if (f->is[i] != OF_NUMBER)
			continue;
		position = number_of(below(f, i)) == last ? position + 1 : 1;
		last = number_of(below(f, i));
		rc = put_file(f, i, position);
	}
	return rc;
}

/* Below the top, JSON is the project's only if there are neither stories nor a dump. */
static bool is_json(const struct folder *f, size_t i)
{
	return f->is[i] == SNIFF_JSON &&
		(!strchr(below(f, i), '/') ||
			(f->count[SNIFF_STORIES] == 0 && f->count[SNIFF_SQLITE] == 0));
}

static enum rc read_json(struct folder *f)
{
	struct json_projects projects;
	struct v5 v;
	enum rc rc = RC_OK;
	bool refused = false;

	v5_init(&v, f->in, f->file, "");
	json_projects_init(&projects, f->in, f->file, f->tree->where);
	for (int pass = 0; pass < 3 && rc == RC_OK && !refused; pass++) {
		for (size_t i = 0; i < f->tree->n && rc == RC_OK && !refused; i++) {
			struct tree_bytes *bytes = NULL;

			if (!is_json(f, i) || !(bytes = tree_read(f->tree, &f->tree->entries[i])))
				continue;
			v.where = f->tree->entries[i].path.p;
			if (pass < 2)
				rc = json_projects_look(&projects, pass, &bytes->bytes);
			else
				rc = json_read(&v, &bytes->bytes, V5_UNKNOWN, &refused);
			bytes->close(bytes);
		}
		if (pass == 1)
			refused = !json_projects_choose(&projects, &v.project);
	}
	v5_free(&v);
	return rc;
}

static enum rc read_sqlite(struct folder *f)
{
	enum rc rc = RC_OK;

	for (size_t i = 0; i < f->tree->n && rc == RC_OK; i++) {
		if (f->is[i] != SNIFF_SQLITE)
			continue;
		if (f->tree->zip) {
			refuse(f, "packed_sqlite", below(f, i),
				"it is an SQLite dump: unpack the archive, and import the folder");
			continue;
		}
		char *path = malloc(strlen(f->tree->where) + f->tree->entries[i].path.n + 2);
		if (!path)
			log_die("out of memory: a path");
		strcpy(path, f->tree->where);
		strcat(strcat(path, "/"), f->tree->entries[i].path.p);
		rc = sqlite_read(f->in, f->file, path, f->tree);
		free(path);
	}
	return rc;
}

static void say_rest(struct folder *f)
{
	for (size_t i = 0; i < f->tree->n; i++) {
		const bool is_rest = f->is[i] == SNIFF_UNKNOWN || f->is[i] == SNIFF_REFUSED ||
			f->is[i] == SNIFF_EMPTY || f->is[i] == SNIFF_ZIP ||
			(f->is[i] == DEEP && f->count[SNIFF_SQLITE] == 0) ||
			(f->is[i] == SNIFF_JSON && !is_json(f, i) && f->count[SNIFF_SQLITE] == 0);

		if (is_rest)
			intake_say(f->in, f->is[i] == SNIFF_EMPTY ? INTAKE_NOTE : INTAKE_LOST,
				(struct intake_place){ .file = f->file }, NIL, NULL, "not_read",
				"%s, %s was not read%s%s", f->tree->where, below(f, i),
				f->whys[i] ? ": " : "", f->whys[i] ? f->whys[i] : "");
	}
}

/* The table of stories would be a CSV file at the top. */
static bool is_table_by_name(const char *path)
{
	const size_t n = strlen(path);

	return !strchr(path, '/') && n > 4 && strcasecmp(path + n - 4, ".csv") == 0;
}

/*
 * If there are no stories, an unknown table at the top is the one that should have them. False: it
 * is broken, and the import is refused.
 */
static bool check_tables(struct folder *f)
{
	bool good = true;

	if (f->count[SNIFF_STORIES] + f->count[SNIFF_SQLITE] + f->count[SNIFF_JSON] > 0)
		return true;
	for (size_t i = 0; i < f->tree->n; i++) {
		if (f->is[i] != SNIFF_UNKNOWN || !is_table_by_name(below(f, i)))
			continue;
		refuse(f, "broken_table", below(f, i),
			f->is_unreadable[i]
				? "it is broken: its first line cannot be read"
				: "it is broken, or not a table that can be imported: its first "
				  "line does not name a column Title");
		good = false;
	}
	return good;
}

static enum rc read_all(struct folder *f)
{
	static const enum sniff tables[] = { SNIFF_MEMBERS, SNIFF_STORIES, SNIFF_HISTORY };
	enum rc rc = RC_OK;

	for (size_t i = 0; i < f->tree->n; i++)
		look(f, i);
	if (!check_tables(f))
		return RC_OK;
	if (f->count[SNIFF_MEMBERS] + f->count[SNIFF_STORIES] + f->count[SNIFF_HISTORY] +
			f->count[SNIFF_JSON] + f->count[SNIFF_SQLITE] + f->count[OF_NUMBER] ==
		0) {
		refuse(f, "nothing", NULL,
			"it contains nothing that can be imported: no table of stories, no JSON "
			"of the API, no dump");
		return RC_OK;
	}
	rc = read_tables(f, tables[0]);
	for (size_t i = 1; rc == RC_OK && i < sizeof(tables) / sizeof(tables[0]); i++)
		rc = read_tables(f, tables[i]);
	if (rc == RC_OK)
		rc = read_sqlite(f);
	if (rc == RC_OK && f->count[SNIFF_JSON])
		rc = read_json(f);
	if (rc == RC_OK)
		rc = put_files(f);
	say_rest(f);
	return rc;
}

static bool is_there(const struct folder *f, const char *name)
{
	char path[TREE_PATH_MAX + 64];
	const struct str top = { f->tree->n ? f->tree->entries[0].path.p : "", f->top };

	return tree_find(f->tree,
		       str_print(path, sizeof(path), "%.*s%s", (int)top.n, top.p, name).p) != NULL;
}

/* Archives that are documents of other programs. */
static bool is_document(struct folder *f)
{
	const bool sheet = is_there(f, "xl/workbook.xml") || is_there(f, "Index/Document.iwa") ||
		is_there(f, "content.xml");

	if (!sheet && !is_there(f, "[Content_Types].xml"))
		return false;
	refuse(f, "spreadsheet", NULL, "it is a spreadsheet or another document: save it as CSV");
	return true;
}

enum rc folder_read(struct intake *in, int file, struct tree *tree)
{
	struct folder *f = calloc(1, sizeof(*f));
	enum rc rc = RC_OK;

	if (!f)
		log_die("out of memory: %zu bytes", sizeof(*f));
	drop_junk(tree);
	f->in = in;
	f->file = file;
	f->tree = tree;
	f->is = calloc(tree->n + 1, 1);
	f->whys = calloc(tree->n + 1, sizeof(*f->whys));
	f->is_unreadable = calloc(tree->n + 1, sizeof(*f->is_unreadable));
	if (!f->is || !f->whys || !f->is_unreadable)
		log_die("out of memory: %zu files", tree->n);
	if (!is_document(f)) {
		for (int i = 0; i < 3 && find_top(f);)
			i++;
		if (is_there(f, "planwright/manifest.json")) {
			char top[TREE_PATH_MAX + 1];

			str_print(top, sizeof(top), "%.*s", (int)f->top, tree->entries[0].path.p);
			rc = own_read(in, file, tree, top);
		} else {
			rc = read_all(f);
		}
	}
	free(f->is);
	free(f->whys);
	free(f->is_unreadable);
	free(f);
	return rc;
}
