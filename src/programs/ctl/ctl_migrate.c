/*
 * planwrightctl migrate. A migration and its record are one transaction, under a
 * lock that all runs take: two runs at once do the work once.
 */
#include <openssl/evp.h>
#include <stdio.h>
#include <string.h>

#include "lib/buf.h"
#include "programs/ctl/ctl.h"
#include "db/schema.h"
#include "store/secret.h"

/* The key of the advisory lock: "planwrig" as a number. */
#define LOCK_KEY "8100956956810963303"

enum { SHA256_SIZE = 32, ATTEMPTS = 120 };

static struct str sha256_hex(struct ctl *c, struct str text)
{
	static const char digits[] = "0123456789abcdef";
	unsigned char sum[SHA256_SIZE];
	char *hex = arena_alloc(&c->arena, 2 * SHA256_SIZE + 1);

	if (EVP_Digest(text.p, text.n, sum, NULL, EVP_sha256(), NULL) != 1)
		ctl_fail(c, "OpenSSL cannot compute SHA-256: check the installation of libcrypto");
	for (int i = 0; i < SHA256_SIZE; i++) {
		hex[2 * i] = digits[sum[i] >> 4];
		hex[2 * i + 1] = digits[sum[i] & 15];
	}
	return (struct str){ hex, 2 * SHA256_SIZE };
}

static struct str file_sum(struct ctl *c, const struct schema_file *file)
{
	return sha256_hex(c, (struct str){ file->text, file->length });
}

static const struct schema_file *find_migration(int64_t number)
{
	for (size_t i = 0; i < schema_files_count; i++) {
		if (schema_files[i].migration && schema_number(&schema_files[i]) == number)
			return &schema_files[i];
	}
	return NULL;
}

static bool is_applied_again(const struct schema_file *file)
{
	return !file->migration;
}

/* What is recorded --------------------------------------------------------- */

/* Compares one recorded migration with the program's; null if they agree. */
static struct str compare_record(struct ctl *c, const struct rows *rows, int i)
{
	int64_t number = db_get_int(rows, i, 0);
	struct str name = db_get_text(rows, i, 1);
	const struct schema_file *file = find_migration(number);

	if (!file)
		return arena_printf(&c->arena,
			"the database contains the migration %.*s, which this program does not know: install the version of planwright that made it, or a newer one",
			(int)name.n, name.p);
	if (!str_equal(db_get_text(rows, i, 2), file_sum(c, file)))
		return arena_printf(&c->arena,
			"the database contains the migration %.*s, but this program's %s differs from it (by checksum): install the version of planwright that made the database",
			(int)name.n, name.p, file->name);
	return (struct str){ 0 };
}

/* Migrations are applied in order: none may be missing before one that was applied. */
static int count_pending(struct ctl *c, const struct rows *rows, struct str *problem)
{
	int64_t newest = 0;
	int pending = 0;

	for (int i = 0; i < db_count(rows); i++) {
		if (db_get_int(rows, i, 0) > newest)
			newest = db_get_int(rows, i, 0);
	}
	for (size_t i = 0; i < schema_files_count; i++)
		pending += schema_files[i].migration && schema_number(&schema_files[i]) > newest;
	for (size_t i = 0; i < schema_files_count; i++) {
		bool known = !schema_files[i].migration || schema_number(&schema_files[i]) > newest;
		for (int r = 0; r < db_count(rows) && !known; r++)
			known = db_get_int(rows, r, 0) == schema_number(&schema_files[i]);
		if (!known) {
			*problem = arena_printf(&c->arena,
				"the database lacks the migration %s but contains later ones: install the version of planwright that made it",
				schema_files[i].name);
			return -1;
		}
	}
	return pending;
}

int ctl_schema_pending(struct ctl *c, struct str *problem)
{
	struct rows *there = ctl_query(
		c, "select to_regclass('planwright.schema_migration') is not null", 0, NULL);
	const char *sql = db_get_bool(there, 0, 0)
		? "select number, name, sha256 from schema_migration order by number"
		: "select 0, '', '' where false";
	struct rows *rows = ctl_query(c, sql, 0, NULL);
	int pending = count_pending(c, rows, problem);

	for (int i = 0; i < db_count(rows) && pending >= 0; i++) {
		*problem = compare_record(c, rows, i);
		if (problem->p)
			pending = -1;
	}
	ctl_commit(c);
	return pending;
}

/* What is applied again ---------------------------------------------------- */

static struct str again_text(struct ctl *c)
{
	struct buf b = { 0 };

	for (size_t i = 0; i < schema_files_count; i++) {
		if (is_applied_again(&schema_files[i]))
			buf_put(&b, schema_files[i].text, schema_files[i].length);
	}
	struct str text = arena_str(&c->arena, buf_str(&b));
	buf_free(&b);
	return text;
}

bool ctl_schema_is_fresh(struct ctl *c)
{
	struct str sum = sha256_hex(c, again_text(c));
	struct rows *rows = ctl_query(c,
		"select true from pg_namespace n where n.nspname = 'api' "
		"and obj_description(n.oid, 'pg_namespace') = $1",
		1, (struct db_param[]){ db_text(&c->arena, sum) });
	bool fresh = db_count(rows) > 0;

	ctl_commit(c);
	return fresh;
}

/*
 * Workers hold a lock on a table for a moment while they use it. Rather than block them, this gives
 * up and tries again, before they have waited for the second after which PostgreSQL looks for
 * deadlocks and ends them.
 */
static bool try_script(struct ctl *c, const char *sql)
{
	for (int i = 0; i < ATTEMPTS; i++) {
		if (db_script(c->db, sql) == RC_OK)
			return true;
		const char *state = db_error(c->db)->sqlstate;
		if (strcmp(state, "55P03") != 0 && strcmp(state, "40P01") != 0)
			return false;
	}
	return false;
}

/* If something that a script names is missing, only the database's own message says what. */
static struct str script_problem(struct ctl *c)
{
	const char *state = db_error(c->db)->sqlstate;
	bool is_missing = strncmp(state, "42", 2) == 0 && strcmp(state, "42501") != 0;

	return is_missing ? str_of(db_problem(c->db)) : ctl_db_problem(c);
}

/* Creates functions and views, and grants the right to use them. */
static void apply_again(struct ctl *c, struct str grants)
{
	struct str text = again_text(c);
	struct str sum = sha256_hex(c, text);
	struct str sql = arena_printf(
		&c->arena, "%s;\ncomment on schema api is '%s';\n%s", text.p, sum.p, grants.p);

	if (!try_script(c, sql.p)) {
		struct str line = script_problem(c);
		ctl_fail(c, "migrate: functions and views could not be created: %.*s", (int)line.n,
			line.p);
	}
}

/* ------------------------------------------------------------------------- */

static void apply_migration(struct ctl *c, const struct schema_file *file)
{
	struct str sum = file_sum(c, file);
	struct str sql = arena_printf(&c->arena,
		"select pg_advisory_xact_lock(" LOCK_KEY ");\n%s;\n"
		"insert into schema_migration (number, name, sha256) values (%lld, '%s', '%s');",
		file->text, (long long)schema_number(file), file->name, sum.p);

	if (!try_script(c, sql.p)) {
		struct str line = script_problem(c);
		ctl_fail(c, "migrate: could not apply %s: %.*s", file->name, (int)line.n, line.p);
	}
	printf("applied %s\n", file->name);
}

static void run_script(struct ctl *c, const char *sql)
{
	if (db_script(c->db, sql))
		ctl_fail_db(c);
}

/* Waits for other runs, and creates the table that records migrations. */
static void begin(struct ctl *c)
{
	ctl_connect(c);
	run_script(c,
		"set client_min_messages = warning; set statement_timeout = 0; "
		"select pg_advisory_lock(" LOCK_KEY "); set lock_timeout = '500ms';");
	run_script(c,
		"create schema if not exists planwright;"
		"create table if not exists planwright.schema_migration ("
		"number integer primary key, name text not null, sha256 text not null, "
		"applied_at timestamptz not null default now());");
}

/* Fails if the encoding is not UTF-8, before anything is changed. */
static void check_encoding(struct ctl *c)
{
	ctl_connect(c);
	struct rows *rows = ctl_query(c, "select current_setting('server_encoding')", 0, NULL);
	struct str encoding = arena_str(&c->arena, db_get_text(rows, 0, 0));

	ctl_commit(c);
	if (!str_equal_z(encoding, "UTF8"))
		ctl_fail(c,
			"migrate: the database has the encoding %s, not UTF8: create it with createdb -E UTF8 -T template0",
			encoding.p);
}

/* If the secret is known here, it must be that of the database, or becomes it. */
static void check_secret(struct ctl *c)
{
	bool right;

	if (!c->conf.secret)
		return;
	if (!crypt_init(&c->crypt, str_of(c->conf.secret)))
		ctl_fail(c, "OpenSSL cannot derive keys: check the installation of libcrypto");
	if (secret_compare(c->db, &c->crypt, &c->arena, &right))
		ctl_fail_db(c);
	if (!right)
		ctl_fail(c, "migrate: " SECRET_IS_ANOTHER);
}

void ctl_migrate(struct ctl *c)
{
	struct str problem = { 0 };
	int old = 0;

	struct str grants = ctl_become_owner(c);

	check_encoding(c);
	begin(c);
	int pending = ctl_schema_pending(c, &problem);
	if (pending < 0)
		ctl_fail(c, "migrate: %.*s", (int)problem.n, problem.p);
	for (size_t i = 0; i < schema_files_count; i++)
		old += schema_files[i].migration;
	old -= pending;
	for (size_t i = 0; i < schema_files_count; i++) {
		if (schema_files[i].migration && old-- <= 0)
			apply_migration(c, &schema_files[i]);
	}
	apply_again(c, grants);
	ctl_ids_settle(c);
	check_secret(c);
	if (pending == 0)
		printf("no migrations were pending\n");
	printf("functions and views are up to date\n");
}
