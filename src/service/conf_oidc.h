/*
 * Settings of OpenID providers: oidc_providers names them, and each has rows of its own,
 * oidc_NAME_issuer and so on, which are read like all others.
 */
#ifndef CONF_OIDC_H
#define CONF_OIDC_H

#include <stdbool.h>

#include "lib/str.h"
#include "service/conf_item.h"

enum {
	CONF_OIDC_MAX = 8,    /* providers … */
	CONF_OIDC_ITEMS = 10, /* … and the settings of each */
};

/* A provider. */
struct conf_oidc {
	char *name;   /* as oidc_providers has it: a letter, then letters and digits */
	char *issuer; /* https://…, or http://… of this host */
	char *client_id;
	char *client_secret; /* secret; "": a public client */
	char *label;         /* on the button; default: the name */
	bool trust_email;    /* its addresses tell who somebody is here; default off */
	int64_t new_people;  /* account of people who are new; default 0: nobody new */
	char *allowed;       /* CLAIM:VALUE …, of which one must be true; default: anybody */
	char *admins;        /* the same of those who administer that account; default: not told */
	bool follow;         /* name and address are those of the provider; default off */
	bool sign_out;       /* signing out here also signs out there; default on */
};

struct conf_providers {
	struct conf_oidc of[CONF_OIDC_MAX];
	size_t n;
};

/*
 * Fills p->of[].name, and adds the rows of each to `rows`, of which there are *n_rows; `offset` is
 * where p is in struct conf. What is wrong with the names, as the rest of a sentence; null: nothing.
 */
const char *conf_oidc_rows(struct conf_providers *p, struct str names, size_t offset,
	struct conf_item *rows, size_t *n_rows);

struct conf_oidc_problem {
	const char *provider, *setting; /* the name is oidc_<provider>_<setting> */
	const char *text;               /* what is wrong and what to do: the rest of a sentence */
};

/* Whether something is wrong with the values. */
bool conf_oidc_check(const struct conf_providers *p, struct conf_oidc_problem *found);

/* Frees what is in it, but for the rows. */
void conf_oidc_free(struct conf_providers *p);

/* The provider of that name; null: there is none. */
const struct conf_oidc *conf_oidc_find(const struct conf_providers *p, struct str name);

#endif
