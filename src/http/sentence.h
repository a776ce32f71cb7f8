/*
 * Error messages for what the database refuses, in our words, by constraint or else by SQLSTATE.
 * The database's own words only go to the log, and an error without a row here is a bug.
 */
#ifndef SENTENCE_H
#define SENTENCE_H

#include "db/db.h"

struct sentence {
	const char *
		of; /* a constraint or unique index by its name, "*_x" if its end is enough, or a SQLSTATE */
	enum rc rc;
	const char *field; /* null: none */
	const char *text;  /* null: the rc says enough */
};

extern const struct sentence sentences[];
extern const int sentences_count;

/* Null: there is none. */
const struct sentence *sentence_find(const struct db_error *error);

#endif
