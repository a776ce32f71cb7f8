#include "oidc/endpoint.h"

static const char *say(struct http_client *w, const char *what)
{
	return arena_printf(
		w->arena, "the provider answers %s to the request for %s", w->problem, what)
		.p;
}

const char *endpoint_document(struct http_client *w, struct str *document, struct discovery *found)
{
	const struct http_client_request q = { .address = discovery_address(w->arena, w->issuer) };
	if (!http_client_ask(w, &q, document))
		return say(w, "its document");
	return discovery_read(w->arena, *document, w->issuer, found);
}

const char *endpoint_keys(
	struct http_client *w, struct str address, struct str *text, const struct body **keys)
{
	const char *problem;
	const struct http_client_request q = { .address = address };
	if (!http_client_ask(w, &q, text))
		return say(w, "its keys");
	*keys = text->n ? body_parse(w->arena, *text, &problem) : NULL;
	const struct body *list = *keys ? body_get(*keys, "keys") : NULL;
	return list && list->type == BODY_ARRAY ? NULL
						: "the provider's keys are not a JSON web key set";
}

const char *endpoint_token(struct http_client *w, const struct discovery *d,
	const struct endpoint_code *c, struct str *id_token)
{
	struct arena *a = w->arena;
	const char *problem;
	bool is_basic = c->client_secret.n && !d->takes_post;
	struct str form = arena_printf(a,
		"grant_type=authorization_code&code=%s&redirect_uri=%s&code_verifier=%s",
		discovery_encode(a, c->code).p, discovery_encode(a, c->redirect).p,
		discovery_encode(a, c->verifier).p);
	if (!is_basic)
		form = arena_printf(
			a, "%s&client_id=%s", form.p, discovery_encode(a, c->client_id).p);
	if (c->client_secret.n && !is_basic)
		form = arena_printf(
			a, "%s&client_secret=%s", form.p, discovery_encode(a, c->client_secret).p);
	const struct http_client_request q = { .address = d->token,
		.form = form,
		.user = c->client_id,
		.secret = is_basic ? c->client_secret : (struct str){ 0 } };
	struct str text;
	if (!http_client_ask(w, &q, &text))
		return say(w, "an ID token");
	const struct body *answer = text.n ? body_parse(a, text, &problem) : NULL;
	const struct body *token = answer ? body_get(answer, "id_token") : NULL;
	if (!token || token->type != BODY_TEXT)
		return "the provider's answer has no ID token";
	*id_token = token->text;
	return NULL;
}
