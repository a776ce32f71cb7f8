/* Contents of attached files on their way to their places (spool.h). */
#ifndef ATTACH_H
#define ATTACH_H

#include "transfer/work.h"

/*
 * How much may be written for the import of somebody: what account_quota_mib leaves the account, and
 * what the project's files take, which may be the same. Who runs the server is not bound.
 */
enum rc attach_open_room(struct work *w) MUST_CHECK;

/* Refuses it, since the spool had no room. */
void attach_refuse(struct work *w);

/*
 * Refuses the import of somebody whose account has not as much room left for files
 * (account_quota_mib); who runs the server may. Behind attach_place, which sees how large they are.
 */
enum rc attach_check_room(struct work *w) MUST_CHECK;

/* Puts the files of merged_file_attachment that are new into their places; not in a dry run. */
enum rc attach_place(struct work *w) MUST_CHECK;

#endif
