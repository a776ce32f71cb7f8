/*
 * planwrightctl backup: one file, consistent as of one moment. The dump uses a snapshot, and the
 * rows of files are read in the same one. A file is in place before its row exists, and is never
 * rewritten, so the files copied afterwards are those of that moment.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "lib/seal.h"
#include "lib/unconst.h"
#include "lib/when.h"
#include "programs/ctl/backup.h"
#include "programs/ctl/ctl_out.h"
#include "programs/ctl/ctl_pg.h"
#include "programs/ctl/ctl_inventory.h"
#include "programs/ctl/ctl_audit_entry.h"
#include "programs/ctl/dump_lines.h"
#include "programs/ctl/dump_seal.h"
#include "service/files.h"
#include "store/secret.h"
#include "transfer/out/zip_write.h"

#ifndef PACKAGE_VERSION
#define PACKAGE_VERSION "unknown"
#endif

enum { PIECE = 64 * 1024 };

struct writing {
	struct ctl *c;
	struct ctl_out out;
	struct files kept;
	struct zip_write *zip;
	struct buf manifest;
	int64_t time_s, files, missing;
};

static void fail_writing(struct writing *w) __attribute__((noreturn));

static void fail_writing(struct writing *w)
{
	ctl_out_fail(w->c, w->out.name, w->out.failed ? w->out.failed : EIO);
}

static void end_entry(struct writing *w, const char *name)
{
	struct zip_made made;

	if (!zip_write_end(w->zip, &made))
		fail_writing(w);
	buf_printf(&w->manifest, "%s  %s\n", made.sha256, name);
}

static void put_entry(struct writing *w, const char *name, struct str content)
{
	struct sink *to = zip_write_sink(w->zip);

	zip_write_begin(w->zip, name, w->time_s, false);
	if (!to->put(to, content))
		fail_writing(w);
	if (strcmp(name, BACKUP_MANIFEST) != 0)
		end_entry(w, name);
	else if (!zip_write_end(w->zip, &(struct zip_made){ 0 }))
		fail_writing(w);
}

/* Database ----------------------------------------------------------------- */

static bool seal_line(void *of, struct str line, struct buf *instead)
{
	dump_seal_line(of, line, instead);
	return true;
}

static void put_dump(struct writing *w, struct str snapshot)
{
	struct dump_seal seal = { .crypt = &w->c->crypt };
	struct dump_lines lines;
	char *option = unconst(
		arena_printf(&w->c->arena, "--snapshot=%.*s", (int)snapshot.n, snapshot.p).p);
	char *const argv[] = { "pg_dump", "--format=plain", "--no-owner", "--no-privileges",
		"--no-comments", "--no-password", "--schema=planwright", "--schema=api",
		/* Together with the old secret, it would reveal the new one. */
		"--exclude-table-data=planwright.secret_handover", "--extension=pg_trgm",
		"--extension=btree_gin", option, NULL };
	struct ctl_pg pg;

	zip_write_begin(w->zip, BACKUP_DUMP, w->time_s, false);
	ctl_pg_start(w->c, &pg, argv, true);
	dump_lines_begin(&lines, zip_write_sink(w->zip), seal_line, &seal);
	if (!ctl_pg_read(w->c, &pg, &lines.sink) || !dump_lines_end(&lines))
		fail_writing(w);
	arena_free(&seal.arena);
	ctl_pg_end(w->c, &pg);
	end_entry(w, BACKUP_DUMP);
}

/* Files -------------------------------------------------------------------- */

/* False if the file does not exist. */
static bool put_file(struct writing *w, int64_t id, const char *suffix)
{
	static char piece[PIECE];
	struct sink *to = zip_write_sink(w->zip);
	char place[FILES_PLACE_MAX];
	ssize_t n;

	files_place(place, id, suffix);
	const char *name = arena_printf(&w->c->arena, "files/%s", place).p;
	int fd = files_read(&w->kept, place);
	if (fd < 0 && w->kept.problem.is_missing)
		return false;
	if (fd < 0)
		ctl_fail(w->c, "backup: %s%s", w->kept.problem.text,
			w->kept.store.endpoint ? "" : ": run it as the user of the workers");
	zip_write_begin(w->zip, name, w->time_s, true);
	while ((n = read(fd, piece, sizeof(piece))) > 0)
		if (!to->put(to, (struct str){ piece, (size_t)n }))
			fail_writing(w);
	if (n < 0)
		ctl_fail(w->c, "backup: %s cannot be read: %m", place);
	close(fd);
	end_entry(w, name);
	return true;
}

/* Lists only the name, for restore to look for; a store keeps the files itself. */
static bool name_file(
	struct writing *w, const struct ctl_inventory *kept, int64_t id, const char *suffix)
{
	char place[FILES_PLACE_MAX];

	files_place(place, id, suffix);
	if (!ctl_inventory_find(kept, place))
		return false;
	buf_printf(&w->manifest, BACKUP_NAMED "%s\n", place);
	return true;
}

static void name_files(struct writing *w, const struct rows *rows)
{
	const struct ctl_inventory kept = ctl_inventory_take(w->c, &w->kept);

	for (int i = 0; i < db_count(rows); i++) {
		int64_t id = db_get_int(rows, i, 0);
		bool pictures = db_get_bool(rows, i, 1), found = name_file(w, &kept, id, NULL);
		if (found && pictures)
			found = name_file(w, &kept, id, "small") & name_file(w, &kept, id, "big");
		w->files += found;
		w->missing += !found;
	}
}

static void put_files(struct writing *w, const struct rows *rows)
{
	for (int i = 0; i < db_count(rows); i++) {
		int64_t id = db_get_int(rows, i, 0);
		bool pictures = db_get_bool(rows, i, 1), found = put_file(w, id, NULL);
		if (found && pictures)
			found = put_file(w, id, "small") & put_file(w, id, "big");
		w->files += found;
		w->missing += !found;
	}
}

/* ------------------------------------------------------------------------- */

static struct rows *ask(struct writing *w, const char *sql)
{
	struct rows *rows;

	if (db_query(w->c->db, sql, 0, NULL, &rows))
		ctl_fail_db(w->c);
	return rows;
}

/* In one transaction that stays open: the snapshot ends with it. */
static void put_all(struct writing *w, struct str sealed)
{
	struct ctl *c = w->c;

	if (db_script(c->db, "begin isolation level repeatable read read only"))
		ctl_fail_db(c);
	struct rows *rows = ask(w,
		"select pg_export_snapshot(), "
		"(select name from schema_migration order by number desc limit 1)");
	struct str snapshot = arena_str(&c->arena, db_get_text(rows, 0, 0));
	buf_put_z(&w->manifest, BACKUP_MARK "\n# made at: ");
	when_put_iso(&w->manifest, when_now());
	buf_put_z(&w->manifest, "\n# version: " PACKAGE_VERSION "\n# migration: ");
	buf_put_str(&w->manifest, db_get_text(rows, 0, 1));
	buf_printf(&w->manifest, "\n# secret: %s\n", sealed.p ? "sealed" : "left out");
	db_end(c->db);
	rows = ask(w, "select id, thumbnailable from file_attachment order by id");
	put_dump(w, snapshot);
	if (c->options[CTL_WITHOUT_FILES])
		name_files(w, rows);
	else
		put_files(w, rows);
	db_end(c->db);
	if (db_script(c->db, "rollback"))
		ctl_fail_db(c);
	if (sealed.p)
		put_entry(w, BACKUP_SECRET, sealed);
	put_entry(w, BACKUP_MANIFEST, buf_str(&w->manifest));
}

/* A restore has only this secret, so it must be the one that decrypts what is in the dump. */
static void check_secret(struct ctl *c)
{
	bool right;

	if (!crypt_init(&c->crypt, str_of(c->conf.secret)))
		ctl_fail(c, "OpenSSL cannot derive keys: check the installation of libcrypto");
	if (secret_compare(c->db, &c->crypt, &c->arena, &right))
		ctl_fail_db(c);
	if (!right)
		ctl_fail(c, "backup: " SECRET_IS_ANOTHER);
}

/* The key that seals secrets in the database dump. */
static void find_key(struct ctl *c)
{
	if (c->conf.secret) {
		check_secret(c);
		return;
	}
	struct rows *rows = ctl_query(c,
		"select exists (select from planwright.webhook where secret is not null)", 0, NULL);
	if (db_get_bool(rows, 0, 0))
		ctl_fail(c,
			"backup: webhooks have secrets, which are encrypted with the setting "
			"secret: set it");
	ctl_commit(c);
}

static void check_schema(struct ctl *c)
{
	struct str problem = { 0 };

	if (ctl_schema_pending(c, &problem) != 0)
		ctl_fail(c,
			"backup: the schema belongs to another version: run planwrightctl "
			"migrate, or use the version that made it");
}

static struct str seal_secret(struct ctl *c)
{
	if (c->options[CTL_WITHOUT_SECRET])
		return (struct str){ 0 };
	if (!c->conf.secret)
		ctl_fail(c,
			"backup: the setting secret is not set here: set it, or use --without-secret");
	return seal_close(&c->arena, ctl_read_passphrase(c, true), str_of(c->conf.secret));
}

static void verify(struct ctl *c)
{
	struct backup b;

	backup_open(c, &b, c->word);
	backup_check(&b);
	if (c->options[CTL_PASSPHRASE_FILE] && !backup_secret(&b).p)
		ctl_fail(c, "backup: %s contains no secret for the passphrase to decrypt", c->word);
	printf("%s is intact: made %.*s by planwright %.*s, %zu files", c->word, (int)b.made.n,
		b.made.p, (int)b.version.n, b.version.p, b.n_files);
	if (b.n_named)
		printf(", and the names of %zu that it does not contain", b.n_named);
	printf("\n");
	backup_close(&b);
}

/* A standby can be backed up, too, but takes no entry. */
static void tell(struct ctl *c)
{
	const struct audit_entry e = audit_entry(AUDIT_BACKUP);

	if (!db_get_bool(ctl_query(c, "select pg_is_in_recovery()", 0, NULL), 0, 0))
		ctl_audit_entry(c, &e);
	ctl_commit(c);
}

void ctl_backup(struct ctl *c)
{
	struct writing w = { .c = c, .kept = files_of(&c->conf), .time_s = when_now() / 1000000 };

	if (c->options[CTL_PASSPHRASE_FILE] && c->options[CTL_WITHOUT_SECRET])
		ctl_fail(c, "backup: --passphrase-file and --without-secret cannot be combined");
	if (c->options[CTL_VERIFY]) {
		verify(c);
		return;
	}
	check_schema(c);
	struct str sealed = seal_secret(c);
	ctl_connect(c);
	find_key(c);
	tell(c);
	ctl_out_open(c, &w.out, c->word);
	w.zip = zip_write_open(&w.out.sink);
	put_all(&w, sealed);
	if (!zip_write_close(w.zip, true))
		fail_writing(&w);
	ctl_out_close(c, &w.out);
	buf_free(&w.manifest);
	if (w.missing > 0)
		fprintf(stderr,
			"planwrightctl: %lld attached files are missing below %s: the backup does not contain them\n",
			(long long)w.missing, c->conf.files);
	if (w.out.temporary)
		printf("%s: database, %s%lld attached files, %s, %lld bytes\n", c->word,
			c->options[CTL_WITHOUT_FILES] ? "the names of " : "", (long long)w.files,
			sealed.p ? "the encrypted secret" : "no secret", (long long)w.out.size);
}
