/*
 * OpenID sign-in, last step: the answer, the log line and the audit entry of a sign-in that
 * succeeded or was refused, with its reason. All of them end here.
 */
#ifndef OIDC_END_H
#define OIDC_END_H

#include "http/req.h"

enum oidc_end {
	OIDC_END_NO_PROVIDER,
	OIDC_END_TARGET,      /* where to go afterwards is not here */
	OIDC_END_STATE,       /* begun elsewhere, too long ago, or used */
	OIDC_END_DECLINED,    /* the provider says so */
	OIDC_END_ANSWER,      /* the provider's answer is not good */
	OIDC_END_UNREACHED,   /* there is none */
	OIDC_END_NOT_ALLOWED, /* these are those of domain/identity.h */
	OIDC_END_DISABLED,
	OIDC_END_OF_ANOTHER,
	OIDC_END_TAKEN,
	OIDC_END_NO_ADDRESS,
	OIDC_END_UNKNOWN,
};

/*
 * Answers with a page of one sentence, in English or German, and with the status that fits it; the
 * reason is for the logs alone. `provider` null: none of that name; `reason` null: the sentence.
 */
enum rc oidc_end_refuse(struct req *r, const struct conf_oidc *provider, enum oidc_end why,
	const char *reason) MUST_CHECK;

/* Notes that a person was signed in, and how: "signed in", "linked by address" … */
void oidc_end_tell(
	struct req *r, const struct conf_oidc *provider, int64_t person, const char *how);

#endif
