/* Named parameters of statements (db_caller): they get the numbers after the statement's own. */
#ifndef DB_NAMES_H
#define DB_NAMES_H

#include "db/db.h"
#include "lib/buf.h"

struct db_names {
	int token, person, reach, project, zone, request; /* their numbers; 0: not named */
	int n;                                            /* the highest number so far */
};

/* The highest number in a text that was written with numbers. */
int db_names_highest(const char *text);

/* How many were named. */
int db_names_count(const struct db_names *names);

/* Appends n bytes of text with numbers in place of names. */
void db_names_put(struct db_names *names, struct buf *to, const char *text, size_t n);

/* Puts the values in their places. */
void db_names_fill(
	const struct db_names *names, const struct db_caller *caller, struct db_param *params);

#endif
