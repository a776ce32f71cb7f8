/*
 * planwrightctl doctor --deep: what must always hold in the database and among the files, whatever
 * happened to the server. It reads one snapshot, thing by thing, beside a running server, and locks
 * nothing.
 */
#ifndef CTL_DEEP_H
#define CTL_DEEP_H

#include "programs/ctl/ctl.h"

/* Gives `say` a line for each rule that holds, and one for each thing that breaks one, with what to do. */
void ctl_look_deep(struct ctl *c, void (*say)(bool is_ok, struct str line));

/* ctl_deep_files.c: the same for files and their rows, in the transaction that is open; ends it. */
void ctl_look_at_files(struct ctl *c, void (*say)(bool is_ok, struct str line));

/* Forgets the results of statements; the transaction stays open. */
void ctl_deep_settle(struct ctl *c, struct arena *piece);

/* The answer of a statement with one parameter. */
struct rows *ctl_deep_ask(struct ctl *c, enum stmt stmt, struct db_param param);

#endif
