/* Converts a value of a record into columns of its staging table, in the format of COPY. */
#ifndef STAGE_VALUE_H
#define STAGE_VALUE_H

#include "transfer/common/report.h"
#include "transfer/settle/stage_kinds.h"
#include "transfer/people/people_keys.h"

struct stage_value {
	struct report *report;
	struct people_keys *people;
	struct arena *arena; /* of the record */
	struct buf *to;
	struct intake_place at;
	int64_t id; /* of the record, for remarks; NIL: none */
};

/* The field's columns, with tabs between them, of a record. */
void stage_value_put(
	struct stage_value *v, const struct stage_field *f, const struct record *record);

/* The names and types of the field's columns: ", name text". */
void stage_value_columns(struct buf *to, const struct stage_field *f);

#endif
