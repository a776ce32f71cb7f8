/*
 * Upload permission: decides by the caller's rights, free disk space and the account's quota
 * whether a file may be sent, before any of it is read. A web server that can (nginx, with
 * auth_request) asks before it takes the body from the client.
 */
#ifndef UPLOAD_PERMISSION_H
#define UPLOAD_PERMISSION_H

#include "http/req.h"

/* RC_UNAVAILABLE, with what helps: the disk is nearly full. */
enum rc upload_permission_refuse_disk(struct req *r) MUST_CHECK;

/* The same while less than disk_floor_mib is free on the disk of `files`. */
enum rc upload_permission_check_disk(struct req *r) MUST_CHECK;

/*
 * The quota of an account. If there is one, upload_permission_ask_quota queues the question how
 * much of it is used; `to_keep`: in the transaction that adds to it, for whose end others wait.
 * upload_permission_take_quota takes the answer: a field error if `more` bytes do not fit.
 */
void upload_permission_ask_quota(struct req *r, bool to_keep);
enum rc upload_permission_take_quota(struct req *r, bool to_keep, int64_t more) MUST_CHECK;

/*
 * Whether the body announced by a question (r->is_question) is large; a small one may always be
 * sent.
 */
bool upload_permission_is_needed(const struct req *r);

/*
 * Answers a question; `rc`: the request's failure so far. Only failures about the caller, and
 * RC_UNAVAILABLE, refuse the body: in all other cases it may be sent, and the request itself is
 * answered later.
 */
enum rc upload_permission_answer(struct req *r, enum rc rc) MUST_CHECK;

#endif
