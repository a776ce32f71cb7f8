#include "oidc/http_client.h"

#include <curl/curl.h>
#include <stdlib.h>
#include <sys/socket.h>

#include "lib/address.h"
#include "lib/buf.h"
#include "lib/log.h"
#include "lib/when.h"
#include "oidc/discovery.h"

#ifndef PACKAGE_VERSION
#define PACKAGE_VERSION "unknown"
#endif

struct exchange {
	struct buf body;
	bool is_own;   /* the address has the issuer's origin … */
	bool is_local; /* … which is without TLS, on this host */
	bool is_refused, is_too_large;
	char error[CURL_ERROR_SIZE];
};

struct http_client http_client_begin(struct arena *a, struct str issuer)
{
	return (struct http_client){ .arena = a,
		.issuer = issuer,
		.until_us = when_now() + (int64_t)WIRE_SECONDS * 1000000 };
}

/* Gets the very address that a name resolved to: libcurl connects to that one or to none. */
static curl_socket_t open_socket(void *arg, curlsocktype purpose, struct curl_sockaddr *a)
{
	static const struct address_list none;
	struct exchange *t = arg;
	bool may = t->is_local ? address_is_loopback(&a->addr)
			       : t->is_own || address_is_allowed(&a->addr, &none);
	if (purpose != CURLSOCKTYPE_IPCXN || !may) {
		t->is_refused = true;
		return CURL_SOCKET_BAD;
	}
	return socket(a->family, a->socktype | SOCK_CLOEXEC, a->protocol);
}

static size_t take(char *from, size_t size, size_t n, void *arg)
{
	struct exchange *t = arg;
	n *= size;
	t->is_too_large = t->is_too_large || t->body.n + n > WIRE_DOCUMENT_MAX;
	if (t->is_too_large)
		return 0;
	buf_put(&t->body, from, n);
	return n;
}

static const char *problem_of(struct arena *a, const struct exchange *t, CURLcode code, long status)
{
	if (t->is_too_large)
		return "with more than 256 KiB";
	if (t->is_refused)
		return "from an address that is not allowed: it is neither public nor on the "
		       "issuer's own host and port";
	if (code == CURLE_OPERATION_TIMEDOUT)
		return "too late: it has ten seconds";
	const char *said = *t->error ? t->error : curl_easy_strerror(code);
	if (code == CURLE_PEER_FAILED_VERIFICATION)
		return arena_printf(a, "with a certificate that cannot be trusted (%s)", said).p;
	if (code)
		return arena_printf(a, "nothing: %s", said).p;
	if (status / 100 == 3)
		return "with a redirect, which is not followed";
	return status == 200 ? NULL : arena_printf(a, "with the status %ld", status).p;
}

static int64_t date_of(CURL *easy)
{
	struct curl_header *h;
	return curl_easy_header(easy, "Date", 0, CURLH_HEADER, -1, &h) == CURLHE_OK
		? (int64_t)curl_getdate(h->value, NULL)
		: -1;
}

static void set_options(CURL *easy, const struct http_client *w,
	const struct http_client_request *q, struct exchange *t)
{
	int64_t left_ms = (w->until_us - when_now()) / 1000;
	curl_easy_setopt(easy, CURLOPT_URL, arena_str(w->arena, q->address).p);
	curl_easy_setopt(easy, CURLOPT_PROTOCOLS_STR, t->is_local ? "http" : "https");
	curl_easy_setopt(easy, CURLOPT_FOLLOWLOCATION, 0L);
	curl_easy_setopt(easy, CURLOPT_PROXY, "");
	curl_easy_setopt(easy, CURLOPT_DISALLOW_USERNAME_IN_URL, 1L);
	curl_easy_setopt(easy, CURLOPT_NOSIGNAL, 1L);
	curl_easy_setopt(easy, CURLOPT_QUICK_EXIT, 1L);
	curl_easy_setopt(easy, CURLOPT_TIMEOUT_MS, (long)(left_ms > 1 ? left_ms : 1));
	/* The operator's own certificates, as OpenSSL uses them for its own connections. */
	if (getenv("SSL_CERT_FILE"))
		curl_easy_setopt(easy, CURLOPT_CAINFO, getenv("SSL_CERT_FILE"));
	curl_easy_setopt(easy, CURLOPT_USERAGENT, "planwright/" PACKAGE_VERSION);
	curl_easy_setopt(easy, CURLOPT_OPENSOCKETFUNCTION, open_socket);
	curl_easy_setopt(easy, CURLOPT_OPENSOCKETDATA, t);
	curl_easy_setopt(easy, CURLOPT_WRITEFUNCTION, take);
	curl_easy_setopt(easy, CURLOPT_WRITEDATA, t);
	curl_easy_setopt(easy, CURLOPT_ERRORBUFFER, t->error);
	if (q->form.p) {
		curl_easy_setopt(easy, CURLOPT_POSTFIELDSIZE, (long)q->form.n);
		curl_easy_setopt(easy, CURLOPT_COPYPOSTFIELDS, q->form.p);
	}
	if (q->secret.p) {
		curl_easy_setopt(easy, CURLOPT_HTTPAUTH, (long)CURLAUTH_BASIC);
		/* Encoded first (RFC 6749, 2.3.1). */
		curl_easy_setopt(easy, CURLOPT_USERNAME, discovery_encode(w->arena, q->user).p);
		curl_easy_setopt(easy, CURLOPT_PASSWORD, discovery_encode(w->arena, q->secret).p);
	}
}

bool http_client_ask(struct http_client *w, const struct http_client_request *q, struct str *body)
{
	long status = 0;
	struct str origin = discovery_origin(w->issuer);
	struct exchange t = { .is_own =
				      origin.p && str_equal(origin, discovery_origin(q->address)) };
	t.is_local = t.is_own && address_is_loopback_url(w->issuer);
	CURL *easy = curl_easy_init();
	struct curl_slist *headers = curl_slist_append(NULL, "Accept: application/json");
	if (!easy || !headers)
		log_die("out of memory");
	set_options(easy, w, q, &t);
	curl_easy_setopt(easy, CURLOPT_HTTPHEADER, headers);
	CURLcode code = curl_easy_perform(easy);
	curl_easy_getinfo(easy, CURLINFO_RESPONSE_CODE, &status);
	w->status = status;
	w->date = date_of(easy);
	w->is_away = !t.is_too_large && !t.is_refused && code != CURLE_PEER_FAILED_VERIFICATION &&
		(code || status >= 500);
	w->problem = problem_of(w->arena, &t, code, status);
	*body = arena_str(w->arena, buf_str(&t.body));
	if (!body->p)
		*body = STR("");
	curl_easy_cleanup(easy);
	curl_slist_free_all(headers);
	buf_free(&t.body);
	return !w->problem;
}
