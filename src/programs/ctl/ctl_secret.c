/* planwrightctl secret: replaces the secret, and seals existing tokens and second factors again. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "programs/ctl/ctl_audit_entry.h"
#include "store/secret.h"

static struct rows *ask(struct ctl *c, enum stmt stmt, int n, const struct db_param *params)
{
	return ctl_query(c, stmt_texts[stmt].sql, n, params);
}

/* Writes a new file that only its owner can read. */
static void write_secret(struct ctl *c, const char *name, struct str secret)
{
	int fd = open(name, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);

	if (fd < 0)
		ctl_fail(c, "cannot create %s: %s: name a new file with --out", name,
			strerror(errno));
	c->unfinished = name;
	if (write(fd, secret.p, secret.n) != (ssize_t)secret.n || write(fd, "\n", 1) != 1 ||
		fsync(fd) != 0)
		ctl_fail(c, "%s cannot be written: %s", name, strerror(errno));
	close(fd);
}

/* Seals one token or second factor again, and keeps the result with its old sealed form. */
static void put_fresh(struct ctl *c, const struct crypt *with, const struct rows *rows, int i)
{
	struct str of = db_get_text(rows, i, 0), was = db_get_text(rows, i, 3);
	int64_t key = db_get_int(rows, i, 1), id = db_get_int(rows, i, 2);
	struct str token = crypt_open(&c->crypt, &c->arena, id, was);

	if (!token.p)
		ctl_fail(c,
			"the %.*s of person %lld was encrypted with another secret: nothing was "
			"changed",
			(int)of.n, of.p, (long long)id);
	struct crypt_stored stored = crypt_store(with, &c->arena, id, token);
	ctl_query(c,
		"insert into fresh values ($1::text, $2::bigint, $3::bytea, $4::bytea, $5::bytea) "
		"on conflict (of, key) do update set was = excluded.was, sealed = excluded.sealed, "
		"mac = excluded.mac",
		5,
		(struct db_param[]){ db_text(&c->arena, of), db_int(&c->arena, key), db_bytes(was),
			db_bytes(stored.sealed), db_bytes(stored.mac) });
}

/* Seals what is not in `fresh` yet, or has changed since. */
static void seal_missing(struct ctl *c, const struct crypt *with)
{
	const struct rows *rows = ctl_query(c,
		"select s.of, s.key, s.person, s.sealed from ("
		"select 'token' as of, id as key, id as person, token_sealed as sealed "
		"from person where token_sealed is not null "
		"union all select 'named token', id, person_id, sealed from token "
		"union all select 'second factor', person_id, person_id, sealed from second_factor) s "
		"left join fresh f using (of, key) where f.was is distinct from s.sealed "
		"order by s.of, s.key",
		0, NULL);

	for (int i = 0, n = db_count(rows); i < n; i++)
		put_fresh(c, with, rows, i);
}

/*
 * From here to the commit, nobody can read or write what is sealed: requests wait, and then see
 * either what was sealed with the old secret, or what was sealed with the new one. The lock waits
 * for long transactions only in short attempts, because everybody else would wait behind it. Named
 * tokens are locked only against writes: no statement finds one without its person. Their lock
 * comes first, at once or not at all, so that nobody who holds it waits for ours.
 */
static void begin_alone(struct ctl *c)
{
	enum { TRIES = 120, PAUSE_US = 500000 };

	for (int i = 0; i < TRIES; i++) {
		if (!db_script(c->db,
			    "begin; set local statement_timeout = 0; set local lock_timeout = '1s'; "
			    "lock table token in share row exclusive mode nowait; "
			    "lock table person, second_factor in access exclusive mode"))
			return;
		if (db_script(c->db, "rollback"))
			ctl_fail_db(c);
		usleep(PAUSE_US);
	}
	ctl_fail(c, "long transactions have locked the tokens: nothing was changed, try again");
}

static void hand_over(struct ctl *c, const struct crypt *with, struct str secret)
{
	struct db_param gone = db_bool(&c->arena, c->options[CTL_AT_ONCE] != NULL);
	struct db_param value = db_bytes(secret_value(with, &c->arena));

	ask(c, STMT_SECRET_REPLACE, 1, &value);
	ask(c, STMT_SECRET_HANDOVER_DELETE, 1, &gone);
	if (!c->options[CTL_AT_ONCE])
		ask(c, STMT_SECRET_HANDOVER_CREATE, 2,
			(struct db_param[]){ db_bytes(secret_value(&c->crypt, &c->arena)),
				db_bytes(crypt_seal(
					&c->crypt, &c->arena, SECRET_HANDOVER, secret)) });
}

static int64_t change_secret(struct ctl *c, const struct crypt *with, struct str secret)
{
	if (db_script(c->db,
		    "create temp table fresh (of text, key bigint, was bytea, sealed bytea, mac bytea, "
		    "primary key (of, key))"))
		ctl_fail_db(c);
	seal_missing(c, with);
	ctl_commit(c);
	begin_alone(c);
	seal_missing(c, with);
	const struct rows *rows = ctl_query(c,
		"with put as (update person p set token_sealed = f.sealed, "
		"token_mac = case when p.token_mac is not null then f.mac end "
		"from fresh f where f.of = 'token' and f.key = p.id and p.token_sealed is not null "
		"returning 1), "
		"named as (update token t set sealed = f.sealed, mac = f.mac "
		"from fresh f where f.of = 'named token' and f.key = t.id returning 1), "
		"factors as (update second_factor s set sealed = f.sealed from fresh f "
		"where f.of = 'second factor' and f.key = s.person_id) "
		"select (select count(*) from put) + (select count(*) from named)",
		0, NULL);
	int64_t n = db_get_int(rows, 0, 0);
	hand_over(c, with, secret);
	/* Cookies are recognized by the old secret. */
	ask(c, STMT_SESSIONS_DELETE_ALL, 0, NULL);
	const struct audit_entry e = audit_entry(AUDIT_SECRET_ROTATE);
	ctl_audit_entry(c, &e);
	ctl_commit(c);
	/* From here on, the file may be the only copy of the secret: whether the commit was done is not known without
	   its answer. */
	const char *file = c->unfinished;
	c->unfinished = NULL;
	if (db_script(c->db, "commit"))
		ctl_fail(c,
			"%s: the outcome is unknown: keep %s; planwrightctl doctor says which of the two "
			"secrets is the right one",
			db_problem(c->db), file);
	return n;
}

void ctl_secret_rotate(struct ctl *c)
{
	const char *file = c->options[CTL_OUT];
	bool at_once = c->options[CTL_AT_ONCE] != NULL;
	struct str one = crypt_token(&c->arena), two = crypt_token(&c->arena);
	struct str secret =
		arena_printf(&c->arena, "%.*s%.*s", (int)one.n, one.p, (int)two.n, two.p);
	struct crypt with;

	if (!crypt_init(&with, secret))
		ctl_fail(c, "OpenSSL cannot derive keys: check the installation of libcrypto");
	write_secret(c, file, secret);
	int64_t n = change_secret(c, &with, secret);
	if (at_once) {
		ask(c, STMT_SECRET_TERMINATE_OTHERS, 0, NULL);
		ctl_commit(c);
	}
	printf("%lld token%s encrypted with the secret in %s: replace the old one with it%s\n",
		(long long)n, n == 1 ? " is" : "s are", file,
		at_once ? ", which is refused from now on, and restart the workers"
			: " within an hour, and reload the workers (systemctl reload planwright)");
}
