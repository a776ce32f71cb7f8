/*
 * The audit log of a request (domain/audit.h): who sends it and how, and entries for acts that are
 * not commands (those tell by api/command.c). An entry is written in the transaction of its act.
 */
#ifndef TELL_H
#define TELL_H

#include "domain/audit.h"
#include "http/req.h"

/* Who sends the request. Lives as long as it. */
const struct audit_who *tell_who(struct req *r);

/* Queues an entry in the open transaction; tell_take takes its result, in the order of the wave. */
void tell_send(struct req *r, const struct audit_entry *e);
enum rc tell_take(struct req *r) MUST_CHECK;

/*
 * An act of one statement: tell_ask sends it and takes its rows, and the transaction stays open;
 * tell_end ends it, with an entry if the act was done (null: it was not).
 */
enum rc tell_ask(struct req *r, enum stmt stmt, int n, const struct db_param *params,
	struct rows **rows) MUST_CHECK;
enum rc tell_end(struct req *r, const struct audit_entry *e) MUST_CHECK;

/* The same for who is not yet the caller: somebody signs in, or came by a mailed link. */
enum rc tell_end_as(
	struct req *r, int64_t person, struct str means, const struct audit_entry *e) MUST_CHECK;
enum rc tell_end_all_as(struct req *r, int64_t person, struct str means,
	const struct audit_entry *entries, int n) MUST_CHECK;

/*
 * A refused sign-in. Few of many are written (sql/queries/audit.sql): whoever guesses fills no disk.
 *	person     whose sign-in it was to be; 0: nobody whom the server knows
 *	nobody     of nobody: what stands for the name that was given, never the name itself; else absent
 *	means      password, or provider:NAME
 *	reason     a word or a sentence, without anything secret
 * tell_send_refused queues it in the open transaction (one result, for tell_take); tell_refused
 * writes it, ending the open transaction.
 */
struct tell_refusal {
	int64_t person;
	struct str nobody, means, reason;
};
void tell_send_refused(struct req *r, const struct tell_refusal *x);
enum rc tell_refused(struct req *r, const struct tell_refusal *x) MUST_CHECK;

/* With the setting audit_log: what the request told also goes to the log. After the answer. */
void tell_log(struct req *r, struct db *db);

#endif
