/*
 * Idempotency keys: a POST that is sent again because its answer was lost is done once, when it has
 * the header Idempotency-Key (contract 1.2). The answer is kept for a day, in the command's
 * transaction.
 */
#ifndef IDEMPOTENCY_KEY_H
#define IDEMPOTENCY_KEY_H

#include "http/req.h"

/* Whether the request brings a key: a POST. */
bool idempotency_key_is_sent(const struct req *r);

/*
 * Answers as the first time, or runs the act, whose only transaction is then committed here.
 * RC_INVALID_PARAMETER: the key is none, or came with another request.
 */
enum rc idempotency_key_run(struct req *r, enum rc (*act)(struct req *)) MUST_CHECK;

#endif
