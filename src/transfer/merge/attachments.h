/* Attached files of an import: the room for them, and their way from the spool to their places. */
#ifndef ATTACHMENTS_H
#define ATTACHMENTS_H

#include "transfer/settle/import_context.h"

/*
 * How much may be written for the import of somebody: what account_quota_mib leaves the account,
 * and what the project's files take, which may be the same. Operators are not limited.
 */
enum rc attachments_open_room(struct import_context *w) MUST_CHECK;

/* Refuses it, since the spool had no room. */
void attachments_refuse(struct import_context *w);

/*
 * Refuses the import of somebody whose account has not as much room left for files
 * (account_quota_mib); who runs the server may. Behind attachments_place, which sees how large
 * they are.
 */
enum rc attachments_check_room(struct import_context *w) MUST_CHECK;

/* Puts the files of merged_file_attachment that are new into their places; not in a dry run. */
enum rc attachments_place(struct import_context *w) MUST_CHECK;

#endif
