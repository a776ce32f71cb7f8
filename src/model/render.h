/*
 * JSON rendering of rows, by the table of the resource: a null scalar is left out, an
 * array that was selected never (contract 3.1).
 */
#ifndef RENDER_H
#define RENDER_H

#include "lib/json.h"
#include "model/fetch.h"
#include "service/crypt.h"

struct render {
	struct arena *arena;
	struct json *json;
	const char *base_url;      /* for FT_URL */
	const struct crypt *crypt; /* for FT_TOKEN; null: such fields are left out */
	int64_t person;            /* whose tokens they are */
	bool millis;               /* date_format=millis */
	bool exact; /* nothing is rounded: times with fractions, and millis in what activities keep */
};

/* One row as an object. */
void render_row(const struct render *r, const struct fetched *f, int row);

/* All rows as an array. */
void render_rows(const struct render *r, const struct fetched *f);

#endif
