/* Values of the API's records, as records of an import have them. For v5.c. */
#ifndef V5_VALUE_H
#define V5_VALUE_H

#include "transfer/common/record.h"
#include "transfer/form/v5_fields.h"

/* A whole number, also one that is written as a text or with a fraction of 0; NIL: none. */
int64_t v5_int(const struct body *value);

/* The story or epic that a record is, or belongs to; NIL: it does not say it. */
int64_t v5_subject(enum v5_kind kind, const struct body *record);

/* The text of a member that has one, else absent. */
struct str v5_text(const struct body *record, const char *name);

/*
 * Puts a value of that name, in the form that a field of that kind has, or nothing when it is null
 * and says nothing so. False, and nothing is put: it is of another type.
 */
bool v5_value_put(struct record *r, const char *name, enum v5_how how, const struct body *value);

/* A day or an instant; false: it is none. */
bool v5_time(struct record_when *to, const struct body *value);

/* The day on which an iteration begins whose start is midnight in a zone that is not known. */
bool v5_day(const struct body *value, int32_t *day);

#endif
