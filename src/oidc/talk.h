/*
 * What is asked of a provider: its document, its keys, and the ID token for a code. Each function
 * gives null, or what went wrong, as a sentence for a log.
 */
#ifndef TALK_H
#define TALK_H

#include "lib/body.h"
#include "oidc/discovery.h"
#include "oidc/wire.h"

const char *talk_document(struct wire *w, struct str *document, struct discovery *found);

/* The text of a JSON web key set, and the set. */
const char *talk_keys(
	struct wire *w, struct str address, struct str *text, const struct body **keys);

struct talk_code {
	struct str client_id, client_secret; /* "": a client without one */
	struct str code, redirect, verifier;
};
const char *talk_token(
	struct wire *w, const struct discovery *d, const struct talk_code *c, struct str *id_token);

#endif
