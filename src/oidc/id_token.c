#include "oidc/id_token.h"

#include <string.h>

#include "lib/base64url.h"

enum { EMAIL_MAX = 255, NAME_MAX_CHARS = 255, USERNAME_MAX_CHARS = 100 };

static bool has_controls(struct str s)
{
	for (size_t i = 0; i < s.n; i++)
		if ((unsigned char)s.p[i] < ' ' || s.p[i] == 0x7f)
			return true;
	return false;
}

/* The three parts --------------------------------------------------------------- */

struct parts {
	struct str head, claims, signature;
	struct str text; /* the signed part */
};

static bool cut(struct str token, struct parts *p)
{
	struct str rest = token;
	p->head = str_cut(&rest, '.');
	p->claims = str_cut(&rest, '.');
	p->signature = rest;
	p->text = (struct str){ token.p, p->head.n + 1 + p->claims.n };
	return token.n <= ID_TOKEN_MAX && rest.p && !memchr(rest.p, '.', rest.n);
}

static const struct body *object_of(struct arena *a, struct str part)
{
	const char *problem;
	struct str json = base64url_decode(a, part);
	struct body *v = json.n ? body_parse(a, json, &problem) : NULL;
	return v && v->type == BODY_OBJECT ? v : NULL;
}

static const char *check_signature(struct arena *a, const struct parts *p, const struct body *head,
	const struct body *keys, bool *is_unknown)
{
	struct str signature = base64url_decode(a, p->signature);
	enum jwk_alg alg = jwk_alg(body_string(head, "alg"));
	if (alg == JWK_NO_ALG)
		return "the ID token is signed with another algorithm than RS256, ES256 or EdDSA";
	if (body_get(head, "crit"))
		return "the ID token requires an unknown extension";
	if (body_get(head, "kid") && !body_string(head, "kid").p)
		return "the ID token names its key with something other than text";
	if (!signature.n)
		return "the ID token has no signature";
	switch (jwk_verify(a, keys, alg, body_string(head, "kid"), p->text, signature)) {
	case JWK_GOOD: return NULL;
	case JWK_WRONG: return "the signature of the ID token is wrong";
	case JWK_UNKNOWN: break;
	}
	*is_unknown = true;
	return "the ID token is signed with a key that the provider does not name";
}

/* What it says -------------------------------------------------------------------- */

/* Seconds since 1970, perhaps with a fraction. */
static bool take_time(const struct body *claims, const char *name, int64_t *at)
{
	static const double limit = 1e12;
	const struct body *v = body_get(claims, name);
	if (v && v->type == BODY_INT)
		*at = v->integer;
	else if (v && v->type == BODY_FLOAT && v->number > 0 && v->number < limit)
		*at = (int64_t)v->number;
	else
		return false;
	return *at > 0 && *at < (int64_t)limit;
}

static const char *check_times(const struct body *claims, int64_t now)
{
	int64_t exp, iat, nbf;
	if (!take_time(claims, "exp", &exp) || !take_time(claims, "iat", &iat))
		return "the ID token does not say when it was issued and when it expires";
	if (exp <= now - ID_TOKEN_SKEW_SECONDS)
		return "the ID token has expired; is a clock wrong?";
	if (iat > now + ID_TOKEN_SKEW_SECONDS)
		return "the ID token was issued in the future; is a clock wrong?";
	if (iat < now - ID_TOKEN_AGE_MAX_SECONDS - ID_TOKEN_SKEW_SECONDS)
		return "the ID token is older than ten minutes; is a clock wrong?";
	if (body_get(claims, "nbf") &&
		(!take_time(claims, "nbf", &nbf) || nbf > now + ID_TOKEN_SKEW_SECONDS))
		return "the ID token is not valid yet; is a clock wrong?";
	return NULL;
}

static const char *check_audience(const struct body *claims, struct str client_id)
{
	const struct body *aud = body_get(claims, "aud"), *azp = body_get(claims, "azp");
	bool is_named = false;
	if (!aud || (aud->type != BODY_TEXT && aud->type != BODY_ARRAY))
		return "the ID token does not say whom it is for";
	if (aud->type == BODY_TEXT)
		is_named = str_equal(aud->text, client_id);
	for (const struct body *v = aud->type == BODY_ARRAY ? aud->first : NULL; v; v = v->next)
		is_named = is_named || (v->type == BODY_TEXT && str_equal(v->text, client_id));
	if (!is_named)
		return "the ID token is for another client";
	if (azp && !(azp->type == BODY_TEXT && str_equal(azp->text, client_id)))
		return "the ID token was issued to another client";
	if (!azp && aud->type == BODY_ARRAY && aud->count > 1)
		return "the ID token is for several clients and does not say to which it was "
		       "issued";
	return NULL;
}

static const char *check_claims(const struct body *claims, const struct id_token_wanted *w)
{
	struct str nonce = body_string(claims, "nonce"), sub = body_string(claims, "sub");
	if (!str_equal(body_string(claims, "iss"), w->issuer) || !w->issuer.n)
		return "the ID token comes from another issuer";
	const char *problem = check_audience(claims, w->client_id);
	if (!problem)
		problem = check_times(claims, w->now);
	if (problem)
		return problem;
	if (!nonce.n || !str_equal(nonce, w->nonce))
		return "the ID token belongs to another sign-in: its nonce is wrong";
	if (!sub.n || sub.n > ID_TOKEN_SUBJECT_MAX || has_controls(sub))
		return "the ID token does not say who signs in, or not in 1 to 255 bytes without control characters";
	return NULL;
}

/* Its person ------------------------------------------------------------------------- */

/* The first characters of a one-line text; null if it is blank or has control characters. */
static struct str beginning(struct str s, size_t max)
{
	s = str_trim(s);
	size_t chars = 0, n = 0;
	if (has_controls(s))
		return (struct str){ 0 };
	for (; n < s.n; n++)
		if ((s.p[n] & 0xc0) != 0x80 && chars++ == max)
			break;
	s.n = n;
	return s.p && !str_is_blank(s) ? str_trim(s) : (struct str){ 0 };
}

static struct str email_of(const struct body *claims)
{
	struct str email = body_string(claims, "email");
	const char *at = email.n ? memchr(email.p, '@', email.n) : NULL;
	bool is_one = at && at > email.p && at + 1 < email.p + email.n &&
		str_count_chars(email) <= EMAIL_MAX;
	for (size_t i = 0; i < email.n; i++)
		is_one = is_one && (unsigned char)email.p[i] > ' ' && email.p[i] != 0x7f;
	return is_one ? email : (struct str){ 0 };
}

static void describe(const struct body *claims, struct id_token *found)
{
	const struct body *verified = body_get(claims, "email_verified");
	*found = (struct id_token){ .subject = body_string(claims, "sub"),
		.email = email_of(claims),
		.email_verified = verified && verified->type == BODY_BOOL && verified->boolean,
		.name = beginning(body_string(claims, "name"), NAME_MAX_CHARS),
		.username =
			beginning(body_string(claims, "preferred_username"), USERNAME_MAX_CHARS),
		.claims = claims };
}

const char *id_token_read(struct arena *a, struct str token, const struct body *keys,
	const struct id_token_wanted *wanted, struct id_token *found, bool *is_unknown)
{
	struct parts p;
	*is_unknown = false;
	const struct body *head = cut(token, &p) ? object_of(a, p.head) : NULL;
	const struct body *claims = head ? object_of(a, p.claims) : NULL;
	if (!claims)
		return "the ID token is not a signed JSON web token of at most 64 KiB";
	const char *problem = check_signature(a, &p, head, keys, is_unknown);
	if (!problem)
		problem = check_claims(claims, wanted);
	if (!problem)
		describe(claims, found);
	return problem;
}

/* Groups --------------------------------------------------------------------------------- */

static bool is_value(const struct body *v, struct str value)
{
	int64_t number;
	if (v->type == BODY_TEXT)
		return str_equal(v->text, value);
	if (v->type == BODY_BOOL)
		return str_equal_z(value, v->boolean ? "true" : "false");
	return v->type == BODY_INT && str_to_int(value, &number) && number == v->integer;
}

bool id_token_has(const struct id_token *t, struct str list)
{
	while (list.p) {
		struct str value = str_trim(str_cut(&list, ' ')), name = str_cut(&value, ':');
		for (const struct body *c = t->claims->first; c && value.p; c = c->next) {
			if (!str_equal(c->key, name))
				continue;
			if (c->type != BODY_ARRAY && is_value(c, value))
				return true;
			for (const struct body *v = c->type == BODY_ARRAY ? c->first : NULL; v;
				v = v->next)
				if (is_value(v, value))
					return true;
		}
	}
	return false;
}
