/*
 * Requests to a provider: for its document, its keys, and the ID token for a code. Each function
 * returns null, or a sentence for the log about what went wrong.
 */
#ifndef ENDPOINT_H
#define ENDPOINT_H

#include "lib/body.h"
#include "oidc/discovery.h"
#include "oidc/http_client.h"

const char *endpoint_document(struct http_client *w, struct str *document, struct discovery *found);

/* The text of a JSON web key set, and the set. */
const char *endpoint_keys(
	struct http_client *w, struct str address, struct str *text, const struct body **keys);

struct endpoint_code {
	struct str client_id, client_secret; /* "": a client without one */
	struct str code, redirect, verifier;
};
const char *endpoint_token(struct http_client *w, const struct discovery *d,
	const struct endpoint_code *c, struct str *id_token);

#endif
