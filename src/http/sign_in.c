#include "http/sign_in.h"

#include "domain/throttle.h"
#include "lib/address.h"
#include "lib/log.h"

enum { WAIT_SECONDS = 60 };

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

struct str sign_in_network(const struct req *r)
{
	return address_network(r->arena, r->address.p ? r->address : STR(""));
}

static struct db_param network(const struct req *r)
{
	return db_text(r->arena, sign_in_network(r));
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
		log_warn(
			"the first sign-in of person %lld was not recorded; the next request will record it",
			(long long)r->person_id);
}

/* The stored hash, and the caller. */
struct attempt {
	struct str login; /* "person 12", or "nobody " and a keyed digest */
	int64_t person;   /* 0: nobody */
	bool has_token;
	struct str hash; /* absent: none */
	struct throttle throttle;
};

/*
 * For tools that count attempts: the address comes first, since nobody can choose it. A typed
 * name may be a password or a token, so an unknown one is logged as the beginning of its digest.
 */
static void log_refusal(struct req *r, const struct attempt *t)
{
	enum { SHOWN_MAX = 26 };
	int n = t->login.n < SHOWN_MAX ? (int)t->login.n : SHOWN_MAX;
	log_warn("a sign-in was refused: from %s, %.*s",
		r->address.n ? arena_str(r->arena, r->address).p : "-", n, t->login.p);
}

static enum rc refuse_for_now(struct req *r)
{
	r->retry_after = WAIT_SECONDS;
	r->sign_in_refused = true;
	return req_fail(r, RC_TOO_MANY_REQUESTS,
		"Too many wrong passwords from here: wait, and try again.");
}

static enum rc note_failure(struct req *r, const struct attempt *t)
{
	struct arena *a = r->arena;
	bool tells = throttle_tells(&t->throttle) && conf_has_mail(r->conf);
	const struct db_param params[] = { db_text(a, t->login), network(r),
		t->person ? db_int(a, t->person) : db_null(), db_bool(a, tells) };
	struct rows *rows;
	enum rc rc = sign_in_ask(r, STMT_SIGN_IN_FAILED, 4, params, &rows);
	r->sign_in_refused = true;
	return rc ? rc : sign_in_refuse(r);
}

/* Lower-cases ASCII; the database handles other letters. */
struct str sign_in_digest(const struct req *r, struct str login)
{
	char *z = arena_alloc(r->arena, login.n + 1);
	for (size_t i = 0; i < login.n; i++)
		z[i] = login.p[i] >= 'A' && login.p[i] <= 'Z' ? (char)(login.p[i] - 'A' + 'a')
							      : login.p[i];
	return crypt_mac(r->crypt, r->arena, (struct str){ z, login.n });
}

static enum rc load(struct req *r, struct str login, int64_t person, struct attempt *t)
{
	struct arena *a = r->arena;
	const struct db_param params[] = { login.p ? db_text(a, login) : db_null(), network(r),
		db_bytes(sign_in_digest(r, login.p ? login : STR(""))),
		login.p ? db_null() : db_int(a, person) };
	struct rows *rows;
	enum rc rc = sign_in_ask(r, STMT_SIGN_IN_LOAD, 4, params, &rows);
	if (rc)
		return rc;
	int id = db_column(rows, "id"), hash = db_column(rows, "password_hash");
	*t = (struct attempt){
		.login = arena_str(a, db_get_text(rows, 0, db_column(rows, "login"))),
		.person = db_is_null(rows, 0, id) ? 0 : db_get_int(rows, 0, id),
		.has_token = db_get_bool(rows, 0, db_column(rows, "has_token")),
		.throttle = { .here = db_get_int(rows, 0, db_column(rows, "here")),
			.others = db_get_int(rows, 0, db_column(rows, "others")),
			.is_known = db_get_bool(rows, 0, db_column(rows, "is_known")) },
	};
	if (!db_is_null(rows, 0, hash))
		t->hash = arena_str(a, db_get_text(rows, 0, hash));
	return RC_OK;
}

enum rc sign_in(
	struct req *r, struct str login, int64_t person, struct str password, struct sign_in *found)
{
	struct attempt t;
	enum rc rc = load(r, login, person, &t);
	if (rc)
		return rc;
	if (!throttle_lets(&t.throttle)) {
		log_refusal(r, &t);
		return refuse_for_now(r);
	}
	if (!crypt_check_password(t.hash, password)) {
		log_refusal(r, &t);
		return note_failure(r, &t);
	}
	*found = (struct sign_in){ t.person, t.has_token };
	return t.throttle.is_known ? RC_OK : sign_in_note(r, found->person);
}
