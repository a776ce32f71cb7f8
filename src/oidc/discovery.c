#include "oidc/discovery.h"

#include <openssl/sha.h>
#include <string.h>

#include "lib/address.h"
#include "lib/base64url.h"

enum { ADDRESS_MAX = 1000 };

struct str discovery_address(struct arena *a, struct str issuer)
{
	if (issuer.n && issuer.p[issuer.n - 1] == '/')
		issuer.n--;
	return arena_printf(a, "%.*s/.well-known/openid-configuration", (int)issuer.n, issuer.p);
}

/* Addresses ------------------------------------------------------------------------- */

struct str discovery_origin(struct str address)
{
	struct str rest = address, scheme = str_cut(&rest, ':');
	size_t n = 2;
	if (!str_equal_z(scheme, "https") && !str_equal_z(scheme, "http"))
		return (struct str){ 0 };
	if (address.n > ADDRESS_MAX || !rest.p || rest.n < 3 || memcmp(rest.p, "//", 2) != 0)
		return (struct str){ 0 };
	for (size_t i = 0; i < rest.n; i++)
		if (rest.p[i] <= ' ' || rest.p[i] > '~' || strchr("\\\"<>#", rest.p[i]))
			return (struct str){ 0 };
	while (n < rest.n && !strchr("/?", rest.p[n]))
		if (rest.p[n++] == '@')
			return (struct str){ 0 };
	return n > 2 ? (struct str){ address.p, scheme.n + 1 + n } : (struct str){ 0 };
}

static bool may_be_asked(struct str address, struct str issuer)
{
	struct str origin = discovery_origin(address);
	return origin.p &&
		(str_equal(origin, discovery_origin(issuer)) || !memcmp(origin.p, "https:", 6));
}

/* The document ------------------------------------------------------------------------ */

/* Whether a list of texts is absent or contains this one. */
static bool lists(const struct body *document, const char *name, const char *value)
{
	const struct body *list = body_get(document, name);
	if (!list)
		return true;
	for (const struct body *v = list->type == BODY_ARRAY ? list->first : NULL; v; v = v->next)
		if (v->type == BODY_TEXT && str_equal_z(v->text, value))
			return true;
	return false;
}

static bool is_true(const struct body *document, const char *name)
{
	const struct body *v = body_get(document, name);
	return v && v->type == BODY_BOOL && v->boolean;
}

static const char *check(const struct body *document, struct str issuer, const struct discovery *d)
{
	if (!str_equal(body_string(document, "issuer"), issuer))
		return "the provider's document names another issuer than the setting; they must "
		       "be the same, to the last slash";
	if (!may_be_asked(d->authorization, issuer) || !may_be_asked(d->token, issuer) ||
		!may_be_asked(d->keys, issuer))
		return "the provider's document lacks an address, or names one without https";
	if (!lists(document, "response_types_supported", "code"))
		return "the provider does not offer the authorization code flow";
	if (!lists(document, "code_challenge_methods_supported", "S256"))
		return "the provider does not offer PKCE with S256";
	return NULL;
}

const char *discovery_read(
	struct arena *a, struct str document, struct str issuer, struct discovery *found)
{
	const char *problem;
	const char *const basic = "client_secret_basic", *const post = "client_secret_post";
	const char *const methods = "token_endpoint_auth_methods_supported";
	const struct body *v = body_parse(a, document, &problem);
	if (!v || v->type != BODY_OBJECT)
		return "the provider's document is not a JSON object";
	*found = (struct discovery){ .authorization = body_string(v, "authorization_endpoint"),
		.token = body_string(v, "token_endpoint"),
		.keys = body_string(v, "jwks_uri"),
		.end_session = body_string(v, "end_session_endpoint"),
		.names_issuer = is_true(v, "authorization_response_iss_parameter_supported"),
		.takes_post = !lists(v, methods, basic) && lists(v, methods, post) };
	if (!may_be_asked(found->end_session, issuer))
		found->end_session = (struct str){ 0 };
	return check(v, issuer, found);
}

/* What browsers are sent to ------------------------------------------------------------- */

struct str discovery_encode(struct arena *a, struct str s)
{
	static const char digits[] = "0123456789ABCDEF";
	char *to = arena_alloc(a, 3 * s.n + 1);
	size_t n = 0;
	for (size_t i = 0; i < s.n; i++) {
		char c = s.p[i];
		bool is_plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
			(c >= '0' && c <= '9') || (c && strchr("-._~", c));
		if (is_plain) {
			to[n++] = c;
			continue;
		}
		to[n++] = '%';
		to[n++] = digits[(unsigned char)c >> 4];
		to[n++] = digits[c & 15];
	}
	return (struct str){ to, n };
}

static char separator(struct str address)
{
	return memchr(address.p, '?', address.n) ? '&' : '?';
}

struct str discovery_authorization(
	struct arena *a, struct str endpoint, const struct discovery_request *q)
{
	unsigned char digest[SHA256_DIGEST_LENGTH];
	SHA256((const unsigned char *)q->verifier.p, q->verifier.n, digest);
	struct str challenge =
		base64url_encode(a, (struct str){ (const char *)digest, sizeof digest });
	return arena_printf(a,
		"%.*s%cresponse_type=code&scope=openid%%20email%%20profile&client_id=%s"
		"&redirect_uri=%s&state=%s&nonce=%s&code_challenge=%s&code_challenge_method=S256",
		(int)endpoint.n, endpoint.p, separator(endpoint),
		discovery_encode(a, q->client_id).p, discovery_encode(a, q->redirect).p,
		discovery_encode(a, q->state).p, discovery_encode(a, q->nonce).p, challenge.p);
}

struct str discovery_end_session(
	struct arena *a, const struct discovery *d, struct str client_id, struct str back)
{
	if (!d->end_session.p)
		return (struct str){ 0 };
	return arena_printf(a, "%.*s%cclient_id=%s&post_logout_redirect_uri=%s",
		(int)d->end_session.n, d->end_session.p, separator(d->end_session),
		discovery_encode(a, client_id).p, discovery_encode(a, back).p);
}
