/* Contents of attached files on their way to their places (spool.h). */
#ifndef ATTACH_H
#define ATTACH_H

#include "transfer/work.h"

/*
 * Refuses the import of somebody whose account has not as much room left for files
 * (account_quota_mib); who runs the server may. Behind attach_place, which sees how large they are.
 */
enum rc attach_check_room(struct work *w) MUST_CHECK;

/* Puts the files of merged_file_attachment that are new into their places; not in a dry run. */
enum rc attach_place(struct work *w) MUST_CHECK;

#endif
