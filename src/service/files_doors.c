#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "lib/when.h"
#include "service/files_folder.h"

/* Places ---------------------------------------------------------------------------------- */

const char *files_folder(const struct conf *conf)
{
	return conf_has_store(conf) ? conf->files_spool : conf->files;
}

struct files files_at(const struct conf *conf, const char *name)
{
	struct files f = { .name = name, .folder = name };
	struct str rest = str_of(name);
	if (!conf_is_store(name))
		return f;
	rest.p += sizeof CONF_STORE_MARK - 1;
	rest.n -= sizeof CONF_STORE_MARK - 1;
	struct str bucket = str_cut(&rest, '/');
	f.folder = conf->files_spool;
	f.store = (struct s3){ .endpoint = conf->s3_endpoint,
		.region = conf->s3_region,
		.access_key = conf->s3_access_key,
		.secret_key = conf->s3_secret_key,
		.bucket = bucket,
		.prefix = rest };
	return f;
}

struct files files_of(const struct conf *conf)
{
	return files_at(conf, conf->files);
}

void files_bound(struct files *f, int seconds)
{
	f->store.patience_s = seconds;
}

static bool is_store(const struct files *f)
{
	return f->store.endpoint != NULL;
}

/* Why a call to the folder failed. */
static bool fail(struct files *f, const char *what, const char *place)
{
	f->problem.is_missing = false;
	str_print(f->problem.text, sizeof f->problem.text, "%s %s/%s: %s", what, f->folder, place,
		strerror(errno));
	return false;
}

/* Putting … --------------------------------------------------------------------------------- */

bool files_put_at(struct files *f, struct files_temp *t, const char *place)
{
	if (!is_store(f))
		return files_folder_put(f->folder, t, place) || fail(f, "cannot write", place);
	if (!s3_put(&f->store, place, t->fd, &f->problem))
		return false;
	files_drop_temp(t);
	return true;
}

bool files_keep(struct files *f, struct files_temp *t, int64_t id, const char *suffix)
{
	char place[FILES_PLACE_MAX];
	files_place(place, id, suffix);
	return files_put_at(f, t, place);
}

/* The web server finds the folder at /-/files/, and the store's endpoint at /-/store/. */
struct files_given files_give(const struct files *f, struct arena *a, const char *place)
{
	if (!is_store(f))
		return (struct files_given){ .address = arena_printf(a, "/-/files/%s", place) };
	struct s3_signed given = s3_sign(&f->store, a, place, when_now() / 1000000);
	return (struct files_given){ arena_printf(a, "/-/store%s", given.path.p), given.headers };
}

static int fetch(struct files *f, const char *place)
{
	struct files_temp t;
	if (!files_open_temp(f->folder, &t)) {
		fail(f, "cannot write", "tmp");
		files_drop_temp(&t);
		errno = EIO;
		return -1;
	}
	unlink(t.path);
	if (s3_get(&f->store, place, t.fd, &f->problem) && !lseek(t.fd, 0, SEEK_SET))
		return t.fd;
	close(t.fd);
	errno = f->problem.is_missing ? ENOENT : EIO;
	return -1;
}

int files_read(struct files *f, const char *place)
{
	char path[FILES_PATH_MAX + FILES_PLACE_MAX];
	if (is_store(f))
		return fetch(f, place);
	str_print(path, sizeof path, "%s/%s", f->folder, place);
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
	if (fd < 0) {
		fail(f, "cannot read", place);
		f->problem.is_missing = errno == ENOENT;
	}
	return fd;
}

bool files_drop(struct files *f, const char *place)
{
	char path[FILES_PATH_MAX + FILES_PLACE_MAX];
	if (is_store(f) && strncmp(place, "tmp/", 4) != 0)
		return s3_delete(&f->store, place, &f->problem);
	str_print(path, sizeof path, "%s/%s", f->folder, place);
	return !unlink(path) || errno == ENOENT || fail(f, "cannot delete", place);
}
