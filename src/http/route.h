/*
 * Routing table: one row per endpoint says who may call it, what it reads and writes, and what it
 * returns. Each family's file in src/api holds its rows; route.c finds them.
 */
#ifndef ROUTE_H
#define ROUTE_H

#include "domain/audit.h"
#include "http/req.h"

struct command;
struct outcome;
struct wish;

/* Whom the row lets in; src/api/gate.c decides (contract 1.11). */
enum need {
	NEED_PERSON,      /* anybody with a token */
	NEED_VIEWER,      /* people who can see the project; everybody, if it is public */
	NEED_PARTICIPANT, /* people of the project, whatever their role; no visitor of a public one */
	NEED_MEMBER,
	NEED_OWNER,
	NEED_STEWARD, /* owner of the project, or an admin of its account */
	NEED_PARTNER, /* anybody of the project and stewards, but no visitor of a public one */
	NEED_ACCOUNT_MEMBER,
	NEED_ACCOUNT_ADMIN, /* owner or admin of the account */
	NEED_ACCOUNT_OWNER,
	NEED_ACCOUNT_SELF, /* the same, and who it is about */
	NEED_NOTHING,      /* anybody, also without a token: the act asks no gate */
};

/*
 * What it takes of a named token (scope.h): a GET reads and any other method writes, unless the row
 * says something else.
 */
enum scope {
	SCOPE_BY_METHOD,
	SCOPE_NONE,  /* none: who calls does not matter */
	SCOPE_READ,  /* also another method, if it only reads */
	SCOPE_WRITE, /* a token that may write */
	SCOPE_OWN,   /* credentials: no named token at all */
};

/*
 * How a browser may fetch the row with its cookie, apart from scripts of our pages (session.h).
 * Rows that change something, are expensive or produce downloads must not be pictures: other
 * people's texts may contain pictures, which are fetched without asking.
 */
enum fetch {
	FETCH_UNSAID,  /* like FETCH_SCRIPT, for rows that return JSON or nothing */
	FETCH_SCRIPT,  /* by scripts alone */
	FETCH_PAGE,    /* also by who follows a link, to see or to keep it */
	FETCH_PICTURE, /* also shown inside of a page */
};

/* A parameter in the query of a list: one condition. */
struct param {
	const char *name;
	enum field_type type; /* FT_INT, FT_BOOL, FT_STRING, FT_TEXT, FT_WORD, FT_TIME, FT_IDS */
	const char *where;    /* SQL after " and ", %s is the value; null: the act handles it */
	/* With PARAM_LIST, if the order of the list begins with a column that each item has in one place: that
	   column, and the place of an item, %s. */
	const char *column, *place;
	const char *const *words; /* null ended; a comma list with PARAM_LIST */
	unsigned flags;
	int64_t min, max;      /* FT_INT: bounds if either is set; FT_IDS: most ids */
	enum stmt read;        /* when given, the list is read by this statement instead */
	const char *read_when; /* only with this value; null: with any */
	enum stmt
		exists; /* FT_INT: $1 the value, $2 the path's first id; no row is a 400 (existence.h) */
	const char *unknown; /* its sentence, with a %lld for the value */
	const char *doc;
};

/*
 * The row as a tool of assistants (the Model Context Protocol, src/api/mcp.h): its arguments are
 * the ids of the path (:story is story_id), and of the row's parameters and the fields of its body
 * those that are named here; what it does and answers is the row's.
 */
struct tool {
	const char *name;
	const char *doc;   /* instead of the row's; null: that one says enough */
	const char *takes; /* names, separated by blanks; "limit offset" of a list, too */
	const char *needs; /* those that must be given although the row does without; null: none */
	const char *query; /* what it asks always; `{me}` is the caller's id */
	const char *uri; /* its answer as a resource, with arguments in braces; null: it is none */
	const char *title; /* of the resource */
	bool cuts;         /* tells long texts and lists shortly, unless `whole` is true */
};

enum param_flags {
	PARAM_REQUIRED = 1,
	PARAM_PROJECT = 2, /* names the project that the gate checks */
	PARAM_PLACE = 8,   /* a place in the list's order: its total stays the same */
	PARAM_LIST =
		16, /* FT_STRING: one or several of .words, of which `where` is true for each */
	PARAM_ONE_PLAN = 32, /* one plan fits all values: it is not planned anew for each */
	PARAM_ALONE = 4,     /* may only be combined with paging and formats (contract 1.13) */
};

enum route_flags {
	R_PAGED = 1,            /* limit, offset and the pagination headers */
	R_BASIC = 2,            /* basic auth is welcome */
	R_STORY_TOTAL = 4,      /* without conditions the total is the project's count of stories */
	R_NO_PAGE_HEADERS = 8,  /* paged, but without the headers */
	R_QUIET = 16,           /* not inside a project for the answer: no version header */
	R_NEW_PROJECT = 64,     /* makes a project: version 1 */
	R_BACKWARDS = 128,      /* paged: the act handles negative offsets */
	R_ROOT = 256,           /* the path is at the host's root, not below /services */
	R_UPLOAD = 512,         /* the body is multipart/form-data */
	R_NOT_IN_PARTS = 1024,  /* not available through the aggregator */
	R_ARRAY_BODY = 32,      /* the body may be an array */
	R_READS = 16384,        /* changes nothing, whatever its method */
	R_UNTOLD = 32768,       /* a write of no activity of its own: it makes no version */
	R_LIST = 65536,         /* answers an array, though it has no pages */
	R_PASSWORD = 131072,    /* compares or makes a password, which takes long by design */
	R_VIEWS = 16777216,     /* counts as viewing the project: last_viewed_at */
	R_REDIRECTS = 1048576,  /* leads a browser on (303); what it answers itself is a refusal */
	R_OR_NOTHING = 2097152, /* 204 in place of an answer that says nothing */
	R_ENROLS = 524288,  /* for sessions whose person has to set up a second factor first, too */
	R_ALONE = 33554432, /* needs no database and no caller: answered without either */
	R_WHOLE = 262144,   /* more than projects: not with a token of some of them */
	R_FORM = 2048,      /* the body may be a JSON string that contains a form (form.h) */
	R_NO_OFFSET = 8192, /* paged only by limit */
	R_RPC = 67108864, /* a message of JSON-RPC (api/mcp.h), with errors of its own; 401 without a token */
	R_ACTIVITY_TOTAL =
		4096, /* without conditions the total is one for each version after the first */
};

/* The media of files that people attached. */
#define ROUTE_FILE "application/octet-stream"

struct route {
	const char *method;
	const char *
		path; /* below /services/v5; ":project", ":story", ":epic", ":file", ":account" are checked by the gate */
	enum need need;
	enum rc (*act)(struct req *);
	const struct resource *resource; /* the resource of the answer; null: nothing */
	enum stmt read; /* its rows: $1 id or parent, $2 parent; lists: limit, offset.
	                 DELETE: none, unless it answers what it took off */
	enum stmt
		exists; /* reads: takes the path's ids; its row says whether the caller is `allowed`: existence.h */
	/* Commands (api/command.h): what the path's last id names, and the statement that finds it
	   by that id and the one before it; what else is loaded, and the rule. */
	const struct resource *target;
	enum stmt find;
	void (*load)(struct command *);
	/* What else it needs once the first wave is known: one more wave; null: nothing. */
	void (*look_on)(struct command *);
	enum rc (*decide)(struct outcome *, const struct wish *);
	const char *activity; /* kind of the activity of a write; null: no version */
	uint64_t
		audit; /* acts that the audit log tells (AUDIT_TELLS), or AUDIT_UNTOLD; 0: a read */
	const struct resource
		*body; /* the fields of a body, if they are not those of the resource */
	const struct param *params;
	unsigned flags;
	int limit, limit_max; /* R_PAGED */
	enum stmt total;      /* R_PAGED: template of the count; one without a place for conditions
				 has behind $1 the values of all .params that have a .where, or null */
	enum stmt total_all;  /* R_PAGED: the total without conditions, when it is cheaper so */
	enum stmt first;     /* R_PAGED: the first page without conditions, when it is cheaper so */
	enum stmt brief;     /* the same with the columns of the default answer alone */
	const char *one_of;  /* a body needs at least one of these: alphabetical, for the message */
	const char *media;   /* media type of the answer, if it is neither JSON nor empty */
	enum fetch fetch;    /* goes with .media */
	enum scope scope;    /* only where the method does not tell */
	const char *example; /* of its query and body, as reference.h reads it; null: none needed */
	const char *doc;
	const struct tool *tools; /* end with one without name; null: none */
};

/* Rows of a family, for route.c and, with a title, for reference pages. */
struct route_table {
	const char *title;
	const struct route *rows; /* end with one without method */
};

extern const struct route_table route_tables[];
extern const int route_tables_count;

/* All rows, one after the other: i from 0; null after the last. */
const struct route *route_at(int i);

/*
 * Finds the row for r->method and r->path and fills r->route and r->ids. RC_ROUTE_NOT_FOUND,
 * RC_METHOD_NOT_ALLOWED (with r->allow), or RC_UNFOUND_RESOURCE for an id that is not a number.
 */
enum rc route_find(struct req *r) MUST_CHECK;

/* Whether a request's body is read: that of a GET is not, and that of a DELETE if its row has one. */
bool route_takes_body(const struct req *r);

/* Id of the path's part with that name (":project"); 0: the path has none. */
int64_t route_id(const struct req *r, const char *name);

/* The word of a need, for the reference pages. */
const char *route_need(enum need need);

/*
 * Ends the program if two rows could answer the same request; if a row does not say which scope it
 * needs of a token; if a write neither has an activity
 * nor declares that it has none, and the same for acts of the audit log; if a row that does not return JSON does not say how it may be
 * fetched, or is a picture although it is expensive or changes something; and if a stored,
 * writable field of a command is neither told nor declared untold, or a stored field has no place
 * in its struct.
 */
void route_check(void);

#endif
