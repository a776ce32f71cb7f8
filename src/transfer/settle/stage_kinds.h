/* The tables of fields of all kinds of records (intake.h), and the columns they make (stage.h). */
#ifndef STAGE_KINDS_H
#define STAGE_KINDS_H

#include "transfer/common/intake.h"

/* Types of fields, with the columns that they make. */
enum stage_type {
	STAGE_ID,     /* bigint; below 0: a file's own number, made one of its own */
	STAGE_INT,    /* bigint */
	STAGE_NUMBER, /* double precision; not below 0 */
	STAGE_BOOL,   /* boolean */
	STAGE_TEXT,   /* text, at most max characters; 0: any */
	STAGE_WORD,   /* text, one of words; case does not matter */
	STAGE_DAY,    /* date */
	STAGE_TIME,   /* x timestamptz, x_local timestamp (of the project's zone), x_day boolean:
			it is a day, of which x_local is the noon */
	STAGE_PERSON, /* text: a key of staged_person (people.h) */
	STAGE_PEOPLE, /* text[]: such keys */
	STAGE_NAMES, /* text[]: of texts, or of the names of objects; at most max characters each */
	STAGE_IDS,   /* bigint[] */
	STAGE_JSON,  /* text: the value as JSON */
	STAGE_SPAN,  /* {number, start, finish}: x_number bigint, x_first date, x_last date */
	STAGE_ABOUT, /* of the list of changes: story_ids bigint[], epic_ids bigint[] */
	STAGE_ZONE,  /* text: a name, or {olson_name} */
};

struct stage_field {
	const char *name; /* in the record, and of the column */
	enum stage_type type;
	int max;
	const char *const *words; /* null ended */
	const char *column;       /* of the resource's table, which it says; null: of none */
};

enum { STAGE_FIELDS_MAX = 62 }; /* `said` has a bit for each */

struct stage_kind {
	struct stage_field fields[STAGE_FIELDS_MAX];
	int n;
};

/*
 * The fields that travel of the kind's resource (travel.h), and what records say besides. People
 * have none: they go to staged_person alone.
 */
const struct stage_kind *stage_kind_of(enum intake_kind kind);

/* The bits in `said` of the fields that say a column of the resource. */
int64_t stage_bits(enum intake_kind kind, const char *column);

#endif
