/*
 * Story counts of a label: 24 numbers in the column label.tally: by state in an order of
 * their own how many stories, then how many of them without points, then the points
 * (contract 3.5). Activities keep the numbers; answers spell them out.
 */
#ifndef TALLY_H
#define TALLY_H

#include "lib/json.h"
#include "db/db.h"
#include "model/value.h"

/* One story more (sign 1) or less (-1) of that state and estimate. */
void tally_add(double tally[TALLY_MAX], int state, double estimate, int sign);

/* The numbers as stored in a row of the database. */
void tally_load(double tally[TALLY_MAX], const struct rows *rows, int row, int column);

/* The story_counts object of an answer. */
void tally_put(struct json *j, const double tally[TALLY_MAX]);

#endif
