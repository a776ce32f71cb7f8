/*
 * Error messages for what the database refuses: in our words, by the constraint or else
 * by the SQLSTATE. The database's own words go to the log alone, and what has no row here is
 * an error of the program.
 */
#ifndef SENTENCE_H
#define SENTENCE_H

#include "db/db.h"

struct sentence {
	const char *of; /* a constraint or unique index by its name, or a SQLSTATE */
	enum rc rc;
	const char *field; /* null: none */
	const char *text;  /* null: what the rc says is enough */
};

extern const struct sentence sentences[];
extern const int sentences_count;

/* Null: there is none. */
const struct sentence *sentence_find(const struct db_error *error);

#endif
