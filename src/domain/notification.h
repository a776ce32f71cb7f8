/*
 * Rules of read marks of notifications (contract 2.2): they belong to the person and are reported
 * nowhere. The store marks all affected notifications at once; nobody counts them here.
 */
#ifndef NOTIFICATION_H
#define NOTIFICATION_H

#include "domain/outcome.h"

enum rc notification_update(struct outcome *out, const struct wish *wish) MUST_CHECK;
enum rc notification_mark_read(struct outcome *out, const struct wish *wish) MUST_CHECK;

#endif
