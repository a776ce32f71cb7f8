#include "api/oidc_provider.h"

#include <time.h>

#include "http/sign_in.h"
#include "lib/log.h"
#include "lib/when.h"
#include "oidc/endpoint.h"

static struct db_param issuer_of(struct req *r, const struct conf_oidc *conf)
{
	return db_text(r->arena, str_of(conf->issuer));
}

/* Whether what was stored can still be understood. */
static bool take(struct req *r, const struct rows *rows, struct oidc_provider *p)
{
	const char *problem;
	struct str document = arena_str(r->arena, db_get_text(rows, 0, 0));
	struct str keys = arena_str(r->arena, db_get_text(rows, 0, 1));
	p->keys = keys.n ? body_parse(r->arena, keys, &problem) : NULL;
	p->keys_text = keys;
	p->is_asking = db_get_bool(rows, 0, db_column(rows, "is_asking"));
	return p->keys &&
		!discovery_read(r->arena, document, str_of(p->conf->issuer), &p->discovery);
}

enum rc oidc_provider_find(
	struct req *r, const struct conf_oidc *conf, struct oidc_provider *p, bool *is_fresh)
{
	struct db_param issuer = issuer_of(r, conf);
	struct rows *rows;
	*p = (struct oidc_provider){ .conf = conf };
	*is_fresh = false;
	enum rc rc = sign_in_ask(r, STMT_OIDC_PROVIDER_FIND, 1, &issuer, &rows);
	if (rc || db_count(rows) == 0)
		return rc;
	if (take(r, rows, p))
		*is_fresh = !db_get_bool(rows, 0, db_column(rows, "is_old"));
	else
		p->keys = NULL;
	return RC_OK;
}

/* Requests both from the provider, and stores them. */
static const char *ask(struct req *r, struct http_client *w, struct oidc_provider *p, enum rc *rc)
{
	struct str document, keys;
	struct oidc_provider found = { .conf = p->conf };
	struct rows *rows;
	const char *problem = endpoint_document(w, &document, &found.discovery);
	if (!problem)
		problem = endpoint_keys(w, found.discovery.keys, &keys, &found.keys);
	if (problem)
		return problem;
	const struct db_param params[] = { issuer_of(r, p->conf), db_text(r->arena, document),
		db_text(r->arena, keys) };
	*rc = sign_in_ask(r, STMT_OIDC_PROVIDER_STORE, 3, params, &rows);
	*p = found;
	p->keys_text = keys;
	return NULL;
}

enum rc oidc_provider_load(struct req *r, struct http_client *w, const struct conf_oidc *conf,
	struct oidc_provider *p, const char **problem)
{
	bool is_fresh;
	*w = http_client_begin(r->arena, str_of(conf->issuer));
	*problem = NULL;
	enum rc rc = oidc_provider_find(r, conf, p, &is_fresh);
	if (rc || is_fresh)
		return rc;
	*problem = ask(r, w, p, &rc);
	if (*problem && p->keys) {
		log_warn("the provider %s: using its earlier document and keys: %s", conf->name,
			*problem);
		*problem = NULL;
	}
	return rc;
}

enum rc oidc_provider_answer(
	struct req *r, const struct conf_oidc *conf, const struct oidc_answer *answer)
{
	struct oidc_provider p;
	struct http_client w;
	const char *problem;
	enum rc rc = oidc_provider_load(r, &w, conf, &p, &problem);
	if (rc)
		return rc;
	return problem ? answer->missing(r, conf, &w, problem) : answer->found(r, &p);
}

/* The keys that the database has by now; waits for a process that is requesting them from the
   provider. */
static enum rc take_newer(
	struct req *r, const struct http_client *w, struct oidc_provider *p, const char **problem)
{
	static const struct timespec pause = { .tv_nsec = 200 * 1000 * 1000 };
	struct oidc_provider now;
	bool is_fresh;
	*problem = "newer keys were already requested within the last minute";
	do {
		enum rc rc = oidc_provider_find(r, p->conf, &now, &is_fresh);
		if (rc)
			return rc;
		if (now.keys && !str_equal(now.keys_text, p->keys_text)) {
			*p = now;
			*problem = NULL;
		}
	} while (*problem && now.is_asking && when_now() < w->until_us && !nanosleep(&pause, NULL));
	return RC_OK;
}

enum rc oidc_provider_renew(
	struct req *r, struct http_client *w, struct oidc_provider *p, const char **problem)
{
	struct db_param issuer = issuer_of(r, p->conf);
	const struct body *keys;
	struct str text;
	struct rows *rows;
	enum rc rc = sign_in_ask(r, STMT_OIDC_PROVIDER_KEYS_LOCK, 1, &issuer, &rows);
	if (rc)
		return rc;
	if (db_count(rows) == 0)
		return take_newer(r, w, p, problem);
	if ((*problem = endpoint_keys(w, p->discovery.keys, &text, &keys)))
		return RC_OK;
	const struct db_param params[] = { issuer, db_text(r->arena, text) };
	p->keys = keys;
	p->keys_text = text;
	return sign_in_ask(r, STMT_OIDC_PROVIDER_KEYS_STORE, 2, params, &rows);
}
