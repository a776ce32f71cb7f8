/*
 * Access rights: one table says who may do what (contract 1.1, 1.11). Statements only report the
 * caller's role; this file decides whether that is enough.
 */
#ifndef GATE_H
#define GATE_H

#include "http/req.h"
#include "http/route.h"
#include "model/words.h"

/* What the database knows about the caller and the object in the path. */
struct caller {
	bool has_token;    /* credentials were sent */
	int64_t person_id; /* 0: an anonymous visitor, or an unknown token */
	int64_t place_id;  /* the path's project or account; 0: none, or it does not exist */
	int role;          /* in the project; WORD_NONE: none */
	bool belongs;      /* to the path's account */
	bool administers;  /* owner or admin of the project's account, or of the path's */
	bool owns;         /* the path's account */
	bool is_self;      /* the person in the path */
	bool is_public;
	bool lacks_thing; /* the story or epic that the path names is not in the project */
};

/*
 * RC_INVALID_AUTHENTICATION for an unknown token; RC_INSUFFICIENT_SCOPE for a named one that is not
 * for r->route (http/scope.h); RC_UNFOUND_RESOURCE for a project that does not
 * exist and, for callers with the right, for a story or epic that is not in it;
 * RC_ENROLMENT_REQUIRED where a second factor would give the right; RC_UNAUTHORIZED_OPERATION, or RC_OK.
 */
enum rc gate_may(struct req *r, enum need need, const struct caller *c) MUST_CHECK;

/*
 * For reads. gate_ask queues, in front of them, the statement that identifies the caller, and
 * passes that to the statements after it (db_set_caller); gate_allows takes its result and
 * decides: until then, nothing fetched may leave the worker. Sets r->person_id, project_id,
 * version, story_total. If r->refused holds an input error, gate_ask runs alone and returns the
 * result of gate_allows, or that error.
 */
enum rc gate_ask(struct req *r) MUST_CHECK;
enum rc gate_allows(struct req *r) MUST_CHECK;

/* Both in one, if the read must not start for a caller who is not allowed. */
enum rc gate_pass(struct req *r) MUST_CHECK;

/* The same in a transaction of its own, which is then over: for callers that continue with other requests. */
enum rc gate_pass_alone(struct req *r) MUST_CHECK;

/* Tells statements who the caller is, and what their token reaches, as far as it is known. */
void gate_tell_caller(struct req *r);

/*
 * The caller, from the row of any of the gates' statements; what it has no column for is false, 0 or
 * WORD_NONE. Sets r->person_id, is_new and named.
 */
struct caller gate_take_caller(struct req *r, const struct rows *rows);

/* The version in a gate's row, for the answer; 0 for callers who may not see the project. */
int64_t gate_version(const struct rows *rows, int role, bool is_public, enum rc rc);

/* Words of the roles that meet a need, for the statement that locks; their number. */
size_t gate_roles(enum need need, struct str roles[3]);

/* Whether who administers the account meets it, too. */
bool gate_admits_admins(enum need need);

#endif
