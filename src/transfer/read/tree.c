#include "transfer/read/tree.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "lib/log.h"
#include "transfer/read/file_bytes.h"

struct folder_bytes {
	struct tree_bytes tree;
	struct intake *in;
	struct file_bytes file;
};

static int64_t folder_read(struct intake_bytes *b, void *to, size_t n)
{
	struct folder_bytes *f = (struct folder_bytes *)b;

	return intake_goes_on(f->in) ? f->file.bytes.read(&f->file.bytes, to, n) : -1;
}

static bool folder_rewind(struct intake_bytes *b)
{
	struct file_bytes *file = &((struct folder_bytes *)b)->file;

	return file->bytes.rewind(&file->bytes);
}

static void folder_close(struct tree_bytes *b)
{
	file_bytes_close(&((struct folder_bytes *)b)->file);
	free(b);
}

struct tree_bytes *tree_read(struct tree *t, const struct tree_entry *entry)
{
	struct folder_bytes *b;

	if (++t->entries[entry - t->entries].reads > TREE_READS_MAX)
		return NULL;
	if (t->zip)
		return tree_zip_read(t, entry);
	b = malloc(sizeof(*b));
	if (!b)
		log_die("out of memory: %zu bytes", sizeof(*b));
	b->in = t->in;
	b->tree = (struct tree_bytes){ { folder_read, folder_rewind }, folder_close };
	if (file_bytes_open_below(&b->file, t->folder, entry->path.p))
		return &b->tree;
	free(b);
	return NULL;
}

void tree_close(struct tree *t)
{
	tree_zip_close(t);
	if (t->folder >= 0)
		close(t->folder);
	free(t->entries);
	arena_free(&t->arena);
	*t = (struct tree){ .folder = -1 };
}
