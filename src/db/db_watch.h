/*
 * Non-blocking database connection for a program with an event loop: one statement at a time, and
 * no function waits. The program calls db_watch_step when the connection's descriptor is ready,
 * and from time to time. A lost connection is restored after a moment.
 */
#ifndef DB_WATCH_H
#define DB_WATCH_H

#include "db/db.h"

struct db_watch;

struct db_watch *db_watch_new(const struct conf *conf);
void db_watch_free(struct db_watch *w);

/* What to wait for: the descriptor (-1: none) and the events of poll(2). Both change with each step. */
int db_watch_fd(const struct db_watch *w);
short db_watch_events(const struct db_watch *w);

/* Goes on as far as possible; `is_ready`: its descriptor is. Logs when a connection is lost. */
void db_watch_step(struct db_watch *w, bool is_ready);

/* Whether a statement may be asked now. */
bool db_watch_is_free(const struct db_watch *w);

/* Asks a static statement, even a late one, that names no caller. False: the connection is lost. */
bool db_watch_ask(struct db_watch *w, enum stmt stmt, int n, const struct db_param *params);

/*
 * The rows of what was asked, once: they live until the next db_watch_ask. Null: they are not there
 * yet, or never will be (db_watch_is_free tells).
 */
struct rows *db_watch_take(struct db_watch *w);

#endif
