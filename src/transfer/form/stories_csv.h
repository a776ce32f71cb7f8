/*
 * The table of stories and epics that the original's project export and this program's have
 * (contract 7.1, 7.2), in all its forms since 2009 and as spreadsheets save it again. Columns
 * are found by name, in any order; those that are not known are named in remarks.
 */
#ifndef STORIES_CSV_H
#define STORIES_CSV_H

#include "transfer/common/intake.h"

/*
 * Reads it twice: names of people and the order of day and month are settled before the first
 * record is put. Names that stand only elsewhere (members, the people's map) are asked of
 * is_name(), so files of members are best read before this one. RC_OK, also when the file is
 * refused, which an INTAKE_ERROR says, and then no record was put; else what put() returned.
 */
enum rc stories_csv_read(struct intake *in, int file, struct intake_bytes *bytes) MUST_CHECK;

#endif
