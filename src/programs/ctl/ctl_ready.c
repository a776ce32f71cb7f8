/* planwrightctl doctor: whether workers answer at the address that users have. */
#include <curl/curl.h>

#include "programs/ctl/ctl.h"

enum { PATIENCE_MS = 5000 };

static size_t forget(char *from, size_t size, size_t n, void *arg)
{
	(void)from;
	(void)arg;
	return size * n;
}

/* The status of an answer; 0: none, and error says why. */
static long ask(struct ctl *c, const char *path, char error[CURL_ERROR_SIZE])
{
	struct str url = arena_printf(&c->arena, "%s%s", c->conf.base_url, path);
	CURL *easy = curl_easy_init();
	long status = 0;

	*error = '\0';
	if (!easy)
		return 0;
	curl_easy_setopt(easy, CURLOPT_URL, url.p);
	curl_easy_setopt(easy, CURLOPT_PROXY, "");
	curl_easy_setopt(easy, CURLOPT_PROTOCOLS_STR, "http,https");
	curl_easy_setopt(easy, CURLOPT_NOSIGNAL, 1L);
	curl_easy_setopt(easy, CURLOPT_TIMEOUT_MS, (long)PATIENCE_MS);
	curl_easy_setopt(easy, CURLOPT_WRITEFUNCTION, forget);
	curl_easy_setopt(easy, CURLOPT_ERRORBUFFER, error);
	CURLcode code = curl_easy_perform(easy);
	if (code == CURLE_OK)
		curl_easy_getinfo(easy, CURLINFO_RESPONSE_CODE, &status);
	else if (!*error)
		str_print(error, CURL_ERROR_SIZE, "%s", curl_easy_strerror(code));
	curl_easy_cleanup(easy);
	return status;
}

struct str ctl_find_workers(struct ctl *c)
{
	char error[CURL_ERROR_SIZE];

	if (curl_global_init(CURL_GLOBAL_ALL))
		return STR("libcurl cannot be initialised: check its installation");
	long status = ask(c, "/-/ready", error);
	/* The web server keeps it for local addresses, and ours may be another. */
	if (status == 403 || status == 404)
		status = ask(c, "/services/v5", error);
	if (status == 200)
		return (struct str){ 0 };
	if (status == 0)
		return arena_printf(&c->arena,
			"nobody answers at base_url, %s: %s: start the web server, or correct base_url",
			c->conf.base_url, error);
	return arena_printf(&c->arena,
		"%s/-/ready is answered %ld: start the workers, and look at the lines of database and "
		"schema",
		c->conf.base_url, status);
}
