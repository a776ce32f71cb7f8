/*
 * Idempotency keys: a POST with the header Idempotency-Key that is repeated because its answer
 * was lost is done only once (contract 1.2). The answer is stored for a day, in the command's
 * transaction.
 */
#ifndef IDEMPOTENCY_KEY_H
#define IDEMPOTENCY_KEY_H

#include "http/req.h"

/* Whether the request brings a key: a POST. */
bool idempotency_key_is_sent(const struct req *r);

/*
 * Repeats the first answer, or runs the act, whose only transaction is then committed here.
 * RC_INVALID_PARAMETER: the key is invalid, or was used for another request.
 */
enum rc idempotency_key_run(struct req *r, enum rc (*act)(struct req *)) MUST_CHECK;

#endif
