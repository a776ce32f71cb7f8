#include "http/sign_in.h"

#include <ctype.h>

#include "lib/address.h"
#include "lib/log.h"

enum { FAILURES_MAX = 10, WAIT_SECONDS = 60 };

enum rc sign_in_ask(
	struct req *r, enum stmt stmt, int n, const struct db_param *params, struct rows **rows)
{
	db_send(r->db, stmt, n, params);
	db_commit(r->db);
	enum rc rc = db_next(r->db, rows);
	if (!rc)
		rc = db_finish(r->db);
	return rc ? req_fail_db(r, rc) : RC_OK;
}

enum rc sign_in_refuse(struct req *r)
{
	r->error = (struct req_error){
		.possible_fix =
			STR("Recheck your name (email address or Tracker username) and password.")
	};
	return RC_INVALID_AUTHENTICATION;
}

static struct db_param network(const struct req *r)
{
	return db_text(r->arena, address_network(r->arena, r->address.p ? r->address : STR("")));
}

enum rc sign_in_note(struct req *r, int64_t person)
{
	const struct db_param params[] = { db_int(r->arena, person), network(r) };
	struct rows *rows;
	return sign_in_ask(r, STMT_SIGN_IN_DONE, 2, params, &rows);
}

void sign_in_meet(struct req *r)
{
	struct db_param param = db_int(r->arena, r->person_id);
	struct rows *rows;
	if (sign_in_ask(r, STMT_PERSON_MET, 1, &param, &rows))
		log_warn("the first sign-in of person %lld is not noted; the next request notes it",
			(long long)r->person_id);
}

/* Some put a token where the login belongs, and no log holds one. */
static bool is_like_token(struct str s)
{
	size_t run = 0;
	for (size_t i = 0; i < s.n && run < 32; i++)
		run = isxdigit((unsigned char)s.p[i]) ? run + 1 : 0;
	return run == 32;
}

/* For who counts attempts: the address in front, which nobody can choose. */
static void log_refusal(struct req *r, struct str login, int64_t person)
{
	enum { SHOWN_MAX = 100 };
	int n = login.n < SHOWN_MAX ? (int)login.n : SHOWN_MAX;
	const char *address = r->address.n ? arena_str(r->arena, r->address).p : "-";
	if (!login.p)
		log_warn("a sign-in was refused: from %s, person %lld", address, (long long)person);
	else if (is_like_token(login))
		log_warn("a sign-in was refused: from %s, with what looks like a token", address);
	else
		log_warn("a sign-in was refused: from %s, login %.*s", address, n, login.p);
}

static enum rc refuse_for_now(struct req *r)
{
	r->retry_after = WAIT_SECONDS;
	r->sign_in_refused = true;
	return req_fail(r, RC_TOO_MANY_REQUESTS,
		"The password was wrong too often: wait, or sign in from where you did before.");
}

static enum rc note_failure(struct req *r, struct str login)
{
	struct db_param param = db_text(r->arena, login);
	struct rows *rows;
	enum rc rc = sign_in_ask(r, STMT_SIGN_IN_FAILED, 1, &param, &rows);
	r->sign_in_refused = true;
	return rc ? rc : sign_in_refuse(r);
}

/* Capitals of ASCII; of others the database knows more. */
struct str sign_in_digest(const struct req *r, struct str login)
{
	char *z = arena_alloc(r->arena, login.n + 1);
	for (size_t i = 0; i < login.n; i++)
		z[i] = login.p[i] >= 'A' && login.p[i] <= 'Z' ? (char)(login.p[i] - 'A' + 'a')
							      : login.p[i];
	return crypt_mac(r->crypt, r->arena, (struct str){ z, login.n });
}

enum rc sign_in(
	struct req *r, struct str login, int64_t person, struct str password, struct sign_in *found)
{
	struct arena *a = r->arena;
	const struct db_param params[] = { login.p ? db_text(a, login) : db_null(), network(r),
		db_bytes(sign_in_digest(r, login.p ? login : STR(""))),
		login.p ? db_null() : db_int(a, person) };
	struct rows *rows;
	enum rc rc = sign_in_ask(r, STMT_SIGN_IN_LOAD, 4, params, &rows);
	if (rc)
		return rc;
	bool is_known = db_get_bool(rows, 0, db_column(rows, "is_known"));
	if (!is_known && db_get_int(rows, 0, db_column(rows, "failures")) >= FAILURES_MAX) {
		log_refusal(r, login, person);
		return refuse_for_now(r);
	}
	int hash = db_column(rows, "password_hash");
	struct str key = arena_str(a, db_get_text(rows, 0, db_column(rows, "login")));
	if (!crypt_check_password(
		    db_is_null(rows, 0, hash) ? (struct str){ 0 } : db_get_text(rows, 0, hash),
		    password)) {
		log_refusal(r, login, person);
		return note_failure(r, key);
	}
	*found = (struct sign_in){ db_get_int(rows, 0, db_column(rows, "id")),
		db_get_bool(rows, 0, db_column(rows, "has_token")) };
	return is_known ? RC_OK : sign_in_note(r, found->person);
}
