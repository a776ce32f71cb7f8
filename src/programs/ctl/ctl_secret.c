/* planwrightctl secret: another secret for the tokens that are there. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "programs/ctl/ctl.h"
#include "store/secret.h"

static struct rows *ask(struct ctl *c, enum stmt stmt, int n, const struct db_param *params)
{
	return ctl_query(c, stmt_texts[stmt].sql, n, params);
}

/* A new file, which only its owner reads. */
static void write_secret(struct ctl *c, const char *name, struct str secret)
{
	int fd = open(name, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);

	if (fd < 0)
		ctl_fail(c, "%s cannot be made: %s: name a new file with --out", name,
			strerror(errno));
	c->unfinished = name;
	if (write(fd, secret.p, secret.n) != (ssize_t)secret.n || write(fd, "\n", 1) != 1 ||
		fsync(fd) != 0)
		ctl_fail(c, "%s cannot be written: %s", name, strerror(errno));
	close(fd);
}

static void put_token(struct ctl *c, const struct crypt *with, const struct rows *rows, int i)
{
	int64_t id = db_get_int(rows, i, 0);
	struct str token = crypt_open(&c->crypt, &c->arena, id, db_get_text(rows, i, 1));

	if (!token.p)
		ctl_fail(c,
			"the token of person %lld was made with another secret: nothing is changed",
			(long long)id);
	ask(c, STMT_SECRET_PUT_TOKEN, 3,
		(struct db_param[]){ db_int(&c->arena, id),
			db_bytes(crypt_seal(with, &c->arena, id, token)),
			db_bytes(crypt_mac(with, &c->arena, token)) });
}

void ctl_secret_rotate(struct ctl *c)
{
	const char *file = c->options[CTL_OUT];
	struct str one = crypt_token(&c->arena), two = crypt_token(&c->arena);
	struct str secret =
		arena_printf(&c->arena, "%.*s%.*s", (int)one.n, one.p, (int)two.n, two.p);
	struct crypt with;

	if (!crypt_init(&with, secret))
		ctl_fail(c, "OpenSSL derives no keys: check the installation of libcrypto");
	write_secret(c, file, secret);
	/* Nobody gets a token meanwhile. */
	if (db_script(c->db,
		    "begin; set local statement_timeout = 0; "
		    "lock table person in exclusive mode"))
		ctl_fail_db(c);
	const struct rows *rows = ask(c, STMT_SECRET_TOKENS, 0, NULL);
	int n = db_count(rows);
	for (int i = 0; i < n; i++)
		put_token(c, &with, rows, i);
	struct db_param value = db_bytes(secret_value(&with, &c->arena));
	ask(c, STMT_SECRET_PUT, 1, &value);
	ask(c, STMT_SESSION_CLEAR, 0, NULL);
	ctl_commit(c);
	if (db_script(c->db, "commit"))
		ctl_fail_db(c);
	c->unfinished = NULL;
	ask(c, STMT_SECRET_END_OTHERS, 0, NULL);
	ctl_commit(c);
	printf("%d token%s sealed with the secret in %s: put it in the place of the old one, which "
	       "is refused from now on, and restart the workers\n",
		n, n == 1 ? " is" : "s are", file);
}
