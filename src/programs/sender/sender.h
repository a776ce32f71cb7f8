/*
 * planwright-sender: takes what is due out of the outbox (sql/sender.sql) and
 * sends it, some transfers at a time, by one libcurl multi handle. Each step in
 * the database is a short transaction; nothing is held during a transfer but
 * the webhook's advisory lock. Several senders may run at once.
 */
#ifndef SENDER_H
#define SENDER_H

#include <curl/curl.h>

#include "lib/address.h"
#include "lib/conf.h"
#include "db/db.h"
#include "lib/mailer.h"

enum { SENDER_JOBS_MAX = 32 };

/* One transfer. */
struct sender_job {
	enum { JOB_NONE, JOB_WEBHOOK, JOB_MAIL } kind;
	CURL *easy;
	struct sender *sender;
	int64_t id;         /* of the delivery or mail */
	int64_t webhook_id; /* 0: mail */
	struct arena arena;
	struct buf body;   /* what is posted */
	struct buf answer; /* the beginning of the receiver's */
	size_t answered;   /* bytes of the whole answer */
	struct curl_slist *headers;
	struct mailer mailer;
	char refused[64]; /* an address that may not be reached */
	char error[CURL_ERROR_SIZE];
};

struct sender {
	struct conf conf;
	struct db *db;
	struct address_list allow;
	CURLM *multi;
	struct sender_job jobs[SENDER_JOBS_MAX];
	int n_jobs;
	int64_t last_webhook; /* the next look begins behind it, so that all have their turn */
	struct arena arena;   /* until the next look */
};

/*
 * One statement as a transaction. What fails is logged, and the connection is
 * given up with the locks that it holds. sender_end frees the rows.
 */
enum rc sender_ask(struct sender *s, enum stmt stmt, int n, const struct db_param *params,
	struct rows **rows) MUST_CHECK;
void sender_end(struct sender *s);
/* After a failure of the database: logs it and begins anew. */
void sender_lose(struct sender *s);

/* A free place; the caller has made sure that there is one. */
struct sender_job *sender_job(struct sender *s);
/* Starts the transfer of a place that was filled in. */
void sender_start(struct sender *s, struct sender_job *job);

/*
 * sender_hook.c, sender_mail.c: take one that is due and start it, *found false
 * if none is; and note what became of it.
 */
enum rc sender_hook_take(struct sender *s, bool *found) MUST_CHECK;
void sender_hook_done(struct sender *s, struct sender_job *job, CURLcode code);
enum rc sender_mail_take(struct sender *s, bool *found) MUST_CHECK;
void sender_mail_done(struct sender *s, struct sender_job *job, CURLcode code);

#endif
