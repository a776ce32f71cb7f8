/*
 * Delivery of mail and webhooks by planwright-sender: takes what is due from the outbox
 * (sql/sender.sql) and sends it, several transfers at a time, with one libcurl multi handle. Each
 * step in the database is a short transaction; during a transfer, the sender holds a lease of the
 * webhook (sql/lease.sql) and renews it. Several senders may run at once.
 */
#ifndef SENDER_H
#define SENDER_H

#include <curl/curl.h>

#include "db/db.h"
#include "lib/address.h"
#include "service/bell.h"
#include "service/conf.h"
#include "service/mailer.h"

enum {
	SENDER_JOBS_MAX = 32,
	SENDER_HOOKS = 24,
	SENDER_HOOKS_OF_PROJECT = 4, /* by all senders together */
	SENDER_LETTERS = 4,
	SENDER_MAILS = SENDER_JOBS_MAX - SENDER_HOOKS - SENDER_LETTERS,
	SENDER_LEASE_S = 15,
};

struct sender;
struct sender_job;

/* A kind of transfer: a file sender_*.c, and a row of the table in sender.c. */
struct sender_kind {
	const char *name;                       /* for the log: "webhooks" */
	int places;                             /* how many at a time: none waits for other kinds */
	bool (*is_wanted)(const struct conf *); /* by the settings; null: always */
	/*
	 * Takes one that is due; *found stays false if there is none. Fills the job, whose `easy`
	 * is the transfer to start; null: it could not be made, which has been recorded.
	 */
	enum rc (*take)(struct sender *, struct sender_job *, bool *found);
	/* Records the result; the job is freed afterwards. */
	void (*done)(struct sender *, struct sender_job *, CURLcode);
};

/* The error recorded for a withheld mail. */
#define SENDER_ABOVE "not sent: one person's actions caused more than mails_a_day"

/*
 * sender_old.c: the activity in job->body, which is JSON, as XML of a retired version ("v3"). *told
 * false: that version has no such activity.
 */
enum rc sender_turn_old(
	struct sender *s, struct sender_job *job, struct str version, bool *told) MUST_CHECK;

extern const struct sender_kind sender_hook_kind, sender_letter_kind, sender_mail_kind;

/* One transfer. */
struct sender_job {
	const struct sender_kind *kind; /* null: the place is free */
	CURL *easy;
	struct sender *sender;
	int64_t id;         /* of the delivery, letter or mail */
	int64_t webhook_id; /* 0: mail */
	struct str lease;   /* of the webhook; absent: mail */
	struct arena arena;
	struct buf body;   /* what is posted */
	struct buf answer; /* the beginning of the receiver's */
	size_t answered;   /* bytes of the whole answer */
	struct curl_slist *headers;
	struct mailer mailer;
	bool is_private; /* an address is not on the public Internet */
	char error[CURL_ERROR_SIZE];
};

struct sender {
	struct conf conf;
	struct db *db;
	struct address_list allow;
	CURLM *multi;
	struct sender_job jobs[SENDER_JOBS_MAX];
	int n_jobs;
	int64_t last_webhook; /* the next search starts after it, so that all get their turn */
	int64_t next_keep_us; /* when leases are renewed */
	struct arena arena;   /* until the next look */
	struct bell bell;     /* somebody has committed what may have to be sent */
};

/*
 * One statement as a transaction. A failure is logged, and the connection is dropped. sender_end
 * frees the rows.
 */
enum rc sender_ask(struct sender *s, enum stmt stmt, int n, const struct db_param *params,
	struct rows **rows) MUST_CHECK;
void sender_end(struct sender *s);

/*
 * Records the result of a mail or a letter with a statement of ($1 id, $2 problem); problem null:
 * delivered. A problem that is not text is recorded as "unreadable".
 */
void sender_note(struct sender *s, struct sender_job *job, const char *what, enum stmt stmt,
	const char *problem);
/* After a database failure: logs it and starts over. */
void sender_lose(struct sender *s);

/*
 * sender_lease.c: when it is time, renews the leases of all transfers. Those that were lost are
 * another sender's by now: `drop` ends their transfers.
 */
void sender_keep(struct sender *s, void (*drop)(struct sender *, struct sender_job *));

#endif
