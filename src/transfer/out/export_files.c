#include "transfer/out/export_files.h"

#include <errno.h>
#include <fcntl.h>
#include <search.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

#include "lib/json.h"
#include "lib/log.h"
#include "service/files.h"

enum { PIECE = 500, NAME_MAX_BYTES = 200, ROOM = 64 * 1024 };

/* Names --------------------------------------------------------------------------- */

/* Where a short extension begins, with its dot; else the end of the name. */
static size_t find_extension(struct str name)
{
	for (size_t i = name.n; i > 1 && name.n - i < 10; i--)
		if (name.p[i - 1] == '.')
			return i - 1;
	return name.n;
}

static struct str clean(struct arena *a, struct str filename)
{
	char *p = arena_alloc(a, filename.n + 1);
	for (size_t i = 0; i < filename.n; i++) {
		unsigned char c = (unsigned char)filename.p[i];
		p[i] = c < 0x20 || c == 0x7f || c == '/' || c == '\\' ? '_' : (char)c;
	}
	struct str name = { p, filename.n };
	if (name.n == 0 || str_equal_z(name, ".") || str_equal_z(name, ".."))
		return STR("_");
	size_t dot = find_extension(name), stem = dot;
	while (stem + (name.n - dot) > NAME_MAX_BYTES || (p[stem] & 0xc0) == 0x80)
		stem--;
	memmove(p + stem, p + dot, name.n - dot);
	return (struct str){ p, stem + name.n - dot };
}

/* A name in a folder, and the number that the next file of the same name gets. */
struct taken {
	struct str name;
	int next;
};

static int compare(const void *a, const void *b)
{
	const struct str *x = &((const struct taken *)a)->name,
			 *y = &((const struct taken *)b)->name;
	int order = strncasecmp(x->p, y->p, x->n < y->n ? x->n : y->n);
	return order ? order : (x->n > y->n) - (x->n < y->n);
}

/* The entry of a name, which is added with the number 0 if it is new. */
static struct taken *enter(struct export_names *names, struct str name)
{
	struct taken *made = arena_alloc(&names->arena, sizeof *made);
	*made = (struct taken){ .name = name };
	struct taken **found = tsearch(made, &names->tree, compare);
	if (!found)
		log_die("out of memory");
	return *found;
}

/*
 * A number that was tried once is not tried again, so the cost grows only linearly with the names:
 * a name with a number in it is in the way of one base only.
 */
struct str export_names_take(struct export_names *names, struct str filename)
{
	struct arena *a = &names->arena;
	struct str name = clean(a, filename), free = name;
	size_t dot = find_extension(name);
	struct taken *base = enter(names, name), *entry = base;
	while (entry->next) {
		free = arena_printf(a, "%.*s (%d)%.*s", (int)dot, name.p, ++base->next,
			(int)(name.n - dot), name.p + dot);
		entry = enter(names, free);
	}
	entry->next = 1;
	return free;
}

/* The arena owns the entries. */
static void keep(void *entry)
{
	(void)entry;
}

void export_names_end(struct export_names *names)
{
	tdestroy(names->tree, keep);
	names->tree = NULL;
	arena_free(&names->arena);
}

/* Contents ------------------------------------------------------------------------ */

struct contents {
	struct export *x;
	struct files kept;
	struct zip_write *zip;
	const char *top;
	FILE *lines;
	int64_t n;
	int64_t last_folder, last; /* the next piece begins after these */
	int64_t folder;            /* whose names are these: */
	struct export_names names;
};

/* Formats that cannot be compressed further. */
static bool is_packed(struct str type)
{
	static const char *const types[] = { "image/png", "image/jpeg", "image/gif", "image/webp",
		"video/", "audio/", "application/zip", "application/gzip", "application/x-7z",
		"application/vnd.openxmlformats" };
	for (size_t i = 0; i < sizeof types / sizeof *types; i++)
		if (type.n >= strlen(types[i]) && !memcmp(type.p, types[i], strlen(types[i])))
			return true;
	return false;
}

static struct str name_in_folder(struct contents *f, int64_t folder, struct str filename)
{
	if (folder != f->folder) {
		export_names_end(&f->names);
		f->folder = folder;
	}
	return export_names_take(&f->names, filename);
}

static bool copy(int fd, struct sink *to)
{
	char room[ROOM];
	for (ssize_t n; (n = read(fd, room, sizeof room));) {
		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0) {
			log_error("an attached file cannot be read: %m");
			return false;
		}
		if (!to->put(to, (struct str){ room, (size_t)n }))
			return false;
	}
	return true;
}

static void put_line(struct contents *f, int64_t id, struct str path, const struct zip_made *made)
{
	struct buf line = { 0 };
	struct json j;
	json_init(&j, &line);
	json_object(&j);
	json_key(&j, "kind");
	json_z(&j, "file");
	json_key(&j, "id");
	json_int(&j, id);
	json_key(&j, "path");
	json_str(&j, path);
	json_key(&j, "size");
	json_int(&j, made->size);
	json_key(&j, "sha256");
	json_z(&j, made->sha256);
	json_object_end(&j);
	buf_put_char(&line, '\n');
	fwrite(line.p, 1, line.n, f->lines);
	buf_free(&line);
	f->n++;
}

static enum rc put_file(struct contents *f, const struct rows *rows, int row)
{
	char place[FILES_PLACE_MAX];
	struct zip_made made;
	int64_t folder = db_get_int(rows, row, db_column(rows, "folder"));
	int64_t id = db_get_int(rows, row, db_column(rows, "id"));
	files_place(place, id, NULL);
	int fd = files_read(&f->kept, place);
	/* If the store is away, all files would seem to be missing. */
	if (fd < 0 && f->kept.store.endpoint && !f->kept.problem.is_missing) {
		log_error("an attached file cannot be exported: %s", f->kept.problem.text);
		return RC_UNAVAILABLE;
	}
	if (fd < 0) {
		log_warn("an attached file is missing: %s", f->kept.problem.text);
		f->x->files_missing++;
		return RC_OK;
	}
	struct str name =
		name_in_folder(f, folder, db_get_text(rows, row, db_column(rows, "filename")));
	struct str inside =
		arena_printf(&f->x->piece, "%lld/%.*s", (long long)folder, (int)name.n, name.p);
	zip_write_begin(f->zip, arena_printf(&f->x->piece, "%s/%s", f->top, inside.p).p,
		db_get_int(rows, row, db_column(rows, "made_s")),
		is_packed(db_get_text(rows, row, db_column(rows, "content_type"))));
	bool ok = copy(fd, zip_write_sink(f->zip));
	close(fd);
	ok &= zip_write_end(f->zip, &made);
	put_line(f, id, inside, &made);
	return ok ? RC_OK : RC_UNAVAILABLE;
}

static enum rc put_piece(struct contents *f, int *n)
{
	struct arena *a = &f->x->piece;
	const struct db_param params[] = { db_int(a, f->x->project), db_int(a, f->last_folder),
		db_int(a, f->last), db_int(a, PIECE) };
	struct rows *rows;
	db_send(f->x->db, STMT_EXPORT_FILES, 4, params);
	db_flush(f->x->db);
	enum rc rc = db_next(f->x->db, &rows);
	*n = rc ? 0 : db_count(rows);
	for (int row = 0; !rc && row < *n; row++) {
		rc = put_file(f, rows, row);
		f->last_folder = db_get_int(rows, row, db_column(rows, "folder"));
		f->last = db_get_int(rows, row, db_column(rows, "id"));
	}
	return rc ? rc : export_settle(f->x);
}

enum rc export_files(
	struct export *x, struct zip_write *zip, const char *top, FILE *lines, int64_t *n)
{
	struct contents f = {
		.x = x, .kept = files_of(x->conf), .zip = zip, .top = top, .lines = lines
	};
	int found = PIECE;
	enum rc rc = RC_OK;
	while (!rc && found == PIECE)
		rc = put_piece(&f, &found);
	export_names_end(&f.names);
	*n = f.n;
	return rc;
}
