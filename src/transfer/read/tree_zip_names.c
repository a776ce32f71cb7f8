#include "transfer/read/tree_zip_names.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "lib/log.h"
#include "lib/str.h"
#include "transfer/read/tree_zip_check.h"

/* A file in the list (APPNOTE.TXT, 4.3.12), and bit 11 of its flags. */
enum { HEAD = 46, FLAGS = 9, SAYS_UTF8 = 1 << 3, PLACES = 1 << 17 };

static void *need(void *p)
{
	if (!p)
		log_die("out of memory: an archive's list");
	return p;
}

static void add(struct tree_zip_names *names, int64_t index, int64_t at)
{
	if ((names->n & (names->n - 1)) == 0)
		names->odd = need(
			realloc(names->odd, (names->n ? 2 * names->n : 1) * sizeof(*names->odd)));
	names->odd[names->n++] = (struct tree_zip_odd){ index, at };
}

/* What the library takes for UTF-8: nothing with control characters. */
static bool is_utf8(struct str s)
{
	for (size_t i = 0; i < s.n; i++)
		if ((unsigned char)s.p[i] < 0x20 && !strchr("\t\r\n", s.p[i]))
			return false;
	return str_is_text(s);
}

/* Counts a name at its place in a table like the library's. */
static void count_alike(struct tree_zip_names *names, uint32_t *places, struct str name)
{
	uint32_t hash = 5381;

	for (size_t i = 0; i < name.n; i++)
		hash = hash * 33 + (unsigned char)name.p[i];
	const uint32_t n = ++places[hash & (PLACES - 1)];
	if (n > names->alike)
		names->alike = n;
}

static void look(struct tree_zip_names *names, uint32_t *places, const unsigned char *list,
	size_t n, int64_t at)
{
	int64_t index = 0;

	for (size_t i = 0; i + HEAD <= n && memcmp(list + i, "PK\1\2", 4) == 0; index++) {
		const unsigned char *p = list + i;
		const size_t name = (size_t)tree_zip_little(p + 28, 2);
		const size_t extra = (size_t)tree_zip_little(p + 30, 2);
		const size_t comment = (size_t)tree_zip_little(p + 32, 2);

		if (name + extra + comment > n - i - HEAD)
			return;
		const struct str texts[] = { { (const char *)p + HEAD, name },
			{ (const char *)p + HEAD + name + extra, comment } };
		if ((p[FLAGS] & SAYS_UTF8) && (!is_utf8(texts[0]) || !is_utf8(texts[1])))
			add(names, index, at + (int64_t)i + FLAGS);
		count_alike(names, places, texts[0]);
		i += HEAD + name + extra + comment;
	}
}

struct tree_zip_names *tree_zip_names(int fd, int64_t size)
{
	struct tree_zip_names *names = need(calloc(1, sizeof(*names)));
	struct tree_zip_list where = tree_zip_list(fd, size);
	unsigned char *list = where.n ? need(malloc(where.n)) : NULL;
	uint32_t *places = need(calloc(PLACES, sizeof(*places)));

	if (list && pread(fd, list, where.n, (off_t)where.at) == (ssize_t)where.n)
		look(names, places, list, where.n, where.at);
	free(list);
	free(places);
	return names;
}

void tree_zip_names_free(struct tree_zip_names *names)
{
	if (names)
		free(names->odd);
	free(names);
}

/* The first one at or after `at`. */
static size_t first_from(const struct tree_zip_names *names, int64_t at)
{
	size_t low = 0, high = names->n;

	while (low < high) {
		const size_t middle = low + (high - low) / 2;

		if (names->odd[middle].at < at)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

static int by_index(const void *a, const void *b)
{
	const int64_t x = ((const struct tree_zip_odd *)a)->index;
	const int64_t y = ((const struct tree_zip_odd *)b)->index;

	return (x > y) - (x < y);
}

bool tree_zip_names_has(const struct tree_zip_names *names, int64_t index)
{
	const struct tree_zip_odd wanted = { .index = index };

	return names->n && bsearch(&wanted, names->odd, names->n, sizeof(wanted), by_index);
}

/* The source ------------------------------------------------------------------------------ */

struct source {
	const struct tree_zip_names *names;
	int fd;
	int64_t size, at;
	zip_error_t error;
};

static zip_int64_t read_some(struct source *s, void *to, zip_uint64_t n)
{
	const ssize_t got = pread(s->fd, to, (size_t)n, (off_t)s->at);

	if (got < 0) {
		zip_error_set(&s->error, ZIP_ER_READ, 0);
		return -1;
	}
	for (size_t i = first_from(s->names, s->at);
		i < s->names->n && s->names->odd[i].at < s->at + got; i++)
		((unsigned char *)to)[s->names->odd[i].at - s->at] &= (unsigned char)~SAYS_UTF8;
	s->at += got;
	return got;
}

static zip_int64_t seek(struct source *s, void *data, zip_uint64_t n)
{
	const zip_int64_t at = zip_source_seek_compute_offset(
		(zip_uint64_t)s->at, (zip_uint64_t)s->size, data, n, &s->error);

	if (at < 0)
		return -1;
	s->at = at;
	return 0;
}

static zip_int64_t say_size(const struct source *s, zip_stat_t *st)
{
	zip_stat_init(st);
	st->valid = ZIP_STAT_SIZE;
	st->size = (zip_uint64_t)s->size;
	return sizeof(*st);
}

static zip_int64_t answer(void *arg, void *data, zip_uint64_t n, zip_source_cmd_t command)
{
	struct source *s = arg;

	switch (command) {
	case ZIP_SOURCE_OPEN: s->at = 0; return 0;
	case ZIP_SOURCE_CLOSE: return 0;
	case ZIP_SOURCE_READ: return read_some(s, data, n);
	case ZIP_SOURCE_SEEK: return seek(s, data, n);
	case ZIP_SOURCE_TELL: return s->at;
	case ZIP_SOURCE_STAT: return say_size(s, data);
	case ZIP_SOURCE_ERROR: return zip_error_to_data(&s->error, data, n);
	case ZIP_SOURCE_FREE:
		close(s->fd);
		free(s);
		return 0;
	case ZIP_SOURCE_SUPPORTS:
		return zip_source_make_command_bitmap(ZIP_SOURCE_OPEN, ZIP_SOURCE_READ,
			ZIP_SOURCE_CLOSE, ZIP_SOURCE_STAT, ZIP_SOURCE_ERROR, ZIP_SOURCE_FREE,
			ZIP_SOURCE_SEEK, ZIP_SOURCE_TELL, ZIP_SOURCE_SUPPORTS, -1);
	default: zip_error_set(&s->error, ZIP_ER_OPNOTSUPP, 0); return -1;
	}
}

zip_source_t *tree_zip_names_source(
	const struct tree_zip_names *names, int fd, int64_t size, zip_error_t *error)
{
	struct source *s = need(calloc(1, sizeof(*s)));

	s->names = names;
	s->fd = fcntl(fd, F_DUPFD_CLOEXEC, 0);
	s->size = size;
	zip_error_init(&s->error);
	zip_source_t *source = s->fd < 0 ? NULL : zip_source_function_create(answer, s, error);
	if (!source) {
		if (s->fd >= 0)
			close(s->fd);
		free(s);
	}
	return source;
}
