#include "api/oidc_flow.h"

#include "http/cookie.h"
#include "http/sign_in.h"
#include "lib/base64url.h"

enum { SECRET_CHARS = 2 * CRYPT_TOKEN_CHARS, LIFE_SECONDS = 600 };

struct str oidc_flow_redirect(
	struct arena *a, const struct conf *conf, const struct conf_oidc *provider)
{
	return arena_printf(a, "%s/session/oidc/%s/callback", conf->base_url, provider->name);
}

/* The browser's secret; absent: it has none. */
static struct str find_secret(const struct req *r)
{
	struct str secret = cookie_find(r, REQ_COOKIE_SIGN_IN);
	return secret.n == SECRET_CHARS ? secret : (struct str){ 0 };
}

/* An existing secret is kept, so that two windows can sign in. */
static struct str give_secret(struct req *r)
{
	struct str secret = find_secret(r);
	if (!secret.p) {
		struct str one = crypt_token(r->arena), two = crypt_token(r->arena);
		secret = arena_printf(r->arena, "%.*s%.*s", (int)one.n, one.p, (int)two.n, two.p);
	}
	cookie_set(r, REQ_COOKIE_SIGN_IN, secret, LIFE_SECONDS);
	return secret;
}

static struct str derive(struct arena *a, struct str secret, const char *what, struct str state)
{
	struct str text = arena_printf(a, "%s %.*s", what, (int)state.n, state.p);
	return base64url_encode(a, crypt_mac_with(a, secret, text));
}

static struct db_param mac_of(struct req *r, const char *what, struct str value)
{
	return db_bytes(crypt_mac(r->crypt, r->arena,
		arena_printf(r->arena, "%s %.*s", what, (int)value.n, value.p)));
}

enum rc oidc_flow_begin(struct req *r, const struct oidc_provider *p, struct str target,
	int64_t session, struct str *address)
{
	struct arena *a = r->arena;
	struct str secret = give_secret(r), state = crypt_token(a);
	struct rows *rows;
	const struct db_param params[] = { mac_of(r, "state", state), mac_of(r, "browser", secret),
		db_text(a, str_of(p->conf->name)), db_text(a, target),
		db_text(a, sign_in_network(r)), db_int_or_null(a, session, 0) };
	const struct discovery_request q = { .client_id = str_of(p->conf->client_id),
		.redirect = oidc_flow_redirect(a, r->conf, p->conf),
		.state = state,
		.nonce = derive(a, secret, "nonce", state),
		.verifier = derive(a, secret, "verifier", state) };
	*address = discovery_authorization(a, p->discovery.authorization, &q);
	return sign_in_ask(r, STMT_SIGN_IN_FLOW_BEGIN, 6, params, &rows);
}

enum rc oidc_flow_end(struct req *r, const struct conf_oidc *conf, struct str state,
	struct oidc_flow *flow, const char **problem)
{
	struct str secret = find_secret(r);
	struct rows *rows;
	*problem = "this browser did not begin it";
	if (!secret.p || state.n != CRYPT_TOKEN_CHARS)
		return RC_OK;
	const struct db_param params[] = { mac_of(r, "state", state),
		mac_of(r, "browser", secret) };
	enum rc rc = sign_in_ask(r, STMT_SIGN_IN_FLOW_END, 2, params, &rows);
	if (rc)
		return rc;
	*problem = "its state is unknown, was used, or is older than ten minutes";
	if (db_count(rows) == 0)
		return RC_OK;
	*problem = "it began with another provider";
	if (!str_equal_z(db_get_text(rows, 0, db_column(rows, "provider")), conf->name))
		return RC_OK;
	*flow = (struct oidc_flow){ .target = arena_str(r->arena,
					    db_get_text(rows, 0, db_column(rows, "target"))),
		.nonce = derive(r->arena, secret, "nonce", state),
		.verifier = derive(r->arena, secret, "verifier", state),
		.links = !db_is_null(rows, 0, db_column(rows, "session_id")),
		.session = db_int_or_0(rows, 0, db_column(rows, "session_id")),
		.person = db_int_or_0(rows, 0, db_column(rows, "person_id")),
		.now = db_get_int(rows, 0, db_column(rows, "now")) };
	*problem = NULL;
	return RC_OK;
}
