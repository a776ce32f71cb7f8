#include "http/remote_user.h"

#include "http/session_begin.h"
#include "http/sign_in.h"
#include "http/audit_log.h"
#include "lib/log.h"

enum { NAME_MAX_BYTES = 255 };

static bool is_name(struct str s)
{
	for (size_t i = 0; i < s.n; i++)
		if ((unsigned char)s.p[i] < ' ' || s.p[i] == 0x7f)
			return false;
	return s.n > 0 && s.n <= NAME_MAX_BYTES && str_is_text(s);
}

static enum rc find(struct req *r, int64_t *person, enum remote_user *found)
{
	struct rows *rows;
	*found = REMOTE_USER_UNKNOWN;
	if (!is_name(r->remote_user))
		return RC_OK;
	const struct db_param name = db_text(r->arena, r->remote_user);
	enum rc rc = sign_in_ask(r, STMT_REMOTE_USER_FIND, 1, &name, &rows);
	if (rc || db_count(rows) == 0)
		return rc;
	*person = db_get_int(rows, 0, db_column(rows, "id"));
	*found = REMOTE_USER_FOUND;
	if (db_get_bool(rows, 0, db_column(rows, "is_claimed")))
		*found = REMOTE_USER_CLAIMED;
	else if (db_get_bool(rows, 0, db_column(rows, "is_disabled")))
		*found = REMOTE_USER_DISABLED;
	return RC_OK;
}

/* Whoever took the name is not the one who was to sign in. */
static enum rc refuse(struct req *r, int64_t person, enum remote_user found)
{
	bool is_person = found == REMOTE_USER_DISABLED;
	const struct audit_log_refusal refusal = { .person = is_person ? person : 0,
		.nobody =
			is_person ? (struct str){ 0 } : STR("somebody signed in by the web server"),
		.means = STR(SESSION_OF_WEB_SERVER),
		.reason = is_person ? STR("the person is disabled")
			: found == REMOTE_USER_CLAIMED
			? arena_printf(r->arena,
				  "nobody has confirmed that it is the name of person %lld",
				  (long long)person)
			: STR("nobody here has that name") };
	log_warn("somebody signed in by the web server was refused: from %s: %s",
		r->address.n ? arena_str(r->arena, r->address).p : "-", refusal.reason.p);
	r->sign_in_refused = true;
	return audit_log_refused(r, &refusal);
}

enum rc remote_user_sign_in(struct req *r, enum remote_user *found)
{
	int64_t person = 0;
	enum rc rc = find(r, &person, found);
	if (!rc && *found == REMOTE_USER_FOUND && r->is_question) {
		r->login_id = person;
		return RC_OK;
	}
	if (!rc && *found == REMOTE_USER_FOUND) {
		rc = session_begin(r, person, SESSION_OF_WEB_SERVER);
		if (rc != RC_INVALID_AUTHENTICATION)
			return rc;
		*found = REMOTE_USER_DISABLED; /* meanwhile */
		rc = RC_OK;
	}
	return rc ? rc : refuse(r, person, *found);
}

enum rc remote_user_pass(struct req *r)
{
	enum remote_user found;
	enum rc rc = remote_user_sign_in(r, &found);
	if (rc || found == REMOTE_USER_FOUND)
		return rc;
	static const char *const words[] = {
		[REMOTE_USER_UNKNOWN] =
			"The web server has signed you in, but nobody here has the name that it gives you.",
		[REMOTE_USER_DISABLED] = "You can no longer sign in here.",
		[REMOTE_USER_CLAIMED] =
			"The web server has signed you in, but nobody has confirmed that the name that it gives you is that of the person who has it here.",
	};
	req_fail(r, RC_INVALID_AUTHENTICATION, "%s", words[found]);
	r->error.possible_fix = STR("Ask the administrator of this server.");
	return RC_INVALID_AUTHENTICATION;
}
