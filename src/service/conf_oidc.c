#include "service/conf_oidc.h"

#include <stdlib.h>
#include <string.h>

#include "lib/address.h"

#define AT(member) offsetof(struct conf_oidc, member)

enum { NAME_MAX_BYTES = 20, ISSUER_MAX = 200, LABEL_MAX = 60 };

/* clang-format off */
static const struct conf_item conf_oidc_items[] = {
	{ "oidc_NAME_issuer",        CONF_TEXT,   AT(issuer),        "", 0, 0 },
	{ "oidc_NAME_client_id",     CONF_TEXT,   AT(client_id),     "", 0, 0 },
	{ "oidc_NAME_client_secret", CONF_SECRET, AT(client_secret), "", 0, 0 },
	{ "oidc_NAME_label",         CONF_TEXT,   AT(label),         "", 0, 0 },
	{ "oidc_NAME_trust_email",   CONF_BOOL,   AT(trust_email),   "off", 0, 0 },
	{ "oidc_NAME_new_people",    CONF_INT,    AT(new_people),    "0", 0, INT64_MAX },
	{ "oidc_NAME_allowed",       CONF_TEXT,   AT(allowed),       "", 0, 0 },
	{ "oidc_NAME_admins",        CONF_TEXT,   AT(admins),        "", 0, 0 },
	{ "oidc_NAME_follow",        CONF_BOOL,   AT(follow),        "off", 0, 0 },
	{ "oidc_NAME_sign_out",      CONF_BOOL,   AT(sign_out),      "on", 0, 0 },
};
/* clang-format on */

enum { ITEMS = sizeof conf_oidc_items / sizeof *conf_oidc_items };
_Static_assert((int)ITEMS == CONF_OIDC_ITEMS, "the rows have room");

static bool is_name(struct str s)
{
	if (s.n == 0 || s.n > NAME_MAX_BYTES || s.p[0] < 'a' || s.p[0] > 'z')
		return false;
	for (size_t i = 0; i < s.n; i++)
		if (!((s.p[i] >= 'a' && s.p[i] <= 'z') || (s.p[i] >= '0' && s.p[i] <= '9')))
			return false;
	return true;
}

/* oidc_NAME_issuer with the name in it; null: no memory. */
static char *row_name(const char *pattern, const char *name)
{
	enum { BEFORE = 5, NAME = 4 };
	size_t size = strlen(pattern) + strlen(name) + 1;
	char *z = malloc(size);
	if (z)
		str_print(z, size, "%.*s%s%s", BEFORE, pattern, name, pattern + BEFORE + NAME);
	return z;
}

/* What has been added so far. */
struct list {
	struct conf_providers *to;
	size_t offset;
	struct conf_item *rows;
	size_t *n_rows;
};

static bool add(struct list *l, struct str name)
{
	struct conf_oidc *p = &l->to->of[l->to->n++];
	if (!(p->name = strndup(name.p, name.n)))
		return false;
	for (size_t i = 0; i < ITEMS; i++) {
		struct conf_item *row = &l->rows[*l->n_rows];
		*row = conf_oidc_items[i];
		row->offset += l->offset + (size_t)((char *)p - (char *)l->to);
		if (conf_oidc_items[i].offset == AT(label))
			row->preset = p->name;
		if (!(row->name = row_name(conf_oidc_items[i].name, p->name)))
			return false;
		++*l->n_rows;
	}
	return true;
}

const char *conf_oidc_rows(struct conf_providers *p, struct str names, size_t offset,
	struct conf_item *rows, size_t *n_rows)
{
	struct list l = { p, offset, rows, n_rows };
	while (names.p) {
		struct str name = str_trim(str_cut(&names, ' '));
		if (name.n == 0)
			continue;
		if (!is_name(name))
			return "has a name that is not a letter with up to 19 letters and digits, all lower case; correct it";
		if (conf_oidc_find(p, name))
			return "contains a name twice; remove one";
		if (p->n == CONF_OIDC_MAX)
			return "has more than 8 names; remove some";
		if (!add(&l, name))
			return "needs more memory than there is";
	}
	return NULL;
}

void conf_oidc_free(struct conf_providers *list)
{
	for (size_t i = 0; i < list->n; i++) {
		struct conf_oidc *p = &list->of[i];
		free(p->name);
		free(p->issuer);
		free(p->client_id);
		free(p->client_secret);
		free(p->label);
		free(p->allowed);
		free(p->admins);
	}
}

const struct conf_oidc *conf_oidc_find(const struct conf_providers *p, struct str name)
{
	for (size_t i = 0; i < p->n; i++)
		if (str_equal_z(name, p->of[i].name))
			return &p->of[i];
	return NULL;
}

/* Checks ---------------------------------------------------------------------------- */

/* Discovery appends a path to it. */
static bool is_issuer(struct str s)
{
	for (size_t i = 0; i < s.n; i++)
		if (s.p[i] <= ' ' || (unsigned char)s.p[i] > '~' || strchr("?#@\\\"<>", s.p[i]))
			return false;
	return s.n <= ISSUER_MAX &&
		((s.n > 8 && !memcmp(s.p, "https://", 8) && s.p[8] != '/') ||
			address_is_loopback_url(s));
}

/* CLAIM:VALUE … */
static bool is_claims(struct str s)
{
	while (s.p) {
		struct str word = str_trim(str_cut(&s, ' ')), claim = str_cut(&word, ':');
		if (claim.n && (!word.n || !claim.p))
			return false;
		if (!claim.n && word.p)
			return false;
	}
	return true;
}

static const char *problem_of(const struct conf_oidc *p, const char **setting)
{
	static const char claims[] =
		"is not of the form CLAIM:VALUE, with blanks between several; correct it";
	*setting = "issuer";
	if (!*p->issuer)
		return "is not set; set it, or take the name out of oidc_providers";
	if (!is_issuer(str_of(p->issuer)))
		return "is not an address https://… without a query (http:// is allowed only for "
		       "127.0.0.1, [::1] and localhost); correct it";
	*setting = "client_id";
	if (!*p->client_id)
		return "is not set; set it, or take the name out of oidc_providers";
	*setting = "label";
	if (str_count_chars(str_of(p->label)) > LABEL_MAX)
		return "is longer than 60 characters; use a shorter one";
	*setting = "allowed";
	if (!is_claims(str_of(p->allowed)))
		return claims;
	*setting = "admins";
	if (!is_claims(str_of(p->admins)))
		return claims;
	if (*p->admins && !p->new_people)
		return "needs the account of new_people, which is not set; set that, or remove "
		       "this one";
	return NULL;
}

bool conf_oidc_check(const struct conf_providers *p, struct conf_oidc_problem *found)
{
	for (size_t i = 0; i < p->n; i++) {
		found->provider = p->of[i].name;
		if ((found->text = problem_of(&p->of[i], &found->setting)))
			return true;
	}
	return false;
}
