/*
 * SMTP client through libcurl, with the settings smtp_url, smtp_user and
 * smtp_password. With a password nothing is sent without verified TLS; without
 * one TLS is used when the server offers it.
 */
#ifndef MAILER_H
#define MAILER_H

#include <curl/curl.h>

#include "lib/message.h"
#include "service/conf.h"

struct mailer {
	struct buf text;
	size_t sent;
	struct curl_slist *to;
	char error[CURL_ERROR_SIZE];
};

/*
 * A transfer that sends the message when libcurl performs it; null if mail cannot be sent to the
 * address (mailer_problem says why). The mailer must live until the transfer has ended;
 * mailer_free frees the mailer, not the transfer.
 */
CURL *mailer_new(struct mailer *m, const struct conf *conf, const struct message *message);
void mailer_free(struct mailer *m);

/* One line on a transfer that ended so; null: the server took the mail. */
const char *mailer_problem(struct mailer *m, CURLcode code);

#endif
