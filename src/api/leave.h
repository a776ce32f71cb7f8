/*
 * Whether a file may come: asked before any of it is read. A web server that can (nginx, by
 * auth_request) asks before it takes the body from the client.
 */
#ifndef LEAVE_H
#define LEAVE_H

#include "http/req.h"

/* RC_UNAVAILABLE, with what helps: the disk is nearly full. */
enum rc leave_refuse_disk(struct req *r) MUST_CHECK;

/* The same while less than disk_floor_mib is free on the disk of `files`. */
enum rc leave_check_disk(struct req *r) MUST_CHECK;

/*
 * The quota of an account. leave_send_room queues the question how much of it is used, when there
 * is one; `to_keep`: in the transaction that adds to it, where others wait for its end.
 * leave_take_room takes the answer: a field's fault when `more` bytes do not fit.
 */
void leave_send_room(struct req *r, bool to_keep);
enum rc leave_take_room(struct req *r, bool to_keep, int64_t more) MUST_CHECK;

/* Whether the body of a question (r->is_question) is not small; a small one may come. */
bool leave_is_needed(const struct req *r);

/*
 * Answers a question; `rc`: what the request failed of so far. A failure is one of who asks, or
 * RC_UNAVAILABLE: with anything else the body may come, and the request is answered for itself.
 */
enum rc leave_answer(struct req *r, enum rc rc) MUST_CHECK;

#endif
