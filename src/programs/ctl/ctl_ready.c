/*
 * planwrightctl doctor: checks that workers answer at the address for users, and that files can
 * be downloaded.
 */
#include <curl/curl.h>
#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "programs/ctl/ctl.h"
#include "service/files.h"
#include "service/probe.h"

enum { PATIENCE_MS = 5000 };

/* The beginning of an answer. */
struct answer {
	char text[64];
	size_t n;
};

static size_t keep(char *from, size_t size, size_t n, void *arg)
{
	struct answer *a = arg;
	size_t room = sizeof a->text - a->n, more = size * n < room ? size * n : room;
	memcpy(a->text + a->n, from, more);
	a->n += more;
	return size * n;
}

/* The status of an answer; 0 if there was none, and error says why. */
static long ask(struct ctl *c, const char *path, struct answer *a, char error[CURL_ERROR_SIZE])
{
	struct str url = arena_printf(&c->arena, "%s%s", c->conf.base_url, path);
	CURL *easy = curl_easy_init();
	long status = 0;

	*error = '\0';
	a->n = 0;
	if (!easy)
		return 0;
	curl_easy_setopt(easy, CURLOPT_URL, url.p);
	curl_easy_setopt(easy, CURLOPT_PROXY, "");
	curl_easy_setopt(easy, CURLOPT_PROTOCOLS_STR, "http,https");
	curl_easy_setopt(easy, CURLOPT_NOSIGNAL, 1L);
	curl_easy_setopt(easy, CURLOPT_TIMEOUT_MS, (long)PATIENCE_MS);
	curl_easy_setopt(easy, CURLOPT_WRITEFUNCTION, keep);
	curl_easy_setopt(easy, CURLOPT_WRITEDATA, a);
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
	struct answer a;

	if (curl_global_init(CURL_GLOBAL_ALL))
		return STR("libcurl cannot be initialized: check its installation");
	long status = ask(c, "/-/ready", &a, error);
	/* The web server may allow this only from local addresses, and ours may not be one. */
	if (status == 403 || status == 404)
		status = ask(c, "/services/v5", &a, error);
	if (status == 200)
		return (struct str){ 0 };
	if (status == 0)
		return arena_printf(&c->arena,
			"nothing answers at base_url, %s: %s: start the web server, or correct base_url",
			c->conf.base_url, error);
	return arena_printf(&c->arena,
		"%s/-/ready answers %ld: start the workers, and see the lines for database and schema",
		c->conf.base_url, status);
}

/* Files ------------------------------------------------------------------------------- */

static struct str compare(struct ctl *c, const struct probe *probe)
{
	char error[CURL_ERROR_SIZE];
	struct answer a;
	struct str path = arena_printf(&c->arena, PROBE_ADDRESS "%s", probe->name.p);
	long status = ask(c, path.p, &a, error);

	if (status == 0)
		return arena_printf(&c->arena,
			"a file could not be downloaded: %s: check the web server", error);
	if (status == 200 && str_equal((struct str){ a.text, a.n }, probe->content))
		return (struct str){ 0 };
	if (status == 200)
		return STR(
			"the web server sends something other than the file: it lacks the module for that (Apache: mod_xsendfile with XSendFile On and XSendFilePath; lighttpd: x-sendfile enabled), or send_files names another way; send_files = self needs no module");
	if (conf_has_store(&c->conf))
		return arena_printf(&c->arena,
			"a request for a file in the object store of `files` gets %ld: let "
			"nginx's location /-/store/ name s3_endpoint, followed by a slash, and "
			"include this version's planwright-store.conf, and reload nginx",
			status);
	return arena_printf(&c->arena,
		"a request for a file in the folder of `files` gets %ld: let the web server read "
		"that folder (and nginx's location /-/files/ name it), restart the workers, or "
		"set send_files = self",
		status);
}

struct str ctl_find_files(struct ctl *c)
{
	struct files kept = files_of(&c->conf);
	struct files_temp t;
	const struct probe probe = probe_new(&c->crypt, &c->arena);
	struct str problem;

	files_bound(&kept, PATIENCE_MS / 1000);
	if (files_open_temp(kept.folder, &t) &&
		files_write(t.fd, probe.content.p, probe.content.n) &&
		files_put_at(&kept, &t, probe.place.p))
		problem = compare(c, &probe);
	else
		problem = arena_printf(&c->arena,
			"cannot store a test file there: %s: run doctor as the user of the "
			"workers",
			*kept.problem.text ? kept.problem.text : strerror(errno));
	files_drop_temp(&t);
	files_drop(&kept, probe.place.p);
	return problem;
}
