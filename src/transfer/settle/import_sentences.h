/*
 * Messages of an import's report about objects as they were written. The database finds these
 * objects and provides the values; sql/queries/import_remark.sql and its neighbours say which
 * statement provides which.
 */
#ifndef IMPORT_SENTENCES_H
#define IMPORT_SENTENCES_H

#include "transfer/common/intake.h"

struct import_sentence {
	const char *name; /* as statements have it, in the column sentence */
	enum intake_severity severity;
	const char *column; /* of the remark; null: none. It may have places, too */
	const char *code;   /* likewise */
	const char *text;   /* "{was}" is the place of the value of that column */
};

extern const struct import_sentence import_sentences[];
extern const int import_sentences_count;

/* It ends the process when there is none. */
const struct import_sentence *import_sentence_of(struct str name);

/* The text with its values, which value_of gives by name; an absent one leaves nothing. */
void import_sentence_print(struct buf *to, const char *text,
	struct str (*value_of)(const void *of, const char *name), const void *of);

#endif
