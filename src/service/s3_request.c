#include "service/s3_request.h"

#include <curl/curl.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "lib/log.h"
#include "lib/sigv4.h"
#include "lib/when.h"

#define SECOND_US INT64_C(1000000)

static size_t give(char *to, size_t size, size_t n, void *arg)
{
	const struct s3_request *r = arg;
	ssize_t got = read(r->from, to, size * n);
	return got < 0 ? CURL_READFUNC_ABORT : (size_t)got;
}

/* For a body that curl wants to send a second time by itself. */
static int turn_back(void *arg, curl_off_t offset, int origin)
{
	const struct s3_request *r = arg;
	return lseek(r->from, offset, origin) < 0 ? CURL_SEEKFUNC_FAIL : CURL_SEEKFUNC_OK;
}

static size_t take(char *from, size_t size, size_t n, void *arg)
{
	struct s3_request *r = arg;
	size_t room = sizeof r->body - 1 - r->n_body;
	curl_easy_getinfo(r->easy, CURLINFO_RESPONSE_CODE, &r->status);
	if (r->status == 200 && r->take)
		return r->take(r->to, from, size * n) ? size * n : 0;
	memcpy(r->body + r->n_body, from, size * n < room ? size * n : room);
	r->n_body += size * n < room ? size * n : room;
	return size * n;
}

struct str s3_key(const struct s3 *s, const char *name, char to[S3_KEY_MAX])
{
	return str_print(to, S3_KEY_MAX, "%.*s%s%s", (int)s->prefix.n,
		s->prefix.n ? s->prefix.p : "", s->prefix.n ? "/" : "", name);
}

static void set_url(struct s3_request *r)
{
	const struct s3 *s = r->store;
	char key[S3_KEY_MAX];
	struct buf url = { 0 };
	buf_printf(&url, "%s/%.*s", s->endpoint, (int)s->bucket.n, s->bucket.p);
	if (r->name)
		buf_printf(&url, "/%s", s3_key(s, r->name, key).p);
	if (r->query)
		buf_printf(&url, "?%s", r->query);
	buf_put_char(&url, '\0');
	curl_easy_setopt(r->easy, CURLOPT_URL, url.p);
	buf_free(&url);
}

static int beat(void *arg, curl_off_t a, curl_off_t b, curl_off_t c, curl_off_t d)
{
	const struct s3 *s = arg;
	(void)(a + b + c + d);
	return !s->beat(s->beat_of);
}

static void set_method(struct s3_request *r)
{
	CURL *e = r->easy;
	if (!strcmp(r->method, "PUT")) {
		curl_easy_setopt(e, CURLOPT_UPLOAD, 1L);
		curl_easy_setopt(e, CURLOPT_INFILESIZE_LARGE, (curl_off_t)r->size);
		curl_easy_setopt(e, CURLOPT_READFUNCTION, give);
		curl_easy_setopt(e, CURLOPT_READDATA, r);
		curl_easy_setopt(e, CURLOPT_SEEKFUNCTION, turn_back);
		curl_easy_setopt(e, CURLOPT_SEEKDATA, r);
	} else if (!strcmp(r->method, "DELETE"))
		curl_easy_setopt(e, CURLOPT_CUSTOMREQUEST, "DELETE");
	if (r->store->beat) {
		curl_easy_setopt(e, CURLOPT_NOPROGRESS, 0L);
		curl_easy_setopt(e, CURLOPT_XFERINFOFUNCTION, beat);
		curl_easy_setopt(e, CURLOPT_XFERINFODATA, r->store);
	}
}

static void set_options(struct s3_request *r, char error[CURL_ERROR_SIZE])
{
	char how[80];
	CURL *e = r->easy;
	str_print(how, sizeof how, "aws:amz:%s:s3", r->store->region);
	set_url(r);
	curl_easy_setopt(e, CURLOPT_AWS_SIGV4, how);
	curl_easy_setopt(e, CURLOPT_USERNAME, r->store->access_key);
	curl_easy_setopt(e, CURLOPT_PASSWORD, r->store->secret_key);
	curl_easy_setopt(e, CURLOPT_PATH_AS_IS, 1L);
	curl_easy_setopt(e, CURLOPT_PROTOCOLS_STR, "http,https");
	curl_easy_setopt(e, CURLOPT_PROXY, "");
	curl_easy_setopt(e, CURLOPT_NOSIGNAL, 1L);
	curl_easy_setopt(e, CURLOPT_HTTP_VERSION, (long)CURL_HTTP_VERSION_1_1);
	curl_easy_setopt(e, CURLOPT_CONNECTTIMEOUT, (long)S3_CONNECT_S);
	curl_easy_setopt(e, CURLOPT_LOW_SPEED_LIMIT, 1L);
	curl_easy_setopt(e, CURLOPT_LOW_SPEED_TIME, (long)S3_STALL_S);
	curl_easy_setopt(e, CURLOPT_WRITEFUNCTION, take);
	curl_easy_setopt(e, CURLOPT_WRITEDATA, r);
	curl_easy_setopt(e, CURLOPT_ERRORBUFFER, error);
	set_method(r);
}

/* The store compares the content with its digest; not every libcurl sends the digest of an empty
   body. */
static struct curl_slist *add_headers(const struct s3_request *r)
{
	char line[100];
	str_print(line, sizeof line, "x-amz-content-sha256: %s",
		r->sha256 ? r->sha256 : SIGV4_NOTHING);
	struct curl_slist *list = curl_slist_append(NULL, line);
	if (!list)
		log_die("out of memory");
	return list;
}

/* The code in an error's XML, as in <Code>NoSuchBucket</Code>. */
static struct str error_code(const struct s3_request *r)
{
	static const char open[] = "<Code>";
	const char *from = strstr(r->body, open);
	size_t n = 0;
	from = from ? from + sizeof open - 1 : "";
	while ((from[n] >= 'a' && from[n] <= 'z') || (from[n] >= 'A' && from[n] <= 'Z'))
		n++;
	return (struct str){ from, n };
}

static void say(const struct s3_request *r, CURLcode code, const char *error, struct s3_problem *p)
{
	struct str word = error_code(r);
	p->is_missing = r->status == 404 && !str_equal_z(word, "NoSuchBucket");
	if (code && !(r->status >= 300))
		str_print(p->text, sizeof p->text, "the object store at %s: %s", r->store->endpoint,
			*error ? error : curl_easy_strerror(code));
	else
		str_print(p->text, sizeof p->text, "the object store at %s answers %ld%s%.*s to %s",
			r->store->endpoint, r->status, word.n ? " " : "", (int)word.n, word.p,
			r->method);
}

/* Whether another try could help. A request that hung has cost enough time. */
static bool is_passing(const struct s3_request *r, CURLcode code)
{
	return code ? code != CURLE_WRITE_ERROR && code != CURLE_ABORTED_BY_CALLBACK &&
			code != CURLE_OPERATION_TIMEDOUT
		    : r->status >= 500 || r->status == 429;
}

static bool is_done(const struct s3_request *r, CURLcode code)
{
	return !code &&
		((r->take ? r->status == 200 : r->status / 100 == 2) ||
			(r->status == 404 && !strcmp(r->method, "DELETE") &&
				!str_equal_z(error_code(r), "NoSuchBucket")));
}

static CURLcode try_once(struct s3_request *r, int64_t until_us, struct s3_problem *p)
{
	char error[CURL_ERROR_SIZE] = "";
	struct curl_slist *headers = add_headers(r);
	if (!(r->easy = curl_easy_init()))
		log_die("out of memory");
	r->n_body = 0;
	r->status = 0;
	set_options(r, error);
	curl_easy_setopt(r->easy, CURLOPT_HTTPHEADER, headers);
	int64_t left_ms = (until_us - when_now()) / 1000;
	if (until_us)
		curl_easy_setopt(r->easy, CURLOPT_TIMEOUT_MS, (long)(left_ms > 1 ? left_ms : 1));
	CURLcode code = curl_easy_perform(r->easy);
	curl_easy_getinfo(r->easy, CURLINFO_RESPONSE_CODE, &r->status);
	r->body[r->n_body] = '\0';
	if (!is_done(r, code))
		say(r, code, error, p);
	curl_easy_cleanup(r->easy);
	curl_slist_free_all(headers);
	return code;
}

bool s3_request(struct s3_request *r, struct s3_problem *p)
{
	int64_t patience_us = r->store->patience_s * SECOND_US;
	int64_t until = patience_us ? when_now() + patience_us : 0;
	*p = (struct s3_problem){ 0 };
	for (int i = 1;; i++) {
		if (r->again && !r->again(r->to)) {
			str_print(p->text, sizeof p->text, "a file in transit cannot be read: %m");
			return false;
		}
		CURLcode code = try_once(r, until, p);
		if (is_done(r, code))
			return true;
		if (!is_passing(r, code) || i == S3_TRIES || (until && when_now() >= until))
			return false;
		nanosleep(&(struct timespec){ .tv_nsec = 200000000L * i }, NULL);
	}
}
