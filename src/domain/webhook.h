/*
 * Rules of webhooks (contract 1.4, 2.17): an https address. They make no version: what is sent
 * where only concerns the owner.
 */
#ifndef WEBHOOK_H
#define WEBHOOK_H

#include "domain/outcome.h"

/* Of a project: each is a request more for every change. */
enum { WEBHOOKS_MAX = 20 };

enum rc webhook_create(struct outcome *out, const struct wish *wish) MUST_CHECK;
enum rc webhook_update(struct outcome *out, const struct wish *wish) MUST_CHECK;
enum rc webhook_delete(struct outcome *out, const struct wish *none) MUST_CHECK;

/* http or https with a host, which may be an IPv6 address in brackets, and perhaps a port;
   no login. */
bool webhook_is_address(struct str url);

#endif
