/*
 * OpenID sign-in, the authorization code flow of a browser. State, nonce and the PKCE verifier are
 * derived from a secret that only the browser's cookie holds: what is stored is useless without
 * it, and no other browser can finish the flow.
 */
#ifndef OIDC_FLOW_H
#define OIDC_FLOW_H

#include "api/oidc_provider.h"

/*
 * Begins one: the answer sets the cookie. *address is where the browser goes. `session` not 0: its
 * person links an identity.
 */
enum rc oidc_flow_begin(struct req *r, const struct oidc_provider *p, struct str target,
	int64_t session, struct str *address) MUST_CHECK;

/* What comes back. */
struct oidc_flow {
	struct str target, nonce, verifier;
	bool links;
	int64_t session, person; /* of who links */
	int64_t now;             /* the database's clock, in seconds since 1970 */
};

/*
 * Ends the one of that state, its only use. *problem not null: there is none that this browser
 * began with that provider within ten minutes.
 */
enum rc oidc_flow_end(struct req *r, const struct conf_oidc *conf, struct str state,
	struct oidc_flow *flow, const char **problem) MUST_CHECK;

/* Where the provider sends it back to: the exact address that is registered there. */
struct str oidc_flow_redirect(
	struct arena *a, const struct conf *conf, const struct conf_oidc *provider);

#endif
