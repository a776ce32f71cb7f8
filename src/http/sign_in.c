#include "http/sign_in.h"

#include "domain/second_factor.h"
#include "domain/throttle.h"
#include "http/scope.h"
#include "http/audit_log.h"
#include "lib/address.h"
#include "lib/log.h"
#include "lib/totp.h"

enum { WAIT_SECONDS = 60, MOMENT_SECONDS = 1 };

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
	return sign_in_ask(r, STMT_SIGN_IN_PLACE_CREATE, 2, params, &rows);
}

void sign_in_meet(struct req *r)
{
	struct db_param param = db_int(r->arena, r->person_id);
	struct rows *rows;
	if (sign_in_ask(r, STMT_PERSON_FIRST_SEEN, 1, &param, &rows))
		log_warn(
			"the first sign-in of person %lld was not recorded; the next request will record it",
			(long long)r->person_id);
}

/* The person's second factor. */
struct factor {
	struct str sealed; /* absent: none */
	bool is_confirmed;
	int64_t last_step, now; /* now: the database's, in seconds since 1970 */
};

/* An attempt: what is stored, and the caller. */
struct attempt {
	struct str login; /* "person 12", or "nobody " and a keyed digest */
	int64_t person;   /* 0: nobody */
	bool has_token;
	struct str hash; /* absent: none */
	struct throttle throttle;
	int64_t number; /* of its row, while it is compared */
	struct factor factor;
	bool is_required; /* a second factor */
	struct req_session session;
	bool keeps_password; /* where password_sign_in is off */
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

/* The same for the audit log. */
static struct audit_log_refusal refusal(const struct attempt *t, struct str reason)
{
	enum { SHOWN_MAX = 26 };
	struct str shown = { t->login.p, t->login.n < SHOWN_MAX ? t->login.n : SHOWN_MAX };
	return (struct audit_log_refusal){ .person = t->person,
		.nobody = t->person ? (struct str){ 0 } : shown,
		.means = STR("password"),
		.reason = reason };
}

static enum rc refuse_for_now(struct req *r, const struct attempt *t, const char *why)
{
	const struct audit_log_refusal x = refusal(t, STR("too many"));
	enum rc rc = audit_log_refused(r, &x);
	if (rc)
		return rc;
	r->retry_after = WAIT_SECONDS;
	r->sign_in_refused = true;
	return req_fail(r, RC_TOO_MANY_REQUESTS, "%s", why);
}

/* A wrong password or code. */
static enum rc note_failure(struct req *r, const struct attempt *t, struct str wrong)
{
	struct arena *a = r->arena;
	bool tells = throttle_tells(&t->throttle) && conf_has_mail(r->conf);
	const struct db_param params[] = { db_int(a, t->number), db_int_or_null(a, t->person, 0),
		db_bool(a, tells), db_bool(a, str_equal_z(wrong, "code")) };
	const struct audit_log_refusal x = refusal(t, wrong);
	struct rows *rows;
	log_refusal(r, t);
	audit_log_send_refused(r, &x);
	db_send(r->db, STMT_SIGN_IN_FAILED, 4, params);
	db_commit(r->db);
	enum rc rc = audit_log_take(r);
	if (!rc)
		rc = req_next(r, &rows);
	if (!rc && (rc = db_finish(r->db)))
		rc = req_fail_db(r, rc);
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

static struct factor take_factor(struct arena *a, const struct rows *rows)
{
	int sealed = db_column(rows, "sealed");
	if (db_is_null(rows, 0, sealed))
		return (struct factor){ 0 };
	return (struct factor){
		.sealed = arena_str(a, db_get_text(rows, 0, sealed)),
		.is_confirmed = db_get_bool(rows, 0, db_column(rows, "is_confirmed")),
		.last_step = db_get_int(rows, 0, db_column(rows, "last_step")),
		.now = db_get_int(rows, 0, db_column(rows, "now")),
	};
}

static enum rc load(struct req *r, struct str login, int64_t person, struct attempt *t)
{
	struct arena *a = r->arena;
	const struct db_param params[] = { login.p ? db_text(a, login) : db_null(), network(r),
		db_bytes(sign_in_digest(r, login.p ? login : STR(""))),
		login.p ? db_null() : db_int(a, person), db_int(a, THROTTLE_CODES) };
	struct rows *rows;
	enum rc rc = sign_in_ask(r, STMT_SIGN_IN_LOAD, 5, params, &rows);
	if (rc)
		return rc;
	int id = db_column(rows, "id"), hash = db_column(rows, "password_hash");
	*t = (struct attempt){
		.login = arena_str(a, db_get_text(rows, 0, db_column(rows, "login"))),
		.person = db_is_null(rows, 0, id) ? 0 : db_get_int(rows, 0, id),
		.has_token = db_get_bool(rows, 0, db_column(rows, "has_token")),
		.throttle = { .here = db_get_int(rows, 0, db_column(rows, "here")),
			.pending = db_get_int(rows, 0, db_column(rows, "pending")),
			.others = db_get_int(rows, 0, db_column(rows, "others")),
			.codes = db_get_int(rows, 0, db_column(rows, "codes")),
			.is_known = db_get_bool(rows, 0, db_column(rows, "is_known")) },
		.factor = take_factor(a, rows),
		.keeps_password = !db_is_null(rows, 0, db_column(rows, "keeps_password")) &&
			db_get_bool(rows, 0, db_column(rows, "keeps_password")),
		.is_required = conf_requires_factor(r->conf) ||
			db_get_bool(rows, 0, db_column(rows, "is_required")),
		.session = scope_of_session(a, rows),
	};
	if (!db_is_null(rows, 0, hash))
		t->hash = arena_str(a, db_get_text(rows, 0, hash));
	return RC_OK;
}

/* It was not wrong. `known`: and its person signs in, from a network that is known from now on. */
static enum rc give_back(struct req *r, const struct attempt *t, bool known)
{
	struct arena *a = r->arena;
	const struct db_param params[] = { db_int(a, t->number),
		known && !t->throttle.is_known ? db_int(a, t->person) : db_null(), network(r) };
	struct rows *rows;
	return sign_in_ask(r, STMT_SIGN_IN_DONE, 3, params, &rows);
}

/* The same when it ends with `rc`, unless that was wrong and counts, or the database is away. */
static enum rc give_back_for(struct req *r, const struct attempt *t, enum rc rc)
{
	if (rc == RC_INVALID_AUTHENTICATION || db_has_failed(r->db))
		return rc;
	enum rc away = give_back(r, t, false);
	return away ? away : rc;
}

/* Takes one more, which counts for others before it is compared: nothing is locked meanwhile. */
static enum rc reserve(struct req *r, struct attempt *t)
{
	struct arena *a = r->arena;
	struct db_param params[] = { db_text(a, t->login), network(r), db_null() };
	struct rows *rows;
	enum rc rc = sign_in_ask(r, STMT_SIGN_IN_TRY, 2, params, &rows);
	if (rc)
		return rc;
	t->number = db_get_int(rows, 0, 0);
	params[2] = db_int(a, t->number);
	if ((rc = sign_in_ask(r, STMT_SIGN_IN_TRIES, 3, params, &rows)))
		return rc;
	t->throttle.here = db_get_int(rows, 0, 0);
	t->throttle.pending = db_get_int(rows, 0, 1);
	return throttle_lets(&t->throttle) ? RC_OK : give_back(r, t, false);
}

static enum rc refuse_for_a_moment(struct req *r)
{
	r->retry_after = MOMENT_SECONDS;
	return req_fail(r, RC_TOO_MANY_REQUESTS,
		"Too many sign-ins from here are being checked at the moment: try again.");
}

/* Loads the attempt, if one more is allowed. */
static enum rc begin(struct req *r, struct str login, int64_t person, struct attempt *t)
{
	enum rc rc = load(r, login, person, t);
	if (!rc && throttle_lets(&t->throttle))
		rc = reserve(r, t);
	if (rc || throttle_lets(&t->throttle))
		return rc;
	if (throttle_waits(&t->throttle))
		return refuse_for_a_moment(r);
	log_refusal(r, t);
	return refuse_for_now(r, t, "Too many wrong passwords from here: wait, and try again.");
}

/* Second factors ----------------------------------------------------------------- */

static enum rc refuse_code(struct req *r, const struct attempt *t)
{
	enum rc rc = note_failure(r, t, STR("code"));
	if (rc == RC_INVALID_AUTHENTICATION)
		r->error.possible_fix =
			STR("Recheck the code: each is valid once, and only while it is shown. The "
			    "clock of the device must be right.");
	return rc;
}

static enum rc open_secret(struct req *r, const struct attempt *t, struct str *secret)
{
	*secret = crypt_open(r->crypt, r->arena, t->person, t->factor.sealed);
	if (secret->p)
		return RC_OK;
	log_warn("the second factor of person %lld was encrypted with another secret",
		(long long)t->person);
	r->secret_is_old = true;
	return RC_UNAVAILABLE;
}

/* Recovery codes are also logged: there are only ten. */
static enum rc use_recovery(struct req *r, const struct attempt *t, struct str secret,
	struct str code, struct rows **rows)
{
	const struct audit_entry e = audit_entry_of_person(AUDIT_RECOVERY_CODE, t->person);
	const struct db_param params[] = { db_int(r->arena, t->person),
		db_bytes(crypt_mac_with(r->arena, secret, code)) };
	enum rc rc = audit_log_ask(r, STMT_SECOND_FACTOR_USE_RECOVERY, 2, params, rows);
	return rc ? rc
		  : audit_log_end_as(r, t->person, STR("password"), db_count(*rows) ? &e : NULL);
}

/* No row: the code is wrong, or was used before. */
static enum rc use_code(struct req *r, const struct attempt *t, struct str secret, struct str code,
	struct rows **rows)
{
	struct arena *a = r->arena;
	const struct factor *f = &t->factor;
	if (!second_factor_is_step(code))
		return use_recovery(r, t, secret, code, rows);
	const struct db_param params[] = { db_int(a, t->person), db_bytes(f->sealed),
		db_int(a, totp_find(a, secret, code, f->now, f->last_step)) };
	return sign_in_ask(r, STMT_SECOND_FACTOR_USE_STEP, 3, params, rows);
}

static enum rc check_code(struct req *r, const struct attempt *t, struct str code)
{
	struct str secret;
	struct rows *rows;
	if (!code.p)
		return RC_SECOND_FACTOR_REQUIRED;
	if (!throttle_lets_code(&t->throttle))
		return refuse_for_now(r, t,
			"Too many wrong codes within an hour: wait, or sign in from a place where "
			"you did before. Somebody knows your password if they were not yours.");
	enum rc rc = open_secret(r, t, &secret);
	if (!rc)
		rc = use_code(r, t, secret, second_factor_tidy(r->arena, code), &rows);
	if (rc)
		return rc;
	return db_count(rows) ? RC_OK : refuse_code(r, t);
}

static enum rc check_first_code(
	struct req *r, const struct attempt *t, struct str code, struct sign_in_enrolment *found)
{
	const struct factor *f = &t->factor;
	if (!f->sealed.p || f->is_confirmed)
		return req_fail(r, RC_INVALID_PARAMETER, "%s",
			f->is_confirmed ? SIGN_IN_FACTOR_IS_ON
					: "No second factor is waiting for its first code: start "
					  "with POST /my/second_factor.");
	found->sealed = f->sealed;
	enum rc rc = open_secret(r, t, &found->secret);
	if (rc)
		return rc;
	found->step = totp_find(
		r->arena, found->secret, second_factor_tidy(r->arena, code), f->now, f->last_step);
	return found->step == TOTP_NONE ? refuse_code(r, t) : RC_OK;
}

enum rc sign_in_enrol(struct req *r, struct str code, struct sign_in_enrolment *found)
{
	struct attempt t;
	enum rc rc = begin(r, (struct str){ 0 }, r->person_id, &t);
	if (rc)
		return rc;
	return give_back_for(r, &t, check_first_code(r, &t, code, found));
}

/* People who sign in through a provider may still have a password for other proofs. */
static enum rc refuse_passwords(struct req *r)
{
	req_fail(r, RC_UNAUTHORIZED_OPERATION,
		"Signing in with a password is off on this server (setting password_sign_in).");
	r->error.possible_fix = arena_printf(r->arena,
		"Sign in at %s/signin; programs send an API token. The administrator of the "
		"server can let a person keep their password, with planwrightctl.",
		r->conf->base_url);
	return RC_UNAUTHORIZED_OPERATION;
}

/* --------------------------------------------------------------------------------- */

enum rc sign_in(struct req *r, const struct sign_in_proof *proof, struct sign_in *found)
{
	struct attempt t;
	enum rc rc = begin(r, proof->login, proof->person, &t);
	if (rc)
		return rc;
	if (!crypt_check_password(t.hash, proof->password))
		return note_failure(r, &t, STR("password"));
	if (proof->lets_in && !r->conf->password_sign_in && !t.keeps_password)
		rc = refuse_passwords(r);
	else if (proof->asks_code && t.factor.is_confirmed)
		rc = check_code(r, &t, proof->code);
	if (rc)
		return give_back_for(r, &t, rc);
	*found = (struct sign_in){ t.person, t.has_token,
		.must_enrol = t.is_required && !t.factor.is_confirmed, .session = t.session };
	return give_back(r, &t, true);
}

enum rc sign_in_again(struct req *r, bool lets_in)
{
	struct sign_in found;
	const struct sign_in_proof proof = { .person = r->person_id,
		.password = body_string(r->body, "password"),
		.lets_in = lets_in,
		.asks_code = true,
		.code = body_string(r->body, "code") };
	return sign_in(r, &proof, &found);
}
