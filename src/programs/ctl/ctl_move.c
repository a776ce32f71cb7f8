/*
 * planwrightctl files move: copies what TO does not have yet, so it can be interrupted and
 * repeated. Files are never rewritten: the same name with the same size is the same file. Files are
 * deleted from FROM only once the setting `files` names TO, so no running server loses a file.
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "programs/ctl/ctl_inventory.h"
#include "service/conf_check.h"

enum { PIECE = 64 * 1024 };

struct moving {
	struct ctl *c;
	struct files from, to;
	long long copied, present, deleted;
};

/* The name as the settings see it: a slash at its end does not make it another folder. */
static const char *name_of(struct ctl *c, const char *word)
{
	struct str name = str_of(word);
	const char *problem = conf_check_text("files", word);
	if (problem)
		ctl_fail(c, "files move: %s %s", word, problem);
	while (name.n > 1 && name.p[name.n - 1] == '/')
		name.n--;
	return arena_str(&c->arena, name).p;
}

/* A folder may have several names, and what TO has is deleted from FROM. */
static bool is_same(const struct files *from, const struct files *to)
{
	struct stat a, b;
	if (from->store.endpoint || to->store.endpoint)
		return !strcmp(from->name, to->name);
	return !stat(from->folder, &a) && !stat(to->folder, &b) && a.st_dev == b.st_dev &&
		a.st_ino == b.st_ino;
}

static void check_places(const struct moving *m)
{
	struct ctl *c = m->c;
	bool has_store = m->from.store.endpoint || m->to.store.endpoint;
	if (is_same(&m->from, &m->to))
		ctl_fail(c, "files move: %s is both FROM and TO", m->from.name);
	if (has_store &&
		(!*c->conf.s3_endpoint || !*c->conf.s3_access_key || !*c->conf.s3_secret_key))
		ctl_fail(c,
			"files move: set s3_endpoint, s3_access_key and s3_secret_key for the object store");
	if (!m->from.store.endpoint && access(m->from.folder, R_OK | X_OK))
		ctl_fail(c,
			"files move: %s: %m: name the folder that has the files, and run this as the user of the workers",
			m->from.folder);
}

static bool copy_bytes(int from, int to)
{
	static char piece[PIECE];
	ssize_t n;
	while ((n = read(from, piece, sizeof piece)) > 0)
		if (!files_write(to, piece, (size_t)n))
			return false;
	return n == 0;
}

/* Puts a file into a folder by way of its tmp/; a store takes it from where it is. */
static bool put(struct moving *m, int fd, const char *place)
{
	struct files_temp t = { .fd = fd };
	if (!m->to.store.endpoint) {
		if (!files_open_temp(m->to.folder, &t) || !copy_bytes(fd, t.fd)) {
			str_print(m->to.problem.text, sizeof m->to.problem.text,
				"cannot write below %s: %s", m->to.folder, strerror(errno));
			files_drop_temp(&t);
			close(fd);
			return false;
		}
		close(fd);
	}
	bool ok = files_put_at(&m->to, &t, place);
	files_drop_temp(&t);
	return ok;
}

static void fail_copy(const struct moving *m, const char *problem)
{
	ctl_fail(m->c,
		"files move: %s: %lld files were copied; give the same command again for the "
		"others",
		problem, m->copied);
}

static void copy(struct moving *m, const char *place)
{
	int fd = files_read(&m->from, place);
	/* A sweep may have deleted it first. */
	if (fd < 0 && m->from.problem.is_missing)
		return;
	if (fd < 0)
		fail_copy(m, m->from.problem.text);
	if (!put(m, fd, place))
		fail_copy(m, m->to.problem.text);
	m->copied++;
}

static void copy_all(struct moving *m, const struct ctl_inventory *have)
{
	const struct ctl_inventory there = ctl_inventory_take(m->c, &m->to);
	for (size_t i = 0; i < have->n; i++) {
		const struct ctl_inventory_file *f = &have->files[i],
						*same = ctl_inventory_find(&there, f->place);
		if (same && same->size == f->size)
			m->present++;
		else
			copy(m, f->place);
	}
}

/* Deletes from FROM what TO has by now, and nothing else. */
static void delete_all(struct moving *m, const struct ctl_inventory *have)
{
	const struct ctl_inventory there = ctl_inventory_take(m->c, &m->to);
	for (size_t i = 0; i < have->n; i++) {
		const struct ctl_inventory_file *f = &have->files[i],
						*same = ctl_inventory_find(&there, f->place);
		if (!same || same->size != f->size)
			continue;
		if (!files_drop(&m->from, f->place))
			ctl_fail(m->c,
				"files move: %s: give the same command again for the "
				"others",
				m->from.problem.text);
		m->deleted++;
	}
}

/* The files of unfinished imports stay where they were uploaded, for an importer. */
static long long count_imports(struct ctl *c)
{
	struct rows *rows = ctl_query(c,
		"select count(*) from project_import where state in ('queued', 'running')", 0,
		NULL);
	long long n = db_get_int(rows, 0, 0);
	ctl_commit(c);
	return n;
}

static void say_next(const struct moving *m)
{
	long long imports = count_imports(m->c);
	if (imports)
		printf("%lld imports are waiting or running, and their files are not moved: let "
		       "them finish first\n",
			imports);
	printf("now set files = %s, restart the services on all hosts, and give the same command "
	       "once more: it copies what was added in the meantime and deletes what %s "
	       "has\n",
		m->to.name, m->from.name);
}

void ctl_files_move(struct ctl *c)
{
	struct moving m = { .c = c };
	m.from = files_at(&c->conf, name_of(c, c->words[0]));
	m.to = files_at(&c->conf, name_of(c, c->words[1]));
	check_places(&m);
	const struct ctl_inventory have = ctl_inventory_take(c, &m.from);
	copy_all(&m, &have);
	bool is_last = !strcmp(name_of(c, c->conf.files), m.to.name);
	if (is_last)
		delete_all(&m, &have);
	printf("%lld files copied to %s, which already had %lld; %lld deleted from %s\n", m.copied,
		m.to.name, m.present, m.deleted, m.from.name);
	if (!is_last)
		say_next(&m);
}
