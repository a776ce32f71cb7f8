#include <errno.h>
#include <string.h>

#include "service/files_folder.h"

struct walk {
	void (*each)(void *to, const struct files_found *found);
	void *to;
};

/* "0a/10" and "0a/10.big" belong to 10; -1: not the place of a file. */
static int64_t id_of(const char *name)
{
	char place[FILES_PLACE_MAX];
	struct str rest = str_of(name);
	int64_t id;
	str_cut(&rest, '/');
	if (!rest.p || !str_to_int(str_cut(&rest, '.'), &id) || id <= 0)
		return -1;
	files_place(place, id, rest.p);
	return strcmp(place, name) ? -1 : id;
}

/* Anything with another name is not ours. */
static void tell(void *of, const struct s3_object *o)
{
	const struct walk *w = of;
	const struct files_found found = { o->name, id_of(o->name), o->size, o->changed_s };
	if (found.id > 0 || files_is_test(o->name))
		w->each(w->to, &found);
}

bool files_walk(struct files *f, void (*each)(void *to, const struct files_found *found), void *to)
{
	struct walk w = { each, to };
	if (f->store.endpoint)
		return s3_list(&f->store, "", tell, &w, &f->problem);
	if (files_folder_walk(f->folder, each, to))
		return true;
	str_print(f->problem.text, sizeof f->problem.text, "%s cannot be read: %s", f->folder,
		strerror(errno));
	return false;
}
