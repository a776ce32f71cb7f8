#include "service/conf_check.h"

#include <string.h>

#include "lib/str.h"

static bool is_base_url(struct str s)
{
	struct str rest = s;

	str_cut(&rest, ':');
	if (!rest.p || rest.n < 3 || memcmp(rest.p, "//", 2) != 0)
		return false;
	s.n -= rest.n + 1;
	if (!str_equal_z(s, "http") && !str_equal_z(s, "https"))
		return false;
	for (size_t i = 2; i < rest.n; i++) {
		if (rest.p[i] <= ' ' || strchr("/?#\\\"<>", rest.p[i]))
			return false;
	}
	return true;
}

/* Without a user in it: keys have settings of their own. */
static bool is_endpoint(struct str s)
{
	return is_base_url(s) && !memchr(s.p, '@', s.n);
}

/* Without a user in it: user and password have settings of their own. */
static bool is_smtp_url(struct str s)
{
	struct str rest = s, scheme = str_cut(&rest, ':');

	if (!str_equal_z(scheme, "smtp") && !str_equal_z(scheme, "smtps"))
		return false;
	if (!rest.p || rest.n < 3 || memcmp(rest.p, "//", 2) != 0)
		return false;
	for (size_t i = 2; i < rest.n; i++) {
		if (rest.p[i] <= ' ' || strchr("@?#\\\"<>", rest.p[i]))
			return false;
	}
	return true;
}

static bool is_add_people(struct str s)
{
	return str_equal_z(s, "any") || str_equal_z(s, "seen");
}

static bool is_second_factor(struct str s)
{
	return str_equal_z(s, "off") || str_equal_z(s, "optional") || str_equal_z(s, "required");
}

static bool is_send_files(struct str s)
{
	return str_equal_z(s, "nginx") || str_equal_z(s, "x-sendfile") || str_equal_z(s, "self");
}

/* A folder; or a bucket, and perhaps a prefix, of letters that need no encoding. */
static bool is_files(struct str s)
{
	size_t mark = sizeof CONF_STORE_MARK - 1;
	if (s.n < mark || memcmp(s.p, CONF_STORE_MARK, mark) != 0)
		return true;
	for (size_t i = mark; i < s.n; i++) {
		char c = s.p[i];
		bool begins = s.p[i - 1] == '/';
		if (!((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
			    (!begins && strchr("._-/", c))))
			return false;
	}
	return s.n > mark && s.p[s.n - 1] != '/' && s.n <= mark + CONF_STORE_MAX;
}

static bool is_region(struct str s)
{
	for (size_t i = 0; i < s.n; i++)
		if (!((s.p[i] >= 'a' && s.p[i] <= 'z') || (s.p[i] >= 'A' && s.p[i] <= 'Z') ||
			    (s.p[i] >= '0' && s.p[i] <= '9') || s.p[i] == '-'))
			return false;
	return s.n <= CONF_REGION_MAX;
}

/* off, or the path of a Unix socket, which has to be short. */
static bool is_live(struct str s)
{
	return str_equal_z(s, "off") || (s.n > 1 && s.n < 108 && *s.p == '/');
}

static bool is_short(struct str s)
{
	return s.n <= CONF_BASE_URL_MAX;
}

static bool is_old_versions(struct str s)
{
	while (s.p) {
		struct str word = str_trim(str_cut(&s, ' '));
		if (word.n && !str_equal_z(word, "v3") && !str_equal_z(word, "v4"))
			return false;
	}
	return true;
}

static const struct {
	const char *name;
	bool (*is_good)(struct str value);
	const char *problem;
} rules[] = {
	{ "base_url", is_short, "is longer than 200 characters; use a shorter one" },
	{ "base_url", is_base_url,
		"is not of the form http://host or https://host:port, without a path or a slash at "
		"the end; correct it" },
	{ "add_people_by_id", is_add_people, "must be any or seen; correct it" },
	{ "second_factor", is_second_factor, "must be off, optional or required; correct it" },
	{ "old_versions", is_old_versions,
		"must be v3, v4, or both with a blank between; correct it" },
	{ "files", is_files,
		"is not of the form s3://bucket/prefix, of letters, digits and . _ - between the "
		"slashes; correct it" },
	{ "s3_endpoint", is_endpoint,
		"is not of the form https://host or https://host:port, without a path or a slash "
		"at the end; correct it" },
	{ "s3_region", is_region, "is not a word of letters, digits and -; correct it" },
	{ "live", is_live,
		"must be off or the path of a socket, of at most 107 characters and beginning "
		"with a slash; correct it" },
	{ "send_files", is_send_files, "must be nginx, x-sendfile or self; correct it" },
	{ "smtp_url", is_smtp_url,
		"is not of the form smtp://host:port or smtps://host:port; correct it" },
};

_Static_assert(CONF_BASE_URL_MAX == 200, "the sentence says it");

const char *conf_check_text(const char *name, const char *value)
{
	for (size_t i = 0; i < sizeof(rules) / sizeof(rules[0]); i++) {
		bool is_meant = strcmp(rules[i].name, name) == 0 && *value;
		if (is_meant && !rules[i].is_good(str_of(value)))
			return rules[i].problem;
	}
	return NULL;
}

void conf_check_origin(char *base_url)
{
	for (char *c = base_url; *c; c++)
		if (*c >= 'A' && *c <= 'Z')
			*c = (char)(*c - 'A' + 'a');
	struct str url = str_of(base_url);
	struct str port = str_of(strncmp(base_url, "https:", 6) == 0 ? ":443" : ":80");
	if (url.n > port.n && str_equal((struct str){ url.p + url.n - port.n, port.n }, port))
		base_url[url.n - port.n] = '\0';
}

bool conf_check_bool(struct str s, bool *value)
{
	static const char *const on[] = { "on", "true", "yes", "1" };
	static const char *const off[] = { "off", "false", "no", "0" };

	for (size_t i = 0; i < sizeof(on) / sizeof(on[0]); i++) {
		*value = str_equal_nocase(s, str_of(on[i]));
		if (*value || str_equal_nocase(s, str_of(off[i])))
			return true;
	}
	return false;
}
