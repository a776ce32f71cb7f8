/*
 * Retired versions, what their requests need beyond the endpoint of version 5 that they stand for:
 * people by name, and requests that take more than one of version 5.
 */
#ifndef API_OLD_H
#define API_OLD_H

#include "http/req.h"

/* old_find, and what goes before or behind the endpoint's act. The same results. */
enum rc old_begin(struct req *r) MUST_CHECK;

#endif
