#include "http/session_begin.h"

#include <string.h>

#include "http/cookie.h"
#include "http/sign_in.h"
#include "http/audit_log.h"

enum { AGENT_MAX = 200 };

/* What the browser calls itself, so that people recognize it. */
static struct db_param agent_of(struct req *r)
{
	struct str s = r->agent;
	if (!s.p || !str_is_text(s))
		return db_text(r->arena, STR(""));
	if (s.n > AGENT_MAX)
		for (s.n = AGENT_MAX; s.n && (s.p[s.n] & 0xc0) == 0x80; s.n--)
			;
	return db_text(r->arena, s);
}

static struct str means_of(struct req *r, const char *provider)
{
	if (provider && !strcmp(provider, SESSION_OF_WEB_SERVER))
		return STR(SESSION_OF_WEB_SERVER);
	if (provider && !strcmp(provider, SESSION_OF_PASSKEY))
		return STR("passkey");
	return provider ? arena_printf(r->arena, "provider:%s", provider) : STR("password");
}

enum rc session_begin(struct req *r, int64_t person, const char *provider)
{
	struct str one = crypt_token(r->arena), two = crypt_token(r->arena);
	struct str secret =
		arena_printf(r->arena, "%.*s%.*s", (int)one.n, one.p, (int)two.n, two.p);
	const struct db_param params[] = { db_bytes(crypt_mac(r->crypt, r->arena, secret)),
		db_int(r->arena, person), agent_of(r), db_text(r->arena, str_of(provider)),
		db_int(r->arena, r->conf->session_max_hours) };
	struct audit_entry e = audit_entry_of_person(AUDIT_SIGN_IN, person);
	struct rows *rows;
	enum rc rc = audit_log_ask(r, STMT_SESSION_BEGIN, 5, params, &rows);
	if (rc)
		return rc;
	if (db_count(rows) == 0)
		return sign_in_refuse(r);
	e.kind = "session";
	e.id = r->session_id = db_get_int(rows, 0, 0);
	if ((rc = audit_log_end_as(r, person, means_of(r, provider), &e)))
		return rc;
	r->login_id = person;
	r->tells_sign_in = true;
	int64_t most = r->conf->session_max_hours * 3600;
	cookie_set(r, REQ_COOKIE_SESSION, secret,
		most < SESSION_IDLE_SECONDS ? most : SESSION_IDLE_SECONDS);
	return RC_OK;
}
