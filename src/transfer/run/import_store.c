#include "transfer/run/import_store.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "lib/buf.h"

enum { OLD_S = 60 * 60, BELOW_MAX = 40 };

/* Collects names, each with a NUL: objects are requested once the store has listed them all. */
static void note_name(void *to, const struct s3_object *o)
{
	buf_put(to, o->name, strlen(o->name) + 1);
}

static bool list(struct files *f, int64_t id, struct buf *names)
{
	char below[BELOW_MAX];
	str_print(below, sizeof below, "import/%lld/", (long long)id);
	return s3_list(&f->store, below, note_name, names, &f->problem);
}

static const char *next_name(const struct buf *names, size_t *at)
{
	const char *name = names->p + *at;
	if (*at >= names->n)
		return NULL;
	*at += strlen(name) + 1;
	return name;
}

static bool fetch(struct files *f, const char *name, const char *folder)
{
	char path[FILES_PATH_MAX];
	str_print(path, sizeof path, "%s/%s", folder, strrchr(name, '/') + 1);
	int fd = open(path, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
	bool ok = fd >= 0 && s3_get(&f->store, name, fd, &f->problem);
	if (fd < 0)
		str_print(f->problem.text, sizeof f->problem.text, "%s cannot be written: %s", path,
			strerror(errno));
	else
		close(fd);
	return ok;
}

bool import_store_fetch(struct files *f, int64_t id, const char *folder)
{
	struct buf names = { 0 };
	size_t at = 0;
	bool ok = list(f, id, &names);
	for (const char *name; ok && (name = next_name(&names, &at));)
		ok = fetch(f, name, folder);
	buf_free(&names);
	return ok;
}

bool import_store_delete(struct files *f, int64_t id)
{
	struct buf names = { 0 };
	size_t at = 0;
	bool ok = list(f, id, &names);
	for (const char *name; ok && (name = next_name(&names, &at));)
		ok = s3_delete(&f->store, name, &f->problem);
	buf_free(&names);
	return ok;
}

struct walk {
	void (*each)(void *to, int64_t id);
	void *to;
	int64_t last, before_s;
};

/* The files of an import are listed one after the other. */
static void tell(void *of, const struct s3_object *o)
{
	struct walk *w = of;
	struct str rest = str_of(o->name);
	int64_t id;
	str_cut(&rest, '/');
	if (!rest.p || !str_to_int(str_cut(&rest, '/'), &id) || id <= 0 || id == w->last ||
		o->changed_s > w->before_s)
		return;
	w->last = id;
	w->each(w->to, id);
}

bool import_store_walk(struct files *f, void (*each)(void *to, int64_t id), void *to)
{
	struct walk w = { each, to, 0, time(NULL) - OLD_S };
	return s3_list(&f->store, "import/", tell, &w, &f->problem);
}
