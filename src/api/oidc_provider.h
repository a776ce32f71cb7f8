/*
 * Cache of OpenID providers' documents and keys: kept in the database for a day. A request to the
 * provider itself must not be made in a worker (http/stream.h).
 */
#ifndef OIDC_PROVIDER_H
#define OIDC_PROVIDER_H

#include "http/req.h"
#include "oidc/discovery.h"
#include "oidc/http_client.h"

struct oidc_provider {
	const struct conf_oidc *conf;
	struct discovery discovery;
	const struct body *keys;
	struct str keys_text; /* of those */
	bool is_asking;       /* somebody asks it for newer ones, who has no answer yet */
};

/* What the database has. *is_fresh false: it is absent or older than a day. */
enum rc oidc_provider_find(struct req *r, const struct conf_oidc *conf, struct oidc_provider *p,
	bool *is_fresh) MUST_CHECK;

/*
 * The same, asking the provider if need be, by *w, which begins here; if that fails, what there is
 * from before is good enough.
 * *problem not null: there is nothing, and this is why.
 */
enum rc oidc_provider_load(struct req *r, struct http_client *w, const struct conf_oidc *conf,
	struct oidc_provider *p, const char **problem) MUST_CHECK;

/* The same, with an answer for either outcome; *w is there only for the second. */
struct oidc_answer {
	enum rc (*found)(struct req *r, const struct oidc_provider *p);
	enum rc (*missing)(struct req *r, const struct conf_oidc *conf, const struct http_client *w,
		const char *problem);
};
enum rc oidc_provider_answer(
	struct req *r, const struct conf_oidc *conf, const struct oidc_answer *answer) MUST_CHECK;

/*
 * Newer keys: those that somebody else got meanwhile, or is about to get, or the provider's own, which
 * is asked at most once a minute. *problem as above.
 */
enum rc oidc_provider_renew(struct req *r, struct http_client *w, struct oidc_provider *p,
	const char **problem) MUST_CHECK;

#endif
