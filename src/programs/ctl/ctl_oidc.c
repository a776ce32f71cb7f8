/* planwrightctl doctor and oidc try: OpenID providers, asked as workers ask them. */
#include <stdio.h>
#include <string.h>

#include "api/oidc_flow.h"
#include "api/oidc_person.h"
#include "lib/uri.h"
#include "lib/when.h"
#include "lib/base64url.h"
#include "oidc/endpoint.h"
#include "programs/ctl/ctl.h"

enum { CLOCK_DIFFERENCE_MAX_S = ID_TOKEN_SKEW_SECONDS / 2, VERIFIER_SIZE = 32 };

static struct discovery_request request_of(struct ctl *c, const struct conf_oidc *p)
{
	struct arena *a = &c->arena;
	return (struct discovery_request){ .client_id = str_of(p->client_id),
		.redirect = oidc_flow_redirect(a, &c->conf, p),
		.state = crypt_token(a),
		.nonce = base64url_encode(a, crypt_random(a, VERIFIER_SIZE)),
		.verifier = base64url_encode(a, crypt_random(a, VERIFIER_SIZE)) };
}

/* Fetches the document and the keys; null, or why that failed. */
static const char *discover(
	struct http_client *w, struct discovery *d, const struct body **keys, int64_t *date)
{
	struct str document, text;
	const char *problem = endpoint_document(w, &document, d);
	*date = w->date;
	return problem ? problem : endpoint_keys(w, d->keys, &text, keys);
}

/* A provider shows no page if it does not know the client or the redirect address. */
static const char *knock(
	struct ctl *c, struct http_client *w, const struct conf_oidc *p, const struct discovery *d)
{
	const struct discovery_request q = request_of(c, p);
	const struct http_client_request page = { .address = discovery_authorization(
							  &c->arena, d->authorization, &q) };
	struct str body;
	if (http_client_ask(w, &page, &body) || w->status / 100 != 4)
		return NULL;
	return arena_printf(&c->arena,
		"it refuses the client %s with the redirect address %s: register that one there, exactly",
		p->client_id, q.redirect.p)
		.p;
}

struct str ctl_find_provider(struct ctl *c, const struct conf_oidc *p)
{
	const struct body *keys;
	struct discovery d;
	int64_t date;
	struct http_client w = http_client_begin(&c->arena, str_of(p->issuer));
	const char *problem = discover(&w, &d, &keys, &date);
	int64_t now = when_now() / 1000000;
	if (problem)
		return arena_printf(&c->arena, "%s: correct oidc_%s_issuer, or look at its answer",
			problem, p->name);
	if (date > 0 &&
		(date < now - CLOCK_DIFFERENCE_MAX_S || date > now + CLOCK_DIFFERENCE_MAX_S))
		return arena_printf(&c->arena,
			"its clock differs from this computer's by %lld seconds: set both by NTP",
			(long long)(date > now ? date - now : now - date));
	return str_of(knock(c, &w, p, &d));
}

/* oidc try -------------------------------------------------------------------------- */

/* Reads the address on which the browser ended, and returns its query. */
static struct uri_param *read_answer(struct ctl *c, struct str state)
{
	char line[8192];
	struct uri_param *params;
	struct str bad;
	if (!fgets(line, sizeof line, stdin))
		ctl_fail(c,
			"no address was given: open the one above, sign in, and paste the "
			"address at which the browser ends");
	struct str rest = str_trim(arena_str(&c->arena, str_of(line)));
	str_cut(&rest, '?');
	if (!rest.p || !uri_parse_query(&c->arena, rest, &params, &bad))
		ctl_fail(c,
			"that is not an address with a query: paste the browser's whole "
			"address");
	const struct uri_param *given = uri_find(params, "state");
	if (!given || !str_equal(given->value, state))
		ctl_fail(c, "that address belongs to another attempt: start again");
	const struct uri_param *error = uri_find(params, "error");
	if (error)
		ctl_fail(c, "the provider says %s", error->value.p);
	if (!uri_find(params, "code"))
		ctl_fail(c, "that address has no code: paste the browser's whole address");
	return params;
}

static const char *words_of(const struct identity_verdict *v)
{
	static const char *const words[] = { [IDENTITY_SIGN_IN] = "signs in",
		[IDENTITY_LINK] = "is linked, by the email address, and signs in",
		[IDENTITY_NEW] = "a new person is added",
		[IDENTITY_NOT_ALLOWED] = "refused: in none of the groups in _allowed",
		[IDENTITY_DISABLED] = "refused: the person is disabled",
		[IDENTITY_OF_ANOTHER] = "refused: linked with somebody else",
		[IDENTITY_TAKEN] =
			"refused: somebody here has the email address, and _trust_email does not count for them",
		[IDENTITY_NO_ADDRESS] = "refused: no email address with email_verified true",
		[IDENTITY_UNKNOWN] = "refused: linked with nobody, and no setting lets them in",
		[IDENTITY_ENDED] = "refused: the session has ended" };
	return words[v->act];
}

static void show(struct ctl *c, const struct conf_oidc *p, const struct id_token *token)
{
	struct identity_verdict v;
	for (const struct body *claim = token->claims->first; claim; claim = claim->next)
		printf("%.*s\t%s\n", (int)claim->key.n, claim->key.p,
			body_text(&c->arena, claim).p);
	if (oidc_person_look(&c->arena, c->db, p, token, &v))
		ctl_fail_db(c);
	if (v.person)
		printf("a sign-in: person %lld %s\n", (long long)v.person, words_of(&v));
	else
		printf("a sign-in: %s\n", words_of(&v));
	if (v.claimer)
		printf("person %lld gave that address to themselves: if it is theirs, confirm it with planwrightctl person rename --email\n",
			(long long)v.claimer);
}

/* Fetches the token for the code; null, or why that failed. */
static const char *fetch(struct ctl *c, struct http_client *w, const struct conf_oidc *p,
	const struct discovery *d, const struct endpoint_code *code, struct str nonce,
	const struct body *keys, struct id_token *token)
{
	struct str text;
	bool is_unknown;
	const struct id_token_wanted wanted = { .issuer = str_of(p->issuer),
		.client_id = str_of(p->client_id),
		.nonce = nonce,
		.now = when_now() / 1000000 };
	const char *problem = endpoint_token(w, d, code, &text);
	return problem ? problem
		       : id_token_read(&c->arena, text, keys, &wanted, token, &is_unknown);
}

void ctl_oidc_try(struct ctl *c)
{
	const struct conf_oidc *p = conf_oidc_find(&c->conf.oidc, str_of(c->word));
	struct discovery d;
	const struct body *keys;
	struct id_token token;
	int64_t date;
	if (!p)
		ctl_fail(c, "the setting oidc_providers does not name %s", c->word);
	struct http_client w = http_client_begin(&c->arena, str_of(p->issuer));
	const char *problem = discover(&w, &d, &keys, &date);
	if (problem)
		ctl_fail(c, "%s", problem);
	const struct discovery_request q = request_of(c, p);
	printf("open this address in a browser and sign in:\n%s\nyou end up on a page of this "
	       "server that refuses you; paste the address of that page here:\n",
		discovery_authorization(&c->arena, d.authorization, &q).p);
	fflush(stdout);
	const struct uri_param *params = read_answer(c, q.state);
	const struct endpoint_code code = { .client_id = q.client_id,
		.client_secret = str_of(p->client_secret),
		.code = uri_find(params, "code")->value,
		.redirect = q.redirect,
		.verifier = q.verifier };
	w = http_client_begin(&c->arena, str_of(p->issuer));
	problem = fetch(c, &w, p, &d, &code, q.nonce, keys, &token);
	if (problem)
		ctl_fail(c, "%s", problem);
	show(c, p, &token);
	ctl_commit(c);
}
