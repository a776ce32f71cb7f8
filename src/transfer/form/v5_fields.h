/* The table of fields that an import reads of a record of the API. For v5.c. */
#ifndef V5_FIELDS_H
#define V5_FIELDS_H

#include "transfer/form/v5_kind.h"

enum v5_how {
	V5_TEXT,
	V5_INT,
	V5_NUMBER,
	V5_BOOL,   /* also 0 and 1 */
	V5_TIME,   /* of a text or of milliseconds; null says nothing */
	V5_WHEN,   /* the same, but null says that it is none */
	V5_DAY,    /* of a day, or of its midnight in a zone that is not known */
	V5_PERSON, /* an object, an id or a name */
	V5_PEOPLE, /* a list of these, or one */
	V5_INTS,
	V5_RAW,    /* as it stands */
	V5_SPAN,   /* an iteration, of which start and finish are days */
	V5_LABEL,  /* an object or a name */
	V5_LABELS, /* a list of these */
	V5_PARTS,  /* a list of records of their own, or one */
	V5_SKIP,   /* computed, or said elsewhere */
};

struct v5_field {
	const char *name;
	enum v5_how how;
	const char *to;     /* what the intake calls it; null: the same */
	const char *unless; /* it says nothing beside these, names with spaces between */
	int part;           /* V5_PARTS: which kind, if they do not say */
};

/*
 * How a field of a record is read: as the resource has it (travel.h), or as a table of exceptions
 * says. False: it is not known.
 */
bool v5_field_of(enum intake_kind kind, struct str name, struct v5_field *field);

/* Whether fields that are not known are taken as they stand. */
bool v5_is_open(enum intake_kind kind);

#endif
