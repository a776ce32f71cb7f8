/*
 * Import record: what a file says of one object, as values by name. Readers fill it and hand it
 * over (intake.h); its values live until it is emptied.
 */
#ifndef RECORD_H
#define RECORD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "lib/arena.h"
#include "lib/body.h"
#include "lib/json.h"
#include "model/value.h"

/* A day, or a time: of the zone of the project, where the file names none. */
struct record_when {
	int32_t day;
	bool has_time, has_zone;
	int64_t us; /* since 1970 UTC, or where there is no zone as if it were UTC */
};

/* What a file knows of a person. */
enum { RECORD_NAME, RECORD_EMAIL, RECORD_USERNAME, RECORD_INITIALS, RECORD_PERSON__TEXTS };
struct record_person {
	int64_t id; /* NIL: none */
	struct str texts[RECORD_PERSON__TEXTS];
};
extern const char *const record_person_texts[RECORD_PERSON__TEXTS];

/* The iteration of a story; NIL: not known. The last day is included. */
struct record_span {
	int64_t number, first, last;
};

struct record_item {
	struct record_item *next;
	union {
		int64_t integer;
		struct str text;
		struct record_person person;
	};
};

enum record_type {
	RECORD_NULL, /* the file says that there is none */
	RECORD_BOOL,
	RECORD_INT,
	RECORD_FLOAT,
	RECORD_TEXT,
	RECORD_WHEN,
	RECORD_PERSON,
	RECORD_PEOPLE,
	RECORD_NAMES,
	RECORD_IDS,
	RECORD_SPAN,
	RECORD_JSON, /* a list or an object, as in the file */
};

struct record_value {
	struct str name;
	enum record_type type;
	union {
		bool boolean;
		int64_t integer;
		double number;
		struct str text;
		struct record_when when;
		struct record_person person;
		struct record_span span;
		const struct body *json;
		struct {
			struct record_item *first, *last;
		} items; /* of people, names or ids */
	};
};

/* All zero before the first use. */
struct record {
	struct arena arena; /* for what a value needs besides what the reader holds */
	struct record_value *values;
	size_t n, room;
};

void record_empty(struct record *r);
void record_free(struct record *r);

/* Null: the file does not say it. */
const struct record_value *record_get(const struct record *r, const char *name);
/* Its whole number, above 0; NIL: none. */
int64_t record_id(const struct record *r, const char *name);

/* A value; names and texts are not copied. An absent text and a null are one. */
void record_null(struct record *r, const char *name);
void record_bool(struct record *r, const char *name, bool v);
void record_int(struct record *r, const char *name, int64_t v);
void record_float(struct record *r, const char *name, double v);
void record_text(struct record *r, const char *name, struct str v);
void record_when(struct record *r, const char *name, const struct record_when *v);
void record_person(struct record *r, const char *name, const struct record_person *v);
void record_span(struct record *r, const char *name, const struct record_span *v);
/* Any value of JSON, as it stands. */
void record_body(struct record *r, struct str name, const struct body *v);

/* A list; what is added belongs to the value that was put last. */
void record_list(struct record *r, const char *name, enum record_type type);
void record_add_int(struct record *r, int64_t v);
void record_add_text(struct record *r, struct str v);
void record_add_person(struct record *r, const struct record_person *v);

/* A person known only by that name. */
struct record_person record_named(struct str name);

/* The value as JSON in the notation of the interface, for remarks and tests. */
void record_value_print(struct json *j, const struct record_value *v);

#endif
