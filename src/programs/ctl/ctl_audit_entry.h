/*
 * planwrightctl in the audit log: a command's entries are written in its transaction, in the name of
 * "ctl:" and the system's user. Requests (ctl_request) and rules (ctl_new_person …) write their own.
 */
#ifndef CTL_AUDIT_ENTRY_H
#define CTL_AUDIT_ENTRY_H

#include "domain/audit.h"
#include "programs/ctl/ctl.h"

/* Writes an entry; the caller commits. */
void ctl_audit_entry(struct ctl *c, const struct audit_entry *e);

/* The same for all that a rule's outcome tells, once it is saved. */
void ctl_audit_entry_outcome(struct ctl *c, const struct outcome *out);

/* The same of a person, for their accounts. */
void ctl_audit_entry_person(struct ctl *c, enum audit_act act, int64_t person);

#endif
