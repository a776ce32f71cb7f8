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

/*
 * Logs the entries that the statement audit_of_request returned, each as a JSON object (audit_log =
 * on). It looks back so far: a request is short, a command or an import takes up to hours.
 */
enum { AUDIT_OF_REQUEST_S = 300, AUDIT_OF_COMMAND_S = 86400 };
void audit_log_lines(struct arena *a, const struct rows *rows);

/* The same for all that a settled outcome tells, beside its rows; nothing without save->who. */
void audit_save(struct save *save, const struct outcome *out);

#endif
