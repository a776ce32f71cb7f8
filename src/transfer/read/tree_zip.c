#include "transfer/read/tree.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include <zip.h>

#include "lib/log.h"
#include "transfer/read/file_bytes.h"
#include "transfer/read/tree_zip_check.h"
#include "transfer/read/tree_zip_names.h"

struct zip_bytes {
	struct tree_bytes tree;
	struct intake *in;
	zip_t *zip;
	zip_uint64_t index;
	zip_file_t *file;
	int64_t size, left;
};

static bool refuse(struct tree *t, struct intake *in, int file, const char *code, const char *name,
	const char *why)
{
	intake_say(in, INTAKE_ERROR, (struct intake_place){ .file = file, .line = 0 }, NIL, NULL,
		code, "%s%s%s: %s", t->where, name ? ", " : "", name ? name : "", why);
	return false;
}

/* After the last byte, the checksum is verified. */
static int64_t zip_read(struct intake_bytes *b, void *to, size_t n)
{
	struct zip_bytes *z = (struct zip_bytes *)b;
	char more;

	if (!z->file || !intake_goes_on(z->in))
		return -1;
	if (z->left == 0)
		return zip_fread(z->file, &more, 1) == 0 ? 0 : -1;
	if ((int64_t)n > z->left)
		n = (size_t)z->left;
	int64_t got = zip_fread(z->file, to, n);
	if (got <= 0)
		return n ? -1 : 0;
	z->left -= got;
	return got;
}

static bool zip_again(struct intake_bytes *b)
{
	struct zip_bytes *z = (struct zip_bytes *)b;

	if (z->file)
		zip_fclose(z->file);
	z->file = zip_fopen_index(z->zip, z->index, 0);
	z->left = z->size;
	return z->file;
}

static void zip_end(struct tree_bytes *b)
{
	struct zip_bytes *z = (struct zip_bytes *)b;

	if (z->file)
		zip_fclose(z->file);
	free(z);
}

struct tree_bytes *tree_zip_read(struct tree *t, const struct tree_entry *entry)
{
	struct zip_bytes *z = calloc(1, sizeof(*z));

	if (!z)
		log_die("out of memory: %zu bytes", sizeof(*z));
	z->tree = (struct tree_bytes){ { zip_read, zip_again }, zip_end };
	z->in = t->in;
	z->zip = t->zip;
	z->index = (zip_uint64_t)entry->index;
	z->size = entry->size;
	if (zip_again(&z->tree.bytes))
		return &z->tree;
	free(z);
	return NULL;
}

void tree_zip_close(struct tree *t)
{
	if (t->zip)
		zip_discard(t->zip);
	t->zip = NULL;
	tree_zip_names_free(t->names);
	t->names = NULL;
}

static bool is_link(zip_t *zip, zip_uint64_t i)
{
	zip_uint8_t system;
	zip_uint32_t attributes;

	return zip_file_get_external_attributes(zip, i, 0, &system, &attributes) == 0 &&
		system == ZIP_OPSYS_UNIX && S_ISLNK(attributes >> 16);
}

/* Null, or why the file is not read, in words that follow its name. */
static const char *what_is_wrong(zip_t *zip, zip_uint64_t i, const zip_stat_t *st)
{
	const zip_uint64_t needed = ZIP_STAT_SIZE | ZIP_STAT_COMP_SIZE | ZIP_STAT_COMP_METHOD;

	if ((st->valid & needed) != needed || st->size > (zip_uint64_t)1 << 40)
		return "has no length in the archive";
	if (st->encryption_method != ZIP_EM_NONE)
		return "is encrypted: create an archive without a password";
	if (st->comp_method != ZIP_CM_STORE && st->comp_method != ZIP_CM_DEFLATE)
		return "is compressed in an unsupported way: unpack the archive, and import the "
		       "folder";
	return is_link(zip, i) ? "is a link, which an export never contains" : NULL;
}

/* Refuses the archive because of a file that the project is made of. */
static bool refuse_entry(
	struct tree *t, struct intake *in, int file, struct str path, const char *wrong)
{
	char why[200];

	str_print(why, sizeof(why), "this file %s", wrong);
	return refuse(t, in, file, "bad_archive", str_is_text(path) ? path.p : NULL, why);
}

/*
 * Versions of the library differ on a name that is UTF-8 except for control characters: it is taken
 * as stored, and then refused because of them.
 */
static bool is_as_stored(zip_t *zip, zip_uint64_t i, struct str *path)
{
	const char *stored = zip_get_name(zip, i, ZIP_FL_ENC_RAW);

	if (!stored || !str_is_text(str_of(stored)))
		return false;
	*path = str_of(stored);
	return true;
}

/*
 * Old programs of Windows separate folders by backslashes, against the rules of archives. Elsewhere, one is part of a
 * name. (The path becomes the arena's.)
 */
static struct str with_slashes(struct tree *t, zip_uint64_t i, struct str path)
{
	zip_uint8_t system = ZIP_OPSYS_UNIX;
	zip_uint32_t attributes;

	if (!memchr(path.p, '\\', path.n) || memchr(path.p, '/', path.n) ||
		zip_file_get_external_attributes(t->zip, i, 0, &system, &attributes) < 0 ||
		(system != ZIP_OPSYS_DOS && system != ZIP_OPSYS_WINDOWS_NTFS &&
			system != ZIP_OPSYS_VFAT))
		return path;
	char *p = arena_alloc(&t->arena, path.n + 1);
	for (size_t k = 0; k < path.n; k++)
		p[k] = path.p[k];
	p[path.n] = '\0';
	for (char *at = p; (at = strchr(at, '\\'));)
		*at = '/';
	return (struct str){ p, path.n };
}

/* Totals of all files so far. */
struct sums {
	uint64_t packed, size;
};

static bool take(struct tree *t, struct intake *in, int file, zip_uint64_t i, struct sums *sums)
{
	zip_stat_t st;

	if (zip_stat_index(t->zip, i, 0, &st) < 0 || !(st.valid & ZIP_STAT_NAME))
		return refuse(t, in, file, "bad_archive", NULL, zip_strerror(t->zip));
	struct str path = str_of(st.name);
	const bool is_misread =
		tree_zip_names_has(t->names, (int64_t)i) && !is_as_stored(t->zip, i, &path);
	path = with_slashes(t, i, path);
	const char *wrong = what_is_wrong(t->zip, i, &st);
	if (wrong)
		return tree_lose(t, in, file, path, "unreadable", wrong) ||
			refuse_entry(t, in, file, path, wrong);
	sums->packed += st.comp_size;
	sums->size += st.size;
	if (path.n > 1 && path.p[path.n - 1] == '/')
		return true;
	if (is_misread)
		intake_say(in, INTAKE_CHANGED, (struct intake_place){ .file = file }, NIL, NULL,
			"name_changed",
			"%s, %.200s: the archive says that this name is UTF-8, but it is not: it "
			"was read as a DOS name",
			t->where, st.name);
	return tree_add(t, in, file, (struct tree_entry){ path, (int64_t)st.size, (int64_t)i, 0 });
}

static bool take_all(struct tree *t, struct intake *in, int file, int64_t size)
{
	zip_int64_t n = zip_get_num_entries(t->zip, 0);
	struct sums sums = { 0, 0 };

	for (zip_int64_t i = 0; i < n; i++)
		if (!take(t, in, file, (zip_uint64_t)i, &sums))
			return false;
	if (sums.size > TREE_SMALL && sums.size / TREE_RATIO_MAX > (uint64_t)size)
		return refuse(t, in, file, "bad_archive", NULL,
			"unpacked it would be more than 200 times as long: if you trust it, unpack it, and "
			"import the folder");
	if (sums.packed > (uint64_t)size)
		return refuse(t, in, file, "bad_archive", NULL,
			"its files overlap: this is not an export");
	tree_sort(t);
	return true;
}

/* On failure, false and what the library says. */
static bool open_archive(
	struct tree *t, const char *path, const struct file_bytes *bytes, char *why, size_t size)
{
	zip_source_t *source = NULL;
	zip_error_t error;
	int code = 0;

	zip_error_init(&error);
	t->names = tree_zip_names(bytes->fd, bytes->size);
	if (t->names->alike > TREE_ZIP_ALIKE_MAX) {
		str_print(why, size, "too many of its names are the same or alike");
		zip_error_fini(&error);
		return false;
	}
	if (t->names->n) {
		source = tree_zip_names_source(t->names, bytes->fd, bytes->size, &error);
		t->zip = source ? zip_open_from_source(source, ZIP_RDONLY, &error) : NULL;
		if (source && !t->zip)
			zip_source_free(source);
	} else {
		t->zip = zip_open(path, ZIP_RDONLY, &code);
		if (!t->zip)
			zip_error_init_with_code(&error, code);
	}
	if (!t->zip)
		str_print(why, size, "%s", zip_error_strerror(&error));
	zip_error_fini(&error);
	return t->zip;
}

bool tree_open_zip(struct tree *t, struct intake *in, int file, const char *path)
{
	struct file_bytes bytes;
	char why[200] = "";

	*t = (struct tree){ .where = path, .in = in, .folder = -1 };
	if (!file_bytes_open(&bytes, path))
		return refuse(t, in, file, "unreadable", NULL, "it cannot be read");
	const char *wrong = tree_zip_check(bytes.fd, bytes.size);
	if (!wrong && !open_archive(t, path, &bytes, why, sizeof(why)))
		wrong = why;
	file_bytes_close(&bytes);
	if (wrong)
		return refuse(t, in, file, "bad_archive", NULL, wrong);
	return take_all(t, in, file, bytes.size);
}
