/* Converts a row of the stories' table into records: a story or an epic, and its parts. */
#ifndef STORIES_PUT_H
#define STORIES_PUT_H

#include "transfer/form/stories_row.h"

/* The row that was read last, and remarks on it. Returns what put() of the intake did. */
enum rc stories_put_row(struct stories_row *s) MUST_CHECK;

/* Adds the names of people in the row to those of the file, and looks at its dates. */
void stories_put_survey(struct stories_row *s);

#endif
