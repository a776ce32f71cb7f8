#include "http/cookie.h"

#include <string.h>

/*
 * The session cookie is sent only from pages of this server. A browser that returns from a provider
 * comes from another site's page, so the cookie for signing in is also sent with links.
 */
static const struct {
	const char *name, *secure_name, *same_site;
} cookies[] = {
	[REQ_COOKIE_SESSION] = { "planwright", "__Host-planwright", "Strict" },
	[REQ_COOKIE_SIGN_IN] = { "planwright-sign-in", "__Host-planwright-sign-in", "Lax" },
};

bool cookie_is_secure(const struct conf *conf)
{
	return !strncmp(conf->base_url, "https:", 6);
}

static const char *name_of(const struct conf *conf, enum req_cookie which)
{
	return cookie_is_secure(conf) ? cookies[which].secure_name : cookies[which].name;
}

/* The first is the one with the longest path (RFC 6265). */
struct str cookie_find(const struct req *r, enum req_cookie which)
{
	struct str rest = r->cookie;
	while (rest.p) {
		struct str value = str_cut(&rest, ';');
		struct str name = str_trim(str_cut(&value, '='));
		if (value.p && str_equal_z(name, name_of(r->conf, which)))
			return str_trim(value);
	}
	return (struct str){ 0 };
}

void cookie_set(struct req *r, enum req_cookie which, struct str value, int64_t seconds)
{
	r->set_cookie[which] = arena_printf(r->arena,
		"%s=%.*s; Path=/; %sHttpOnly; SameSite=%s; Max-Age=%lld", name_of(r->conf, which),
		(int)value.n, value.p, cookie_is_secure(r->conf) ? "Secure; " : "",
		cookies[which].same_site, (long long)seconds);
}
