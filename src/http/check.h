/* Schema check: a worker compares the tables in C with the database's views when it connects. */
#ifndef CHECK_H
#define CHECK_H

#include <stdbool.h>

#include "db/db.h"

/*
 * Every statement that a route or a field names must give the columns that the
 * table of its resource expects. False: what does not fit is logged.
 */
bool check_statements(struct db *db);

#endif
