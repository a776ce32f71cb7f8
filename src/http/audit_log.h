/*
 * Audit logging of a request (domain/audit.h): who sends it and how, and entries for acts that are
 * not commands (api/command.c writes theirs). An entry is written in the transaction of its act.
 */
#ifndef AUDIT_LOG_H
#define AUDIT_LOG_H

#include "domain/audit.h"
#include "http/req.h"

/* The sender of the request. Lives as long as the request. */
const struct audit_who *audit_log_who(struct req *r);

/* Queues an entry in the open transaction; audit_log_take takes its result, in the order of the wave. */
void audit_log_send(struct req *r, const struct audit_entry *e);
enum rc audit_log_take(struct req *r) MUST_CHECK;

/*
 * An act of one statement: audit_log_ask sends it and takes its rows, and the transaction stays open;
 * audit_log_end ends it, with an entry if the act was done (null: it was not).
 */
enum rc audit_log_ask(struct req *r, enum stmt stmt, int n, const struct db_param *params,
	struct rows **rows) MUST_CHECK;
enum rc audit_log_end(struct req *r, const struct audit_entry *e) MUST_CHECK;

/*
 * The same for an act that deletes something, with its answer: 204, or 404 if the statement returns no row. `told` makes
 * the entry from the row.
 */
enum rc audit_log_delete(struct req *r, enum stmt stmt, int n, const struct db_param *params,
	struct audit_entry (*told)(struct req *, const struct rows *)) MUST_CHECK;

/* The same for who is not yet the caller: somebody signs in, or came by a mailed link. */
enum rc audit_log_end_as(
	struct req *r, int64_t person, struct str means, const struct audit_entry *e) MUST_CHECK;
enum rc audit_log_end_all_as(struct req *r, int64_t person, struct str means,
	const struct audit_entry *entries, int n) MUST_CHECK;

/*
 * A refused sign-in. Few of many are written (sql/queries/audit.sql), so that guessing cannot fill the disk.
 *	person     whose sign-in it was to be; 0: nobody whom the server knows
 *	nobody     of nobody: what stands for the name that was given, never the name itself; else absent
 *	means      password, or provider:NAME
 *	reason     a word or a sentence, without anything secret
 * audit_log_send_refused queues it in the open transaction (one result, for audit_log_take); audit_log_refused
 * writes it, ending the open transaction.
 */
struct audit_log_refusal {
	int64_t person;
	struct str nobody, means, reason;
};
void audit_log_send_refused(struct req *r, const struct audit_log_refusal *x);
enum rc audit_log_refused(struct req *r, const struct audit_log_refusal *x) MUST_CHECK;

/* With the setting audit_log: what the request told also goes to the log. After the answer. */
void audit_log_print(struct req *r, struct db *db);

#endif
