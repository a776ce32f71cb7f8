/* planwrightctl doctor: one line for each finding, "ok …" or "wrong …: what to do". */
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include "lib/address.h"
#include "lib/json.h"
#include "lib/message.h"
#include "lib/when.h"
#include "programs/ctl/ctl.h"
#include "programs/ctl/ctl_deep.h"
#include "service/files.h"
#include "store/secret.h"

enum { VERSION_MIN = 150000, CLOCK_DIFFERENCE_MAX_S = 2 };

static int wrongs;
static struct buf findings; /* --json: an array of objects */
static struct json as_json;
static bool is_json;

static void say(bool is_ok, const char *format, va_list args)
{
	struct arena a = { 0 };
	struct str text = arena_vprintf(&a, format, args);

	wrongs += !is_ok;
	if (is_json) {
		json_object(&as_json);
		json_key(&as_json, "ok");
		json_bool(&as_json, is_ok);
		json_key(&as_json, "finding");
		json_str(&as_json, text);
		json_object_end(&as_json);
	} else {
		printf("%-5s %s\n", is_ok ? "ok" : "wrong", text.p);
	}
	arena_free(&a);
}

static void ok(const char *format, ...) __attribute__((format(printf, 1, 2)));
static void wrong(const char *format, ...) __attribute__((format(printf, 1, 2)));

static void ok(const char *format, ...)
{
	va_list args;

	va_start(args, format);
	say(true, format, args);
	va_end(args);
}

static void wrong(const char *format, ...)
{
	va_list args;

	va_start(args, format);
	say(false, format, args);
	va_end(args);
}

/* Settings, files, socket -------------------------------------------------- */

/* Whether there are settings to continue with. */
static bool check_settings(struct ctl *c)
{
	static const char *const secret[] = { "secret", NULL };
	char error[600];

	if (conf_load(&c->conf, NULL, error, sizeof(error))) {
		if (crypt_init(&c->crypt, str_of(c->conf.secret)))
			ok("settings");
		else
			wrong("settings: OpenSSL cannot derive keys: check the installation of libcrypto");
		return true;
	}
	wrong("settings: %s", error);
	return conf_load(&c->conf, secret, error, sizeof(error));
}

/* Works only for users who may use the socket: to others, nothing seems to listen. */
static void check_live(struct ctl *c)
{
	const char *path = conf_live(&c->conf);
	const struct hint_target live = hint_target(path);

	if (!path)
		ok("live updates: off");
	else if (hint_has_listener(&live))
		ok("live updates");
	else
		wrong("live updates: nothing is listening on %s: see systemctl status "
		      "planwright-live, or run doctor as that user; live = off turns "
		      "them off",
			path);
}

static void check_webhooks(struct ctl *c)
{
	struct address_list list;
	struct str bad;

	if (!address_parse_list(&c->arena, str_of(c->conf.webhook_allow), &list, &bad))
		wrong("webhook_allow: %.*s is not a network: write it like 10.0.0.0/8", (int)bad.n,
			bad.p);
}

static void check_files(struct ctl *c)
{
	const char *folder = files_folder(&c->conf);
	char *name = arena_chars(&c->arena, arena_printf(&c->arena, "%s/doctor-XXXXXX", folder));
	struct stat st;

	if (stat(folder, &st) != 0) {
		wrong("files: %s: %s: create that folder, and give it to the user of the workers",
			folder, strerror(errno));
	} else if (!S_ISDIR(st.st_mode)) {
		wrong("files: %s is not a folder: name a folder in the setting files", folder);
	} else if (st.st_mode & S_IWOTH) {
		wrong("files: every user can write to %s: chmod o-w it", folder);
	} else {
		int fd = mkstemp(name);
		if (fd < 0) {
			wrong("files: cannot write to %s: %s: give it to the user of the workers, and run doctor as that user",
				folder, strerror(errno));
			return;
		}
		close(fd);
		unlink(name);
		ok("files: %s", folder);
	}
}

static void check_store(struct ctl *c)
{
	if (!conf_has_store(&c->conf))
		return;
	struct str problem = ctl_find_store(c);
	if (problem.p)
		wrong("store: %s: %s", c->conf.files, problem.p);
	else
		ok("store: %s", c->conf.files);
}

/* Other users must neither read a secret nor replace it. */
static void check_secret_files(struct ctl *c)
{
	for (int i = 0; c->conf.secret_files[i]; i++) {
		const char *path = c->conf.secret_files[i];
		struct stat st;
		if (stat(path, &st) == 0 && st.st_mode & (S_IROTH | S_IWOTH))
			wrong("secrets: every user can read %s: chmod o-rw it, and create new "
			      "secrets",
				path);
	}
}

static void check_connect(const char *path, const struct sockaddr_un *address)
{
	int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);

	if (fd >= 0 && connect(fd, (const struct sockaddr *)address, sizeof(*address)) == 0)
		ok("socket: %s", path);
	else if (errno == ECONNREFUSED)
		wrong("socket: nothing is listening on %s: start the workers", path);
	else if (errno == EAGAIN)
		wrong("socket: the queue of %s is full: start more workers, or stop hanging ones",
			path);
	else
		wrong("socket: cannot connect to %s: %s: give it the group of nginx, and run doctor as a user in that group",
			path, strerror(errno));
	if (fd >= 0)
		close(fd);
}

static void check_socket(const char *path)
{
	struct sockaddr_un address = { .sun_family = AF_UNIX };
	struct stat st;

	if (strlen(path) >= sizeof(address.sun_path)) {
		wrong("socket: %s is too long: a socket path can have at most %zu bytes", path,
			sizeof(address.sun_path) - 1);
		return;
	}
	memcpy(address.sun_path, path, strlen(path));
	if (stat(path, &st) != 0)
		wrong("socket: %s: %s: start the workers, or give doctor their path", path,
			strerror(errno));
	else if (!S_ISSOCK(st.st_mode))
		wrong("socket: %s is not a socket: give doctor the path of the workers' socket",
			path);
	else if (st.st_mode & (S_IROTH | S_IWOTH))
		wrong("socket: %s is open to every user: give it mode 0660 and the group of nginx",
			path);
	else
		check_connect(path, &address);
}

static void check_mail(struct ctl *c)
{
	bool server = *c->conf.smtp_url, from = *c->conf.mail_from;

	if (server != from)
		wrong("mail: it is off because %s is set without %s: set both, or neither",
			server ? "smtp_url" : "mail_from", server ? "mail_from" : "smtp_url");
	else if (from && !message_is_address(str_of(c->conf.mail_from)))
		wrong("mail: mail_from is not an address: write it like planwright@example.com");
}

static void check_providers(struct ctl *c)
{
	for (size_t i = 0; i < c->conf.oidc.n; i++) {
		const struct conf_oidc *p = &c->conf.oidc.of[i];
		struct str problem = ctl_find_provider(c, p);
		if (problem.p)
			wrong("oidc %s: %s", p->name, problem.p);
		else
			ok("oidc %s: it sends people to %s/session/oidc/%s/callback", p->name,
				c->conf.base_url, p->name);
	}
}

static void check_disk(struct ctl *c)
{
	struct files_disk disk;

	if (!files_look_at_disk(files_folder(&c->conf), &disk))
		return;
	long long mib = (long long)(disk.free >> 20);
	if (mib < c->conf.disk_floor_mib)
		wrong("disk: %lld MiB are free for %s, less than disk_floor_mib (%lld): free "
		      "space; until then, no files are accepted",
			mib, files_folder(&c->conf), (long long)c->conf.disk_floor_mib);
	else
		ok("disk: %lld MiB are free", mib);
}

static bool check_workers(struct ctl *c)
{
	struct str problem = ctl_find_workers(c);

	if (problem.p)
		wrong("workers: %s", problem.p);
	else
		ok("workers: %s", c->conf.base_url);
	return !problem.p;
}

static void check_downloads(struct ctl *c)
{
	struct str problem = ctl_find_files(c);

	if (problem.p)
		wrong("downloads: %s", problem.p);
	else
		ok("downloads");
}

/* Database ----------------------------------------------------------------- */

static void check_server(struct ctl *c)
{
	struct rows *rows = ctl_query(c,
		"select current_setting('server_version_num')::bigint, "
		"current_setting('server_version'), current_setting('server_encoding'), "
		"pg_is_in_recovery() or current_setting('transaction_read_only')::boolean",
		0, NULL);
	struct str version = db_get_text(rows, 0, 1), encoding = db_get_text(rows, 0, 2);

	if (db_get_int(rows, 0, 0) < VERSION_MIN)
		wrong("database: PostgreSQL %.*s is too old: use 15 or newer", (int)version.n,
			version.p);
	else if (!str_equal_z(encoding, "UTF8"))
		wrong("database: its encoding is %.*s: recreate it with encoding UTF8",
			(int)encoding.n, encoding.p);
	else if (db_get_bool(rows, 0, 3))
		wrong("database: it is read-only: connect to the primary server");
	else
		ok("database: PostgreSQL %.*s", (int)version.n, version.p);
	ctl_commit(c);
}

/* Whether the schema is that of this program. */
static bool check_schema(struct ctl *c)
{
	struct str problem = { 0 };
	int pending = ctl_schema_pending(c, &problem);

	if (pending < 0)
		wrong("schema: %.*s", (int)problem.n, problem.p);
	else if (pending > 0)
		wrong("schema: %d migration%s pending: run planwrightctl migrate", pending,
			pending == 1 ? " is" : "s are");
	else if (!ctl_schema_is_fresh(c))
		wrong("schema: its functions and views belong to another version: run planwrightctl migrate");
	else
		ok("schema");
	return pending == 0;
}

/*
 * Prepares every statement that a worker prepares, the way that workers do: through a pooler, if
 * there is one.
 */
static void check_statements(struct ctl *c)
{
	struct conf conf = c->conf;

	if (*conf.direct_database)
		conf.database = conf.direct_database;
	struct db *db = db_new(&conf, true);

	if (db_ready(db))
		wrong("statements: %s", db_problem(db));
	else
		ok("statements");
	db_free(db);
}

/*
 * False if the secret is not that of the workers. If it was replaced, c->crypt becomes the one that
 * they follow.
 */
static bool check_secret(struct ctl *c)
{
	bool right = true;

	if (!c->conf.secret)
		return false;
	if (secret_compare(c->db, &c->crypt, &c->arena, &right))
		wrong("secret: %s", db_problem(c->db));
	else if (right)
		ok("secret");
	else if (!secret_follow(c->db, &c->crypt, &c->arena, &right) && right)
		wrong("secret: it was replaced by planwrightctl secret rotate: set the new one "
		      "before the old one expires");
	else
		wrong("secret: " SECRET_IS_ANOTHER);
	return right;
}

/* The setting is optional: without it, `database` answers reads, too. */
static void check_reads(struct ctl *c)
{
	struct conf conf = c->conf;
	struct rows *rows;

	if (!*conf.database_reads)
		return;
	conf.database = conf.database_reads;
	struct db *db = db_new(&conf, false);
	if (db_query(db, "select pg_is_in_recovery()", 0, NULL, &rows))
		wrong("database_reads: %s: until it can be reached, the leader is used",
			db_problem(db));
	else if (db_pooler(db) == DB_POOLED_SESSIONS)
		wrong("database_reads: there is a connection pooler in front of it: " DB_POOLER_OF_READS);
	else if (!db_get_bool(rows, 0, 0))
		wrong("database_reads: it is not a standby, so it relieves nothing: name only "
		      "standbys, or add target_session_attrs=standby");
	else
		ok("database_reads");
	db_free(db);
}

/* A working importer has a lease on its import (sql/lease.sql). */
static void check_imports(struct ctl *c)
{
	struct rows *rows = ctl_query(c,
		"select count(*) from project_import where state in ('queued', 'running')"
		" and created_at < now() - interval '1 minute' and not exists (select from lease"
		" where what = 'import' and until > now())",
		0, NULL);
	long long n = db_get_int(rows, 0, 0);

	if (n > 0)
		wrong("imports: %lld wait%s and nothing is processing them: start planwright-importer",
			n, n == 1 ? "s" : "");
	else
		ok("imports");
	ctl_commit(c);
}

/* Without a partition, entries go to the default one, and stay for longer than they should. */
static void check_audit(struct ctl *c)
{
	const struct rows *rows = ctl_query(c, stmt_texts[STMT_AUDIT_PARTITIONS].sql, 0, NULL);
	long long without = (long long)db_get_int(rows, 0, 1);

	if (!db_get_bool(rows, 0, 0) || without > 0)
		wrong("audit log: a month has no partition: run planwrightctl clean once a day");
	else
		ok("audit log");
	ctl_commit(c);
}

static void check_clock(struct ctl *c)
{
	int64_t before = when_now();
	struct rows *rows = ctl_query(c, "select clock_timestamp()", 0, NULL);
	int64_t after = when_now(), theirs = db_get_time(rows, 0, 0);
	int64_t difference = theirs < before ? before - theirs
		: theirs > after             ? theirs - after
					     : 0;

	if (difference > CLOCK_DIFFERENCE_MAX_S * INT64_C(1000000))
		wrong("clock: the database's clock differs from this computer's by %lld seconds: "
		      "set both by NTP",
			(long long)(difference / 1000000));
	else
		ok("clock");
	ctl_commit(c);
}

static void say_deep(bool is_ok, struct str line)
{
	(is_ok ? ok : wrong)("%.*s", (int)line.n, line.p);
}

static void check_all(struct ctl *c)
{
	bool have_settings = check_settings(c), have_workers = false;
	bool knows_secret = c->conf.secret;

	if (have_settings) {
		check_files(c);
		check_store(c);
		check_secret_files(c);
		check_disk(c);
		check_webhooks(c);
		check_mail(c);
		check_providers(c);
		have_workers = check_workers(c);
		check_live(c);
	}
	if (c->options[CTL_SOCKET])
		check_socket(c->options[CTL_SOCKET]);
	if (have_settings) {
		ctl_go_direct(c);
		c->db = db_new(&c->conf, false);
		if (db_ready(c->db)) {
			wrong("database: %s: " CTL_DATABASE_AWAY, db_problem(c->db));
		} else if (db_pooler(c->db) == DB_POOLED_TRANSACTIONS) {
			wrong("database: " CTL_IS_POOLED);
		} else {
			check_server(c);
			check_clock(c);
			if (check_schema(c)) {
				check_statements(c);
				knows_secret = check_secret(c);
				check_reads(c);
				check_imports(c);
				check_audit(c);
				if (c->options[CTL_DEEP])
					ctl_look_deep(c, say_deep);
			}
		}
	}
	/* Workers recognize doctor by the secret. */
	if (have_workers && knows_secret)
		check_downloads(c);
}

void ctl_doctor(struct ctl *c)
{
	is_json = c->options[CTL_JSON];
	json_init(&as_json, &findings);
	json_array(&as_json);
	check_all(c);
	json_array_end(&as_json);
	if (is_json)
		printf("%.*s\n", (int)findings.n, findings.p);
	buf_free(&findings);
	fflush(stdout);
	if (wrongs > 0)
		ctl_fail(c, "%d thing%s wrong: see the lines above", wrongs,
			wrongs == 1 ? " is" : "s are");
}
