#include "domain/webhook.h"

#include <arpa/inet.h>
#include <string.h>

#include "model/model.h"

/* Addresses ------------------------------------------------------------------ */

static bool starts_with(struct str s, const char *start)
{
	size_t n = strlen(start);
	return s.n >= n && str_equal_nocase((struct str){ s.p, n }, str_of(start));
}

static struct str behind(struct str s, size_t n)
{
	return (struct str){ s.p + n, s.n - n };
}

static bool is_host_char(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
		c == '.' || c == '_' || c == '-' || (unsigned char)c >= 0x80;
}

static bool is_ipv6(struct str s)
{
	char text[INET6_ADDRSTRLEN] = { 0 };
	struct in6_addr address;
	if (s.n >= sizeof text)
		return false;
	memcpy(text, s.p, s.n);
	return inet_pton(AF_INET6, text, &address) == 1;
}

/* Bytes of the host at the start, including brackets; 0: there is none. */
static size_t host_length(struct str s)
{
	size_t n = 0;
	if (s.n && s.p[0] == '[') {
		const char *end = memchr(s.p, ']', s.n);
		bool is_good = end && is_ipv6((struct str){ s.p + 1, (size_t)(end - s.p) - 1 });
		return is_good ? (size_t)(end - s.p) + 1 : 0;
	}
	while (n < s.n && is_host_char(s.p[n]))
		n++;
	return n;
}

/* Bytes of ":port" at the start, 0 if there is none; more than the text has: it is not a port. */
static size_t port_length(struct str s)
{
	size_t n = 1;
	int64_t port;
	if (s.n == 0 || s.p[0] != ':')
		return 0;
	while (n < s.n && s.p[n] >= '0' && s.p[n] <= '9')
		n++;
	bool is_good = n > 1 && n <= 6 && str_to_int((struct str){ s.p + 1, n - 1 }, &port) &&
		port >= 1 && port <= 65535;
	return is_good ? n : s.n + 1;
}

static bool has_blank(struct str s)
{
	for (size_t i = 0; i < s.n; i++)
		if ((unsigned char)s.p[i] <= ' ' || s.p[i] == 0x7f)
			return true;
	return false;
}

bool webhook_is_address(struct str url)
{
	struct str rest;
	if (starts_with(url, "http://"))
		rest = behind(url, strlen("http://"));
	else if (starts_with(url, "https://"))
		rest = behind(url, strlen("https://"));
	else
		return false;
	size_t host = host_length(rest);
	if (host == 0)
		return false;
	rest = behind(rest, host);
	size_t port = port_length(rest);
	if (port > rest.n)
		return false;
	rest = behind(rest, port);
	return rest.n == 0 || (strchr("/?#", rest.p[0]) && !has_blank(rest));
}

/* Commands ------------------------------------------------------------------- */

static enum rc refuse(struct outcome *out, const char *problem)
{
	out->general_problem = STR("One or more consistency checks failed on the supplied "
				   "WebhookActivityChannel.");
	return outcome_require(out, problem, NULL);
}

static enum rc check_address(struct outcome *out, struct str url)
{
	const char *problem = NULL;
	if (str_is_blank(url))
		problem = "can't be blank, Webhook must be a valid URL.";
	else if (!webhook_is_address(url))
		problem = "Webhook must be a valid URL.";
	else if (!starts_with(url, "https://") && !out->scene->webhook_http)
		problem = "Webhook must use https.";
	return problem ? refuse(out, problem) : RC_OK;
}

/* v5, or a retired version that this server still speaks. */
static bool is_spoken(const struct scene *s, int version)
{
	return version == 0 ||
		(s->old_versions && strstr(s->old_versions, words_webhook_versions[version]));
}

static enum rc check_version(struct outcome *out, int version)
{
	const char *words = "";
	if (version != WORD_NONE && is_spoken(out->scene, version))
		return RC_OK;
	for (int i = 0; words_webhook_versions[i]; i++)
		if (is_spoken(out->scene, i))
			words = arena_printf(out->scene->arena, "%s%s%s", words, i ? ", " : "",
				words_webhook_versions[i])
					.p;
	out->general_problem =
		arena_printf(out->scene->arena, "'webhook_version' must be one of: %s", words);
	return RC_INVALID_PARAMETER;
}

static enum rc check(struct outcome *out, const struct webhook *w)
{
	enum rc rc = check_version(out, w->webhook_version);
	return rc ? rc : check_address(out, w->webhook_url);
}

enum rc webhook_create(struct outcome *out, const struct wish *wish)
{
	struct webhook *w = outcome_new(out, &res_webhook);
	w->project_id = out->scene->project->id;
	w->created_at = w->updated_at = out->scene->now;
	wish_apply(wish, w);
	out->subject = outcome_create(out, &res_webhook, w);
	if (out->scene->n_webhooks >= WEBHOOKS_MAX)
		return refuse(out, "A project can have at most 20 webhooks.");
	return check(out, w);
}

enum rc webhook_update(struct outcome *out, const struct wish *wish)
{
	const struct webhook *old = out->scene->object;
	struct webhook *w = outcome_edit(out, &res_webhook, old);
	bool other;
	out->subject = w;
	wish_apply(wish, w);
	other = !str_equal(w->webhook_url, old->webhook_url);
	if (w->webhook_version != old->webhook_version && check_version(out, w->webhook_version))
		return RC_INVALID_PARAMETER;
	if (!outcome_differs(&res_webhook, old, w))
		return RC_OK;
	w->updated_at = out->scene->now;
	/* One that is switched on again starts from now. */
	if (w->enabled && !old->enabled) {
		w->last_error_code = NIL;
		w->last_response_body = (struct str){ 0 };
	}
	if (w->enabled && (!old->enabled || other))
		w->failing_since = NIL;
	return other ? check_address(out, w->webhook_url) : RC_OK;
}

enum rc webhook_delete(struct outcome *out, const struct wish *none)
{
	(void)none;
	outcome_delete(out, &res_webhook, out->scene->object);
	return RC_OK;
}
