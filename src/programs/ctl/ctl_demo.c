/*
 * planwrightctl demo: sql/demo.sql loads it, here are its secrets and the file
 * that tells them. The file has its last name only when the load is durable.
 */
#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "programs/ctl/ctl.h"
#include "lib/json.h"
#include "db/schema.h"

enum { PEOPLE = 4 };

/* "demo" as a number: the key of the advisory lock of two loads at once. */
#define LOCK_KEY "1684368751"

struct person {
	struct str role;
	int64_t id;
	struct str username, email, password, token;
};

struct demo {
	struct person people[PEOPLE];
	int64_t account, project, public_project;
};

/* Its functions, which live as long as the connection. */
static void make_functions(struct ctl *c)
{
	const char *sql = NULL;

	for (size_t i = 0; i < schema_files_count; i++) {
		if (strcmp(schema_files[i].name, CTL_DEMO_SQL) == 0)
			sql = schema_files[i].text;
	}
	if (!sql)
		ctl_fail(c, "this program was built without sql/demo.sql");
	ctl_connect(c);
	if (db_script(c->db, "set statement_timeout = 0; set synchronous_commit = on;") ||
		db_script(c->db, sql))
		ctl_fail_db(c);
}

static void load_people(struct ctl *c, struct demo *d)
{
	struct rows *rows = ctl_query(
		c, "select role, id, username, email from pg_temp.demo_people()", 0, NULL);

	if (db_count(rows) != PEOPLE)
		ctl_fail(c, "demo: %d people were made, not %d: use an empty database",
			db_count(rows), PEOPLE);
	for (int i = 0; i < PEOPLE; i++) {
		struct person *p = &d->people[i];
		p->role = arena_str(&c->arena, db_get_text(rows, i, 0));
		p->id = db_get_int(rows, i, 1);
		p->username = arena_str(&c->arena, db_get_text(rows, i, 2));
		p->email = arena_str(&c->arena, db_get_text(rows, i, 3));
		p->password = crypt_password(&c->arena);
		ctl_set_password(c, p->id, p->password);
		p->token = ctl_new_token(c, p->id);
	}
}

static void load_projects(struct ctl *c, struct demo *d)
{
	struct rows *rows = ctl_query(c,
		"select account_id, project_id, public_project_id from pg_temp.demo_load()", 0,
		NULL);

	if (db_is_null(rows, 0, 1) || db_is_null(rows, 0, 2))
		ctl_fail(c,
			"demo: it was loaded before, and its projects were renamed or deleted since: "
			"use an empty database");
	d->account = db_get_int(rows, 0, 0);
	d->project = db_get_int(rows, 0, 1);
	d->public_project = db_get_int(rows, 0, 2);
}

static struct str describe(struct ctl *c, const struct demo *d)
{
	struct buf b = { 0 };
	struct json j;

	json_init(&j, &b);
	json_object(&j);
	json_key(&j, "base_url");
	json_z(&j, c->conf.base_url);
	json_key(&j, "account_id");
	json_int(&j, d->account);
	json_key(&j, "project_id");
	json_int(&j, d->project);
	json_key(&j, "public_project_id");
	json_int(&j, d->public_project);
	json_key(&j, "people");
	json_object(&j);
	for (int i = 0; i < PEOPLE; i++) {
		const struct person *p = &d->people[i];
		json_key_str(&j, p->role);
		json_object(&j);
		json_key(&j, "id");
		json_int(&j, p->id);
		json_key(&j, "username");
		json_str(&j, p->username);
		json_key(&j, "email");
		json_str(&j, p->email);
		json_key(&j, "password");
		json_str(&j, p->password);
		json_key(&j, "token");
		json_str(&j, p->token);
		json_object_end(&j);
	}
	json_object_end(&j);
	json_object_end(&j);
	buf_put_char(&b, '\n');
	struct str text = arena_str(&c->arena, buf_str(&b));
	buf_free(&b);
	return text;
}

/* A rename would replace a device, too. */
static void check_out(struct ctl *c, const char *name)
{
	struct stat st;

	if (lstat(name, &st) == 0 && !S_ISREG(st.st_mode))
		ctl_fail(c, "demo: %s is no file: name another one with --out", name);
}

/* A new file beside the last one, readable by its owner only; false and errno. */
static bool write_file(const char *name, struct str text)
{
	int fd = open(name, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);

	if (fd < 0)
		return false;
	bool ok = true;
	while (ok && text.n > 0) {
		ssize_t done = write(fd, text.p, text.n);
		ok = done >= 0 || errno == EINTR;
		if (done > 0) {
			text.p += done;
			text.n -= (size_t)done;
		}
	}
	ok = ok && fsync(fd) == 0;
	int saved = errno;
	close(fd);
	errno = saved;
	return ok;
}

static bool sync_folder_of(struct ctl *c, const char *name)
{
	struct str copy = arena_str(&c->arena, str_of(name));
	int fd = open(dirname((char *)copy.p), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	bool ok = fd >= 0 && fsync(fd) == 0;

	if (fd >= 0)
		close(fd);
	return ok;
}

/* Ends with the failure of a step of writing the file, and leaves none behind. */
static void fail_file(struct ctl *c, const char *name, const char *remove_too)
	__attribute__((noreturn));

static void fail_file(struct ctl *c, const char *name, const char *remove_too)
{
	int saved = errno;

	unlink(remove_too);
	ctl_fail(c, "demo: %s cannot be written: %s: make room or name another file with --out",
		name, strerror(saved));
}

void ctl_demo(struct ctl *c)
{
	const char *out = c->options[CTL_OUT] ? c->options[CTL_OUT] : "demo.json";
	struct str temporary = arena_printf(&c->arena, "%s.%ld", out, (long)getpid());
	struct demo d = { 0 };

	check_out(c, out);
	make_functions(c);
	ctl_query(c, "select pg_advisory_xact_lock(" LOCK_KEY ")", 0, NULL);
	load_people(c, &d);
	load_projects(c, &d);
	if (!write_file(temporary.p, describe(c, &d)))
		fail_file(c, temporary.p, temporary.p);
	db_commit(c->db);
	if (db_finish(c->db)) {
		unlink(temporary.p);
		ctl_fail_db(c);
	}
	if (rename(temporary.p, out) != 0 || !sync_folder_of(c, out))
		fail_file(c, out, temporary.p);
	printf("the demo is loaded; %s holds its addresses, passwords and tokens\n", out);
}
