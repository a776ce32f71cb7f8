/*
 * planwrightctl restore: checks everything before changing anything. Files come first, as for an
 * upload; then the database, in one transaction; then the secret; then migrations.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "db/schema.h"
#include "programs/ctl/backup.h"
#include "programs/ctl/ctl_pg.h"
#include "programs/ctl/ctl_inventory.h"
#include "programs/ctl/ctl_audit_entry.h"
#include "programs/ctl/dump_lines.h"
#include "programs/ctl/dump_seal.h"
#include "service/crypt.h"
#include "service/files.h"

static bool is_older(struct str migration)
{
	for (size_t i = 0; i < schema_files_count; i++)
		if (schema_files[i].migration && str_equal_z(migration, schema_files[i].name))
			return true;
	return false;
}

static void check_version(struct ctl *c, const struct backup *b)
{
	if (!is_older(b->migration))
		ctl_fail(c,
			"restore: %s was made by planwright %.*s and contains the migration %.*s, which this version does not know: install that version or a newer one",
			b->path, (int)b->version.n, b->version.p, (int)b->migration.n,
			b->migration.p);
}

/* A database without people has nothing to lose. */
static void check_database(struct ctl *c)
{
	struct rows *rows = ctl_query(c,
		"select to_regclass('planwright.person') is not null,"
		" current_setting('server_encoding')",
		0, NULL);
	struct str encoding = db_get_text(rows, 0, 1);
	bool is_made = db_get_bool(rows, 0, 0);

	if (!str_equal_z(encoding, "UTF8"))
		ctl_fail(c, "restore: the database's encoding is %.*s: recreate it with UTF8",
			(int)encoding.n, encoding.p);
	ctl_commit(c);
	if (!is_made)
		return;
	rows = ctl_query(c, "select count(*) from planwright.person", 0, NULL);
	long long people = db_get_int(rows, 0, 0);
	if (people > 0)
		ctl_fail(c,
			"restore: the database contains people (%lld), perhaps of an interrupted restore: name an empty one in the setting database",
			people);
	ctl_commit(c);
}

/* Fails unless the files that the backup only lists are where `files` says. */
static void check_named(struct ctl *c, const struct backup *b)
{
	struct files kept = files_of(&c->conf);
	const char *first = NULL;
	size_t missing = 0;

	if (b->n_named == 0 || c->options[CTL_WITHOUT_FILES])
		return;
	const struct ctl_inventory stock = ctl_inventory_take(c, &kept);
	for (size_t i = 0; i < b->n_named; i++) {
		if (ctl_inventory_find(&stock, b->named[i]))
			continue;
		first = first ? first : b->named[i];
		missing++;
	}
	if (missing)
		ctl_fail(c,
			"restore: %s lists %zu files that are not in %s, the first is %s: let "
			"files name the place that has them, or give "
			"--without-files",
			b->path, missing, kept.name, first);
}

/* The secret --------------------------------------------------------------- */

/* Where to write the secret; fd is -1 if it need not be written. */
struct secret_place {
	struct str secret;
	const char *name;
	int fd;
};

static struct secret_place find_place(struct ctl *c, struct backup *b)
{
	struct secret_place p = { .secret = backup_secret(b), .fd = -1 };
	const char *out = c->options[CTL_OUT];

	if (!p.secret.p && out)
		ctl_fail(c, "restore: %s contains no secret for --out", b->path);
	if (!p.secret.p || (!out && c->conf.secret && str_equal_z(p.secret, c->conf.secret)))
		return p;
	p.name = out ? out : c->conf.secret_file;
	if (!p.name)
		ctl_fail(c,
			"restore: the backup's secret differs from the setting secret: name a new file for it with --out, and set secret_file to that file");
	p.fd = open(
		p.name, out ? O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC : O_WRONLY | O_CLOEXEC, 0600);
	if (p.fd < 0)
		ctl_fail(c,
			"restore: cannot write the backup's secret to %s: %m: name a new file for it with --out, and set secret_file to that file",
			p.name);
	if (out)
		c->unfinished = out;
	return p;
}

/* Writes in place, because the folder may belong to another user than the file. */
static void put_secret(struct ctl *c, const struct secret_place *p)
{
	struct str rest = p->secret;

	c->unfinished = NULL;
	if (p->fd < 0)
		return;
	while (rest.n > 0) {
		ssize_t n = write(p->fd, rest.p, rest.n);
		if (n <= 0)
			ctl_fail(c, "restore: cannot write the secret to %s: %m", p->name);
		rest.p += n;
		rest.n -= (size_t)n;
	}
	if (ftruncate(p->fd, (off_t)p->secret.n) || fsync(p->fd) || close(p->fd))
		ctl_fail(c, "restore: cannot write the secret to %s: %m", p->name);
	printf("the secret is in %s\n", p->name);
}

/* Files -------------------------------------------------------------------- */

struct file_sink {
	struct sink sink;
	int fd;
};

static bool put_file(struct sink *sink, struct str bytes)
{
	const struct file_sink *f = (struct file_sink *)sink;

	return files_write(f->fd, bytes.p, bytes.n);
}

static bool take_file(
	struct ctl *c, struct backup *b, const char *name, int64_t id, const char *suffix)
{
	struct files kept = files_of(&c->conf);
	struct files_temp t;
	bool ok = files_open_temp(kept.folder, &t);
	struct file_sink to = { { put_file }, ok ? t.fd : -1 };

	ok = ok && backup_read(b, name, &to.sink) && files_keep(&kept, &t, id, suffix);
	if (!ok)
		ctl_fail(c,
			"restore: cannot write %s below %s: %s: run it as the user of the workers",
			name, kept.name, *kept.problem.text ? kept.problem.text : strerror(errno));
	return suffix == NULL;
}

static long long take_files(struct ctl *c, struct backup *b)
{
	long long n = 0;

	for (size_t i = 0; i < b->n_files; i++) {
		const char *suffix;
		int64_t id;
		if (backup_file_id(b->files[i].name, &id, &suffix))
			n += take_file(c, b, b->files[i].name.p, id, suffix);
	}
	return n;
}

/* Database ----------------------------------------------------------------- */

/*
 * The input for psql. After \restrict, psql refuses its own commands, which could start programs,
 * in the text from the file; so the lines of \restrict that pg_dump wrote, with another key, are
 * dropped. Settings of newer servers, which come before the first object, are dropped, too.
 */
struct dump {
	struct dump_seal seal;
	bool has_begun;
};

static bool is_dropped(struct dump *d, struct str line)
{
	if (dump_line_begins(line, "\\unrestrict "))
		return true;
	if (dump_line_begins(line, "CREATE ") || dump_line_begins(line, "COPY "))
		d->has_begun = true;
	return !d->has_begun &&
		(dump_line_begins(line, "\\restrict ") ||
			dump_line_begins(line, "SET transaction_timeout "));
}

static bool take_line(void *of, struct str line, struct buf *instead)
{
	struct dump *d = of;

	if (is_dropped(d, line))
		return false;
	dump_seal_line(&d->seal, line, instead);
	return true;
}

/* The key that secrets in the dump were sealed with; false if none is known. */
static bool find_key(struct ctl *c, const struct secret_place *p)
{
	struct str secret = p->secret.p ? p->secret : str_of(c->conf.secret);

	if (!secret.p)
		return false;
	if (!crypt_init(&c->crypt, secret))
		ctl_fail(c, "OpenSSL cannot derive keys: check the installation of libcrypto");
	return true;
}

static void say_lost(int lost)
{
	if (lost > 0)
		fprintf(stderr,
			"planwrightctl: %d webhooks had secrets encrypted with a different "
			"setting secret: their deliveries are not signed until "
			"they get new ones\n",
			lost);
}

/*
 * Locks everything that will be dropped, views before what they read, as statements do. A program at work may want what
 * we hold while we want what it holds. So nothing is waited for as long as deadlock_timeout (1 s): then we release
 * everything, let those who waited for us finish, and begin again, for two minutes or so.
 */
static const char take_all[] =
	"do $$\n"
	"declare\n"
	"	v_tries integer := 0;\n"
	"	v_name text;\n"
	"begin\n"
	"	perform set_config('lock_timeout', '500ms', true);\n"
	"	loop\n"
	"		begin\n"
	"			for v_name in select c.oid::regclass from pg_class c join pg_namespace n on n.oid = c.relnamespace\n"
	"				where n.nspname in ('api', 'planwright') and c.relkind in ('v', 'r', 'p')\n"
	"				order by c.relkind = 'v' desc, c.oid\n"
	"			loop\n"
	"				execute 'lock table ' || v_name || ' in access exclusive mode';\n"
	"			end loop;\n"
	"			perform set_config('lock_timeout', '0', true);\n"
	"			return;\n"
	"		exception when deadlock_detected or lock_not_available then\n"
	"			v_tries := v_tries + 1;\n"
	"			if v_tries = 200 then raise; end if;\n"
	"		end;\n"
	"		perform pg_sleep(0.1 + random() * 0.2);\n"
	"	end loop;\n"
	"end $$;\n";

static void take_dump(struct ctl *c, struct backup *b, const struct secret_place *place)
{
	char *const argv[] = { "psql", "--no-psqlrc", "--quiet", "--output=/dev/null",
		"--set=ON_ERROR_STOP=1", "--no-password", "--file=-", NULL };
	struct dump d = { .seal = { .opens = true } };
	struct dump_lines lines;
	struct ctl_pg pg;

	ctl_pg_start(c, &pg, argv, false);
	d.seal.crypt = find_key(c, place) ? &c->crypt : NULL;
	dump_lines_begin(&lines, &pg.sink, take_line, &d);
	struct str key = crypt_token(&c->arena);
	/*
	 * Everything is one transaction: a failure leaves the database as it was. The commit is
	 * explicit, because psql's own --single-transaction would take the end of its input for the
	 * end of the dump, even if we had died.
	 */
	struct str start = arena_printf(&c->arena,
		"\\restrict %.*s\nbegin; set client_min_messages = warning; set lock_timeout = '5s';\n%s"
		"drop schema if exists api cascade; drop schema if exists planwright cascade;\n",
		(int)key.n, key.p, take_all);
	bool ok = pg.sink.put(&pg.sink, start) && backup_read(b, BACKUP_DUMP, &lines.sink) &&
		dump_lines_end(&lines) && pg.sink.put(&pg.sink, STR("commit;\n"));
	/* If psql stopped reading, it says why. */
	ctl_pg_end(c, &pg);
	if (!ok)
		ctl_fail(c,
			"restore: psql was given only a part of the dump, and nothing of it is kept: try again");
	arena_free(&d.seal.arena);
	say_lost(d.seal.lost);
}

/* As the role that owns the schema: its connection replaces the other one meanwhile. */
static void take_database(struct ctl *c, struct backup *b, const struct secret_place *place)
{
	char *own = c->conf.database, *owner = c->conf.owner_database;

	ctl_become_owner(c);
	take_dump(c, b, place);
	c->conf.database = own;
	c->conf.owner_database = owner;
	db_free(c->db);
	c->db = db_new(&c->conf, false);
}

/* Sets the secret that migrate compares with the database's. */
static void change_secret(struct ctl *c, const struct secret_place *p)
{
	free(c->conf.secret);
	c->conf.secret = p->secret.p ? strndup(p->secret.p, p->secret.n) : NULL;
	if (p->secret.p && !c->conf.secret)
		ctl_fail(c, "restore: out of memory");
}

void ctl_restore(struct ctl *c)
{
	struct backup b;

	backup_open(c, &b, c->word);
	check_version(c, &b);
	backup_check(&b);
	check_database(c);
	check_named(c, &b);
	struct secret_place place = find_place(c, &b);
	long long files = take_files(c, &b);
	take_database(c, &b, &place);
	/*
	 * Before migrate, which may fail and be repeated: from here on, the database needs this
	 * secret.
	 */
	put_secret(c, &place);
	change_secret(c, &place);
	ctl_migrate(c);
	const struct audit_entry e = audit_entry(AUDIT_RESTORE);
	ctl_audit_entry(c, &e);
	ctl_commit(c);
	backup_close(&b);
	printf("restored: %lld attached files, and the database of %.*s\n", files, (int)b.made.n,
		b.made.p);
	if (!place.secret.p)
		printf("the backup contains no secret: programs start only with the secret of its server\n");
}
