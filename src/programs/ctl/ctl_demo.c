/*
 * planwrightctl demo: its people, their secrets and the file that lists them; demo_play.c makes
 * things happen. Everything is one transaction, in which the requests run. The file gets its final
 * name only once the load is durable.
 */
#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "lib/json.h"
#include "lib/sync.h"
#include "domain/person.h"
#include "model/things.h"
#include "programs/ctl/demo.h"

/* "demo" as a number: the key of the advisory lock that keeps two loads apart. */
#define LOCK_KEY "1684368751"

static const struct {
	const char *username, *name, *initials;
} people[DEMO_PEOPLE] = {
	[DEMO_OWNER] = { "owner", "Olga Owner", "OO" },
	[DEMO_MEMBER] = { "member", "Max Member", "MM" },
	[DEMO_VIEWER] = { "viewer", "Vera Viewer", "VV" },
	[DEMO_STRANGER] = { "stranger", "Stan Stranger", "SS" },
};

struct secrets {
	struct str username, email, password, token;
};

/* Opens the transaction that everything is loaded in, on a connection that requests can use. */
static void begin(struct ctl *c, struct demo *d)
{
	ctl_requests_begin(c);
	ctl_query(c, "select pg_advisory_xact_lock(" LOCK_KEY ")", 0, NULL);
	struct rows *rows = ctl_query(c,
		"select now(), (date_trunc('week', now() at time zone 'UTC') - interval '49 days')"
		" at time zone 'UTC'",
		0, NULL);
	d->now = db_get_time(rows, 0, 0);
	d->begin = db_get_time(rows, 0, 1);
}

/* A demo does not belong on a server that people work on. */
static void check_people(struct ctl *c)
{
	struct str *emails = arena_array(&c->arena, DEMO_PEOPLE, sizeof *emails);
	for (int i = 0; i < DEMO_PEOPLE; i++)
		emails[i] = arena_printf(&c->arena, "%s@demo.example", people[i].username);
	const struct db_param param = db_texts(&c->arena, emails, DEMO_PEOPLE);
	struct rows *rows = ctl_query(c,
		"select count(*) from person where lower(email) <> all($1::text[]) "
		"or removed_at is not null",
		1, &param);
	long long n = (long long)db_get_int(rows, 0, 0);
	if (n > 0 && !c->options[CTL_FORCE])
		ctl_fail(c, "demo: the database has %lld other %s: use an empty one, or --force", n,
			n == 1 ? "person" : "people");
}

/* Creates those who do not exist yet. */
static void load_people(struct ctl *c, struct demo *d, struct secrets secrets[DEMO_PEOPLE])
{
	c->at = d->begin;
	for (int i = 0; i < DEMO_PEOPLE; i++) {
		struct str email = arena_printf(&c->arena, "%s@demo.example", people[i].username);
		struct db_param param = db_text(&c->arena, email);
		struct rows *rows = ctl_query(
			c, "select id, username from person where lower(email) = $1", 1, &param);
		secrets[i].email = email;
		secrets[i].username = str_of(people[i].username);
		if (db_count(rows) > 0) {
			d->people[i] = db_get_int(rows, 0, 0);
			secrets[i].username = arena_str(&c->arena, db_get_text(rows, 0, 1));
			continue;
		}
		const struct person_ref ref = { .id = NIL,
			.email = email,
			.name = str_of(people[i].name),
			.initials = str_of(people[i].initials) };
		d->people[i] = ctl_new_person(c, &ref, people[i].username)->id;
	}
	c->at = 0;
	for (int i = 0; i < DEMO_PEOPLE; i++) {
		d->usernames[i] = secrets[i].username;
		secrets[i].password = crypt_password(&c->arena);
		ctl_set_password(c, d->people[i], secrets[i].password);
		secrets[i].token = ctl_new_token(c, d->people[i]);
	}
}

static int64_t find_project(struct ctl *c, int64_t account, const char *name)
{
	struct rows *rows = ctl_query(c,
		"select id from project where account_id = $1 and name = $2 order by id limit 1", 2,
		(struct db_param[]){ db_int(&c->arena, account), ctl_param(c, name) });
	if (db_count(rows) == 0)
		ctl_fail(c,
			"demo: it was loaded before, and its projects have been renamed or deleted since: use an empty database");
	return db_get_int(rows, 0, 0);
}

/* Makes rows that have the database's own time as old as the demo. */
static void make_older(struct ctl *c, const struct demo *d)
{
	ctl_query(c,
		"with p as (update person set created_at = $1 where id = any($2)), "
		"m as (update account_membership set created_at = $1, updated_at = $1 "
		"where account_id = $3) "
		"update account set created_at = $1, updated_at = $1 where id = $3",
		3,
		(struct db_param[]){ db_time(&c->arena, d->begin),
			db_ids(&c->arena, d->people, DEMO_PEOPLE), db_int(&c->arena, d->account) });
}

/* Finds the account and its projects, or creates them. */
static void load_projects(struct ctl *c, struct demo *d)
{
	struct rows *rows = ctl_query(c,
		"select account_id from account_membership where person_id = $1 and owner "
		"order by account_id limit 1",
		1, (struct db_param[]){ db_int(&c->arena, d->people[DEMO_OWNER]) });
	if (db_count(rows) > 0) {
		d->account = db_get_int(rows, 0, 0);
		d->project = find_project(c, d->account, DEMO_PROJECT);
		d->public_project = find_project(c, d->account, DEMO_PUBLIC_PROJECT);
		return;
	}
	c->at = d->begin;
	d->account = ctl_new_account(c, "Demo", d->people[DEMO_OWNER])->id;
	demo_play(c, d);
	c->at = 0;
	make_older(c, d);
}

static struct str describe(struct ctl *c, const struct demo *d, const struct secrets *secrets)
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
	for (int i = 0; i < DEMO_PEOPLE; i++) {
		const struct secrets *p = &secrets[i];
		json_key(&j, people[i].username);
		json_object(&j);
		json_key(&j, "id");
		json_int(&j, d->people[i]);
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

/* Renaming over a device would replace it, too. */
static void check_out(struct ctl *c, const char *name)
{
	struct stat st;

	if (lstat(name, &st) == 0 && !S_ISREG(st.st_mode))
		ctl_fail(c, "demo: %s is not a regular file: name another one with --out", name);
}

/*
 * Writes a new file next to the final one, readable only by its owner; false and errno on failure.
 */
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
	return sync_folder(dirname(arena_chars(&c->arena, str_of(name))));
}

/* Fails because a step of writing the file failed, and leaves no file behind. */
static void fail_file(struct ctl *c, const char *name, const char *remove_too)
	__attribute__((noreturn));

static void fail_file(struct ctl *c, const char *name, const char *remove_too)
{
	int saved = errno;

	unlink(remove_too);
	ctl_fail(c, "demo: cannot write %s: %s: free space or name another file with --out", name,
		strerror(saved));
}

void ctl_demo(struct ctl *c)
{
	const char *out = c->options[CTL_OUT] ? c->options[CTL_OUT] : "demo.json";
	struct str temporary = arena_printf(&c->arena, "%s.%ld", out, (long)getpid());
	struct demo d = { 0 };
	struct secrets secrets[DEMO_PEOPLE] = { 0 };

	check_out(c, out);
	begin(c, &d);
	check_people(c);
	load_people(c, &d, secrets);
	load_projects(c, &d);
	if (!write_file(temporary.p, describe(c, &d, secrets)))
		fail_file(c, temporary.p, temporary.p);
	ctl_commit(c);
	if (db_script(c->db, "commit")) {
		unlink(temporary.p);
		ctl_fail_db(c);
	}
	if (rename(temporary.p, out) != 0 || !sync_folder_of(c, out))
		fail_file(c, out, temporary.p);
	printf("the demo is loaded; %s has its addresses, passwords and tokens\n", out);
}
