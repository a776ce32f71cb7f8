/*
 * ID tokens (OpenID Connect Core 1.0, 2 and 3.1.3.7): signed JSON web tokens in their compact form
 * (RFC 7519, 7515), of which every statement that matters is checked.
 */
#ifndef ID_TOKEN_H
#define ID_TOKEN_H

#include "oidc/jwk.h"

enum {
	ID_TOKEN_MAX = 64 * 1024,       /* bytes */
	ID_TOKEN_SKEW_SECONDS = 60,     /* that the provider's clock may differ */
	ID_TOKEN_AGE_MAX_SECONDS = 600, /* since iat: it comes straight from the provider */
	ID_TOKEN_SUBJECT_MAX = 255,
};

struct id_token_wanted {
	struct str issuer, client_id, nonce;
	int64_t now; /* seconds since 1970 */
};

struct id_token {
	struct str subject;
	struct str email;          /* absent: none that looks like one, of at most 255 characters */
	bool email_verified;       /* the very value true */
	struct str name;           /* absent: none, a blank one, or one with control characters; its
	                              first 255 characters */
	struct str username;       /* preferred_username, likewise; its first 100 */
	const struct body *claims; /* all of them: an object */
};

/*
 * Null, and fills *found; else what is wrong with the token, as a sentence for a log. *is_unknown:
 * none of these keys fits, so newer ones may.
 */
const char *id_token_read(struct arena *a, struct str token, const struct body *keys,
	const struct id_token_wanted *wanted, struct id_token *found, bool *is_unknown);

/*
 * Whether one of CLAIM:VALUE … is true: the claim is that text, that number or that boolean, or a
 * list with it. An empty list is never true.
 */
bool id_token_has(const struct id_token *t, struct str list);

#endif
