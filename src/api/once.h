/*
 * Writes that are sent again because their answer was lost: with the header Idempotency-Key they
 * are done once (contract 1.2). The answer is kept for a day, in the command's transaction.
 */
#ifndef ONCE_H
#define ONCE_H

#include "http/req.h"

/* Whether the request brings a key: a POST. */
bool once_is_wanted(const struct req *r);

/*
 * Answers as the first time, or runs the act, whose only transaction is then committed here.
 * RC_INVALID_PARAMETER: the key is none, or came with another request.
 */
enum rc once_run(struct req *r, enum rc (*act)(struct req *)) MUST_CHECK;

#endif
