/*
 * Writes entries of the audit log (domain/audit.h), in the open transaction: an act and its entry
 * are there together, or neither is.
 */
#ifndef STORE_AUDIT_H
#define STORE_AUDIT_H

#include "domain/audit.h"
#include "store/save.h"

/* The parameters of the statement audit_write, which has no rows. */
enum { AUDIT_PARAMS = 14 };
void audit_params(struct arena *a, const struct audit_who *who, const struct audit_entry *e,
	struct db_param params[AUDIT_PARAMS]);

/* Queues it. */
void audit_send(
	struct arena *a, struct db *db, const struct audit_who *who, const struct audit_entry *e);

/* The same for all that a settled outcome tells, beside its rows; nothing without save->who. */
void audit_save(struct save *save, const struct outcome *out);

#endif
