/* A project's history as CSV: ID, Type, Message, Performed By, Occurred At. */
#ifndef HISTORY_CSV_H
#define HISTORY_CSV_H

#include "transfer/common/intake.h"

/* An activity a row, with its position in the file. Returns as stories_csv_read() does. */
enum rc history_csv_read(struct intake *in, int file, struct intake_bytes *bytes) MUST_CHECK;

#endif
