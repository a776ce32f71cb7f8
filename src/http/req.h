/*
 * The request context: input, interpretation and answer of a request. It lives in the request's
 * arena. Functions return an enum rc; req_fail… note the contents of the error object, which
 * worker.c answers once.
 */
#ifndef REQ_H
#define REQ_H

#include "db/db.h"
#include "lib/arena.h"
#include "lib/body.h"
#include "lib/buf.h"
#include "lib/held.h"
#include "lib/json.h"
#include "lib/uri.h"
#include "model/object.h"
#include "model/select.h"
#include "service/conf.h"
#include "service/crypt.h"
#include "service/err.h"
#include "service/ledger.h"

struct old_names;
struct old_path;
struct old_wish;
struct problem;
struct req;
struct route;
struct search;
struct sink;

enum { REQ_IDS_MAX = 5, REQ_SEGMENTS_MAX = 12, REQ_STREAM_FILES = 3 };

/* What the error object contains besides code, kind and error (contract 1.4). */
struct req_error {
	struct str general_problem;
	struct str possible_fix;
	struct str requirement;
	struct str error; /* instead of the sentence of its rc */
	const struct problem
		*problems; /* of a rule (outcome.h): validation_errors, and general_problem */
	struct str field;  /* if set: validation_errors, with general_problem as the problem */
};

/* Pagination headers (contract 1.6). */
struct req_page {
	bool on;
	int64_t limit, offset, total, returned;
};

/* The body of an upload, which its handler reads in pieces. */
struct req_upload {
	int (*read)(void *stream, char *to, int n); /* bytes read; 0: end of the body */
	void *stream;
	int64_t length;
};

/* The named token of a request (scope.h). */
struct req_token {
	int64_t id; /* 0: it has none */
	bool reads_only;
	bool is_stale;         /* its use was noted more than an hour ago */
	bool is_limited;       /* to some projects */
	struct db_param reach; /* the places that it reaches (db/db.h); null: all */
};

/* Of a session whose person lacks a second factor that an account of theirs requires. */
struct req_session {
	struct db_param reach; /* the places that it reaches (db/db.h); null: all … */
	struct ids withheld;   /* … and those that it does not */
};

/* How a file is sent: by whom, and what the web server gets. */
enum req_sender {
	SENDER_NGINX,      /* X-Accel-Redirect: it has a location */
	SENDER_X_SENDFILE, /* X-Sendfile: the whole path */
	SENDER_SELF,       /* the worker */
};

/* The cookies that an answer can set. */
enum req_cookie { REQ_COOKIE_SESSION, REQ_COOKIE_SIGN_IN, REQ_COOKIES };

/* A file that is sent in place of a body. */
struct req_file {
	struct str place; /* below the folder of files (files.h); absent: none */
	struct str type, disposition;
	enum req_sender sender;
	int fd; /* SENDER_SELF: the open file, which is sent with the answer … */
	int64_t size;
};

/* An answer that a process of its own makes (stream.h), in pieces or as any other. */
struct req_stream {
	/* Runs there, with r->db a new connection; the first piece sends the headers. Null: none. */
	enum rc (*make)(struct req *r, struct sink *to);
	void *of; /* its data, in the arena */
	enum ledger_part part;
	/* Before there is a connection: waits if necessary. Null: nothing to wait for. */
	void (*wait)(struct req *r, struct ledger *place);
	/* Whether it worked or not: cleans up. Null: nothing to clean up. */
	void (*drop)(struct req *r);
	int *files[REQ_STREAM_FILES]; /* descriptors that go along; null: no more */
};

/* A request of a retired version of the interface (old.h). */
struct req_old {
	int version;                           /* enum old_version; 0: it is of version 5 */
	const struct old_path *path;           /* its row; null: there is none */
	struct str segments[REQ_SEGMENTS_MAX]; /* of its path */
	const struct uri_param *query;         /* its own, once params are those of version 5 */
	struct old_wish *wish;                 /* its body; null: none that is taken */
	const struct old_names *names;         /* for its answer; null: none are needed */
	/* What version 5 does, where something comes before or behind it (src/api/old.c). */
	enum rc (*act)(struct req *r);
	enum rc (*make)(struct req *r, struct sink *to);
};

/* Bytes of an answer: nested lists multiply, and one worker must not hold gigabytes. */
enum { REQ_ANSWER_MAX = 128 * 1024 * 1024 };

struct req {
	struct arena *arena;
	const struct conf *conf;
	const struct crypt *crypt;
	struct db *db;
	struct db *leader; /* null: db is its connection; otherwise db is a standby's (standby.h) */
	struct standby *standby; /* null: there is none to ask */
	int standby_use;         /* enum standby_use */
	bool is_behind;          /* what the standby has is not what the leader has */
	int peer;                /* the connection to the web server */

	/* What came in. */
	struct str method;                     /* after _method, PATCH as PUT, HEAD as GET */
	struct str segments[REQ_SEGMENTS_MAX]; /* of the path after /services/<version>, decoded */
	int n_segments;
	struct str origin, authorization, if_none_match;
	struct str idempotency_key; /* Idempotency-Key; absent: none */
	struct str cookie, fetch_site, fetch_dest, accept, requested_with,
		agent; /* for session.h */
	struct str
		remote_user; /* whom the web server has signed in; absent: nobody, or not trusted */
	struct str languages; /* Accept-Language, for languages.h; absent: none */
	struct str token;     /* API token, wherever it was given; absent: none */
	struct str body_text;
	struct str content_type;
	const char *id;           /* of the request, for logs; null: none */
	struct str address;       /* of the client, according to the web server */
	struct req_upload upload; /* read null: the body is in body_text */
	const char *upload_part;  /* the part with the file; null: "file" */
	bool is_question;         /* a question of the web server: may the body be sent? */
	int64_t announced;        /* bytes of that body; -1: not known */
	bool at_root;             /* the path is outside of /services */
	struct uri_param *params;
	char **environment; /* as the web server sent it, for req_header; null: a part of a request */

	/* What it means. */
	const struct route *route;
	int64_t ids[REQ_IDS_MAX]; /* of the path, in its order */
	int n_ids;
	struct body *body;   /* of a write: an object; an array where R_ARRAY_BODY lets it */
	bool is_form;        /* the body's values are texts yet: bind_check gives them types */
	int32_t current_day; /* a search: when the project's current iteration began */
	const struct search *search; /* of a filter or a query; null: none */
	struct selection *selection;
	bool millis, envelope;
	bool is_gone; /* of a retired version that is switched off: the error as XML */
	struct req_old old;
	bool secret_is_old;   /* something was sealed with a secret that is newer than ours */
	bool sign_in_refused; /* a password was wrong, or was not looked at for that */
	bool tells_sign_in;   /* somebody signed in with it */
	int64_t login_id;     /* person whose password was right, or who has a session; 0: none */
	struct str means;     /* planwrightctl asks, as login_id, and names whom it likes: "ctl:"
				  and the system's user, for the audit log; absent: it does not */
	int64_t at;           /* of such a request: when what it writes happens; 0: now */
	int64_t session_id;   /* of the cookie; 0: the request has none that counts */
	bool must_enrol;      /* its person first sets up a second factor: no projects */
	struct req_session session; /* what it reaches */
	struct str token_mac;       /* req_token_mac */
	unsigned token_mac_of;      /* by which of the secrets that crypt had */
	uint64_t credential;        /* a number for token or cookie (guard.h); 0: none counts */
	struct ledger *ledger;      /* where this request is counted; null: nowhere by itself */
	bool over_share;            /* it was refused because its person keeps too much busy */

	/* What the gate found (src/api/gate.h). */
	int64_t person_id; /* 0: anonymous visitor */
	struct req_token named;
	struct str
		agent_token; /* name of the token by which an assistant acts, "" for the API token;
				   absent: none does */
	bool has_written;    /* its row only reads (R_READS), but a part of it did not */
	bool is_new;         /* this person signs in for the first time */
	bool is_view;        /* this person views the project, for the first time in a minute */
	int64_t project_id;  /* 0: none */
	int64_t version;     /* of that project, after the change; 0: none */
	bool made_version;   /* this request made that version */
	int64_t story_total;

	/* What goes out. */
	struct buf *out;
	struct json json;
	struct held held;
	int status;
	int retry_after;     /* seconds, of 429 and 503; 0: a few */
	bool is_page;        /* r->out is HTML for people: it runs no scripts and is not cached */
	bool password_right; /* the body's is the caller's */
	const char *media_type; /* of r->out; null: JSON */
	const char *filename;   /* r->out is a download with that name; null: not a download */
	struct req_page page;
	bool tells_newest;           /* of an answer with notifications: */
	int64_t newest_notification; /* milliseconds; 0: none */
	struct req_file file;
	struct req_stream stream;
	bool may_hand_over;   /* the web server takes an X-Accel-Redirect to a location of ours */
	struct str handed_to; /* the path there, in place of a body; absent: none */
	struct str allow;     /* for 405: the methods of the rows */
	struct str location;  /* for 303 */
	struct str set_cookie[REQ_COOKIES]; /* absent: none is set */
	struct req_error error;
	void (*write_error)(struct req *r, int status); /* null: as a JSON object */
	enum rc refused; /* found before the caller was known: answered only to callers whom the gate lets in */
};

/* Fails with a sentence under general_problem. */
enum rc req_fail(struct req *r, enum rc rc, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

/* The same for one field: general_problem and validation_errors. */
enum rc req_fail_field(struct req *r, const char *field, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

/*
 * A request inside of this one: the same caller, connection and answer buffer, without a path yet.
 * What it writes stands behind what r->out has; r->json must not be used meanwhile.
 */
struct req req_part(const struct req *r, struct str method);

/* A header of the request, by its name in the environment: "HTTP_MCP_NAME". Absent: not sent. */
struct str req_header(const struct req *r, const char *name);

/*
 * Fails the request for a failed statement: with the sentence from sentence.h, or with the reason
 * why the request was stopped. Anything else is a bug of ours, and logged.
 */
enum rc req_fail_db(struct req *r, enum rc rc);

/* Takes the rows of the next statement; reports a failure with req_fail_db. */
enum rc req_next(struct req *r, struct rows **rows) MUST_CHECK;

/*
 * If the request was stopped (db_stopped), notes why and returns the matching rc; otherwise
 * returns rc.
 */
enum rc req_fail_stopped(struct req *r, enum rc rc);

/*
 * Notes an input error, which is answered only if the gate lets the caller in: credentials and
 * rights come first. The first error wins.
 */
void req_refuse(struct req *r, enum rc rc);

/* The digest by which the database knows the token, which is there; as a parameter: null without. */
struct str req_token_mac(struct req *r);
struct db_param req_token_param(struct req *r);

/* What is wrong, in one text; absent: the error of its rc says it all. */
struct str req_problem(const struct req *r);

/* Fails if the answer, or what it was made from, is larger than the limits allow. */
enum rc req_check_size(struct req *r) MUST_CHECK;

/* Opens r->file.place, for the worker to send itself; a missing file is logged. */
enum rc req_open_file(struct req *r) MUST_CHECK;

/* Writes the error object of rc to r->out and sets r->status. */
void req_write_error(struct req *r, enum rc rc);

#endif
