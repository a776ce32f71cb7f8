/*
 * Rules of read marks of notifications (contract 2.2): their person's own, told
 * nowhere. How many a mark is about nobody counts here: the store marks them all at once.
 */
#ifndef NOTIFICATION_H
#define NOTIFICATION_H

#include "domain/outcome.h"

enum rc notification_update(struct outcome *out, const struct wish *wish) MUST_CHECK;
enum rc notification_mark_read(struct outcome *out, const struct wish *wish) MUST_CHECK;

#endif
