/*
 * OpenID sign-in, from the claims of a provider to a person of this server: domain/identity.h
 * decides.
 */
#ifndef OIDC_PERSON_H
#define OIDC_PERSON_H

#include "api/oidc_flow.h"
#include "domain/identity.h"
#include "oidc/id_token.h"

struct oidc_person {
	enum identity_act act;
	int64_t id;      /* 0: refused, and `act` says why */
	int64_t claimer; /* because of this person, if it is not 0 (domain/identity.h) */
};

/* Finds, links or makes the person, and lets name, address and groups follow as the settings say. */
enum rc oidc_person_find(struct req *r, const struct conf_oidc *conf, const struct oidc_flow *flow,
	const struct id_token *token, struct oidc_person *found) MUST_CHECK;

/* What it would be, without changing anything: for callers outside a request. */
enum rc oidc_person_look(struct arena *a, struct db *db, const struct conf_oidc *conf,
	const struct id_token *token, struct identity_verdict *verdict) MUST_CHECK;

#endif
