/*
 * Writer of a command's outcome: rows, versions, activities, transitions, notifications
 * and deliveries, all in the command's transaction and one wave. Statements:
 * sql/queries/save.sql, and the column lists of inserts and updates, by the tables.
 */
#ifndef SAVE_H
#define SAVE_H

#include "db/db.h"
#include "domain/outcome.h"

struct audit_who;

struct save {
	struct arena *arena;
	struct db *db;
	bool mail;                   /* mail is sent */
	const struct audit_who *who; /* who acts, for the audit log; null: it is not told */
	int statements, taken;       /* queued, and answered by now */
	enum rc failed;              /* of those */
	const void *subject;         /* the object of the answer */
	bool has_subject;            /* its row is written */
};

/* Queues all of a settled outcome. */
void save_outcome(struct save *save, const struct outcome *out);

/*
 * The same in two steps, for several outcomes in one transaction: everything except
 * notifications, and
 *    those of all of them together; performer NIL: none.
 */
void save_batches(struct save *save, const struct outcome *out);
void save_news(struct save *save, int64_t performer, int64_t now, const struct news *news);

/* Takes the results of what was queued. */
enum rc save_take(struct save *save) MUST_CHECK;

/* Queues the row of a new object, and nothing that follows from it. */
void save_new(struct save *save, const struct resource *of, void *object);

/* Queues one statement, for what is saved in addition to the rows. */
void save_send(struct save *save, enum stmt stmt, int n, const struct db_param *params);

/* Makes room after a place; leaves out the story that is to go there (NIL: a new one). */
void save_spread_ranks(
	struct save *save, const struct project *p, const struct spread *spread, int64_t story);

#endif
