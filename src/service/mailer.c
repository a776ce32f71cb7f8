#include "service/mailer.h"

#include <stdio.h>
#include <string.h>

#include "lib/log.h"

enum { TIMEOUT_MS = 30000 };

static size_t give(char *to, size_t size, size_t n, void *arg)
{
	struct mailer *m = arg;
	size_t left = m->text.n - m->sent, take = size * n < left ? size * n : left;
	memcpy(to, m->text.p + m->sent, take);
	m->sent += take;
	return take;
}

static void set_server(CURL *easy, const struct conf *conf)
{
	bool login = *conf->smtp_password != '\0';
	bool tls = strncmp(conf->smtp_url, "smtps:", 6) == 0;
	curl_easy_setopt(easy, CURLOPT_URL, conf->smtp_url);
	curl_easy_setopt(easy, CURLOPT_PROTOCOLS_STR, "smtp,smtps");
	curl_easy_setopt(easy, CURLOPT_PROXY, "");
	curl_easy_setopt(easy, CURLOPT_NOSIGNAL, 1L);
	curl_easy_setopt(easy, CURLOPT_TIMEOUT_MS, (long)TIMEOUT_MS);
	curl_easy_setopt(easy, CURLOPT_USE_SSL, (long)(login ? CURLUSESSL_ALL : CURLUSESSL_TRY));
	if (!login && !tls) {
		/* Between mail servers, TLS only keeps out eavesdroppers: most have no name that
		   can be verified. */
		curl_easy_setopt(easy, CURLOPT_SSL_VERIFYPEER, 0L);
		curl_easy_setopt(easy, CURLOPT_SSL_VERIFYHOST, 0L);
	}
	if (login) {
		curl_easy_setopt(easy, CURLOPT_USERNAME, conf->smtp_user);
		curl_easy_setopt(easy, CURLOPT_PASSWORD, conf->smtp_password);
	}
}

CURL *mailer_new(struct mailer *m, const struct conf *conf, const struct message *message)
{
	char from[300], to[300];
	*m = (struct mailer){ 0 };
	if (!message_is_address(message->to) || !message_is_address(message->from)) {
		snprintf(m->error, sizeof m->error, "email cannot be sent to or from this address");
		return NULL;
	}
	snprintf(from, sizeof from, "<%.*s>", (int)message->from.n, message->from.p);
	snprintf(to, sizeof to, "<%.*s>", (int)message->to.n, message->to.p);
	CURL *easy = curl_easy_init();
	m->to = curl_slist_append(NULL, to);
	if (!easy || !m->to)
		log_die("out of memory");
	message_put(&m->text, STR("planwright"), message);
	set_server(easy, conf);
	curl_easy_setopt(easy, CURLOPT_MAIL_FROM, from);
	curl_easy_setopt(easy, CURLOPT_MAIL_RCPT, m->to);
	curl_easy_setopt(easy, CURLOPT_UPLOAD, 1L);
	curl_easy_setopt(easy, CURLOPT_READFUNCTION, give);
	curl_easy_setopt(easy, CURLOPT_READDATA, m);
	curl_easy_setopt(easy, CURLOPT_ERRORBUFFER, m->error);
	return easy;
}

void mailer_free(struct mailer *m)
{
	curl_slist_free_all(m->to);
	buf_free(&m->text);
	m->to = NULL;
}

const char *mailer_problem(struct mailer *m, CURLcode code)
{
	if (code == CURLE_OK)
		return NULL;
	return *m->error ? m->error : curl_easy_strerror(code);
}
