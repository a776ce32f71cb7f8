/*
 * Error codes: every function that can fail returns an enum rc, and only this table gives each
 * kind its HTTP status, code and sentence (contract 1.4).
 */
#ifndef ERR_H
#define ERR_H

enum rc {
	RC_OK = 0,
	RC_INVALID_PARAMETER,      /* 400 */
	RC_COULD_NOT_PARSE_BODY,   /* 400 */
	RC_INVALID_AUTHENTICATION, /* 403 */
	RC_UNAUTHENTICATED,        /* 401: the same, where clients wait for that status */
	RC_UNAUTHORIZED_OPERATION, /* 403 */
	RC_INSUFFICIENT_SCOPE,     /* 403: another token is needed */
	RC_SECOND_FACTOR_REQUIRED, /* 403: the password was right, and its person has one */
	RC_ENROLMENT_REQUIRED,     /* 403: the session's person has to set one up first */
	RC_UNFOUND_RESOURCE,       /* 404 */
	RC_ROUTE_NOT_FOUND,        /* 404 */
	RC_METHOD_NOT_ALLOWED,     /* 405 */
	RC_GONE,                   /* 410: /services/v3, /services/v4 */
	RC_BODY_TOO_LARGE,         /* 413 */
	RC_URI_TOO_LONG,           /* 414 */
	RC_TOO_MANY_REQUESTS,      /* 429, with Retry-After */
	RC_UNAVAILABLE,            /* 503, with Retry-After */
	RC_UNHANDLED_CONDITION,    /* 500 */
	RC__MAX
};

#define MUST_CHECK __attribute__((warn_unused_result))

struct err_kind {
	int status;
	const char *code;            /* "invalid_parameter" */
	const char *error;           /* the sentence under the key `error` */
	const char *possible_fix;    /* null: none by default */
	const char *general_problem; /* null: none by default */
};

extern const struct err_kind err_kinds[RC__MAX];

/* SQLSTATE of a failed statement to rc. */
enum rc err_of_sqlstate(const char *sqlstate);

#endif
