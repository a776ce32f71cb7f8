/*
 * Provider metadata (OpenID Connect Discovery 1.0), and which of the addresses in it may be
 * requested: those of the issuer's own origin, and others by https if they are public.
 */
#ifndef DISCOVERY_H
#define DISCOVERY_H

#include "lib/arena.h"
#include "lib/body.h"
#include "lib/str.h"

struct discovery {
	struct str authorization, token, keys; /* addresses */
	struct str end_session;                /* absent: it has none */
	bool names_issuer;                     /* answers always name the issuer (RFC 9207) */
	bool takes_post; /* the client's secret is sent in the form, and not as basic auth */
};

/* The address of the document. */
struct str discovery_address(struct arena *a, struct str issuer);

/*
 * Null, and fills *found, whose texts are those of the document; else what is wrong with it, as a
 * sentence for a log.
 */
const char *discovery_read(
	struct arena *a, struct str document, struct str issuer, struct discovery *found);

/* scheme://host[:port] of an address of http or https without a user; absent: it is none. */
struct str discovery_origin(struct str address);

/*
 * Where a browser goes to sign in: with PKCE (RFC 7636, S256), state and nonce. All texts but the
 * endpoint and the challenge are encoded.
 */
struct discovery_request {
	struct str client_id, redirect, state, nonce, verifier;
};
struct str discovery_authorization(
	struct arena *a, struct str endpoint, const struct discovery_request *q);

/* Where a browser goes to sign out at the provider; absent: it has no such address. */
struct str discovery_end_session(
	struct arena *a, const struct discovery *d, struct str client_id, struct str back);

/* The same text for a query or a form: all but letters, digits and "-._~" is encoded. */
struct str discovery_encode(struct arena *a, struct str s);

#endif
