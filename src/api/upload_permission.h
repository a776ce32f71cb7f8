/*
 * Upload permission: whether a file may come, by the caller's rights, room on the disk and the
 * account's quota, decided before any of it is read. A web server that can (nginx, by auth_request)
 * asks before it takes the body from the client.
 */
#ifndef UPLOAD_PERMISSION_H
#define UPLOAD_PERMISSION_H

#include "http/req.h"

/* RC_UNAVAILABLE, with what helps: the disk is nearly full. */
enum rc upload_permission_refuse_disk(struct req *r) MUST_CHECK;

/* The same while less than disk_floor_mib is free on the disk of `files`. */
enum rc upload_permission_check_disk(struct req *r) MUST_CHECK;

/*
 * The quota of an account. upload_permission_ask_quota queues the question how much of it is used,
 * when there is one; `to_keep`: in the transaction that adds to it, where others wait for its end.
 * upload_permission_take_quota takes the answer: a field's fault when `more` bytes do not fit.
 */
void upload_permission_ask_quota(struct req *r, bool to_keep);
enum rc upload_permission_take_quota(struct req *r, bool to_keep, int64_t more) MUST_CHECK;

/* Whether the body of a question (r->is_question) is not small; a small one may come. */
bool upload_permission_is_needed(const struct req *r);

/*
 * Answers a question; `rc`: what the request failed of so far. A failure is one of who asks, or
 * RC_UNAVAILABLE: with anything else the body may come, and the request is answered for itself.
 */
enum rc upload_permission_answer(struct req *r, enum rc rc) MUST_CHECK;

#endif
