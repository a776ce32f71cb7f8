#include "model/render.h"

#include <string.h>

#include "lib/log.h"
#include "lib/when.h"
#include "model/cell.h"
#include "model/events.h"
#include "model/object.h"
#include "model/tally.h"
#include "service/conf.h"

static void render_time(const struct render *r, int64_t us)
{
	if (r->millis) {
		json_int(r->json, when_millis(us));
		return;
	}
	char text[40];
	struct buf b = { .p = text, .cap = sizeof text }; /* large enough */
	if (r->exact)
		when_put_exact(&b, us);
	else
		when_put_iso(&b, us);
	json_str(r->json, buf_str(&b));
}

static void render_date(const struct render *r, int32_t days)
{
	char text[40];
	struct buf b = { .p = text, .cap = sizeof text }; /* large enough */
	when_put_date(&b, days);
	json_str(r->json, buf_str(&b));
}

static void render_array(
	const struct render *r, const struct fetched *f, int row, int column, enum field_type type)
{
	struct db_array array = db_array(f->rows, row, column);
	struct str text;
	int64_t id;
	json_array(r->json);
	if (type == FT_STRINGS)
		while (db_array_next_text(&array, &text))
			json_str(r->json, text);
	else
		while (db_array_next_int(&array, &id))
			json_int(r->json, id);
	json_array_end(r->json);
}

static void render_url(
	const struct render *r, const struct fetched *f, const struct field *field, int row)
{
	char text[CONF_BASE_URL_MAX + 100];
	struct buf b = { .p = text, .cap = sizeof text }; /* large enough */
	buf_put_z(&b, r->base_url);
	buf_put_z(&b, field->path);
	buf_put_int(&b, cell_key(f, row));
	json_key(r->json, field->name);
	json_str(r->json, buf_str(&b));
}

/* Nested ------------------------------------------------------------------ */

/* A label or a person that occurs in many rows is rendered once and then copied. */
static void render_shared(const struct render *r, const struct fetched *f, int row)
{
	struct buf *out = r->json->out;
	struct written *w = &f->written[row];
	if (json_is_full(r->json))
		return;
	if (w->n) {
		buf_reserve(out, w->n + 1);
		json_raw(r->json, (struct str){ out->p + w->at, w->n });
		return;
	}
	bool comma = r->json->comma;
	size_t at = out->n;
	render_row(r, f, row);
	*w = (struct written){ at + comma, out->n - at - comma };
}

static void render_one(const struct render *r, const struct fetched *f, const struct field *field,
	const struct fetched *nested, int row)
{
	int first;
	if (!nested || cell_is_null(f, row, nested->parent_field))
		return;
	if (fetch_range(nested, cell_int(f, row, nested->parent_field), &first) == 0)
		return;
	json_key(r->json, field->name);
	render_shared(r, nested, nested->order[first]);
}

static void render_some(const struct render *r, const struct fetched *f, const struct field *field,
	const struct fetched *nested, int row)
{
	const struct resource *of = f->selection->resource;
	int first, key = nested ? nested->parent_field : resource_field(of, field->key);
	int64_t id;
	if (cell_has(f, key) && cell_is_null(f, row, key))
		return;
	json_key(r->json, field->name);
	json_array(r->json);
	if (nested) {
		struct cell_ids ids = cell_ids(f, row, nested->parent_field);
		while (cell_next_id(&ids, &id))
			if (fetch_range(nested, id, &first) > 0)
				render_shared(r, nested, nested->order[first]);
	}
	json_array_end(r->json);
}

static void render_many(const struct render *r, const struct fetched *f, const struct field *field,
	const struct fetched *nested, int row)
{
	int first, n = nested ? fetch_range(nested, cell_key(f, row), &first) : 0;
	json_key(r->json, field->name);
	json_array(r->json);
	for (int k = 0; k < n; k++)
		if (field->type == FT_MANY)
			render_row(r, nested, nested->order[first + k]);
		else
			json_int(r->json, cell_key(nested, nested->order[first + k]));
	json_array_end(r->json);
}

/* Scalars ----------------------------------------------------------------- */

static void render_token(const struct render *r, const struct fetched *f, int row, int column)
{
	struct str token =
		crypt_open(r->crypt, r->arena, r->person, db_get_text(f->rows, row, column));
	if (token.p) {
		json_str(r->json, token);
		return;
	}
	log_error("the token of person %lld cannot be decrypted: give them a new one with "
		  "planwrightctl token rotate",
		(long long)r->person);
	json_null(r->json);
}

static void render_path(const struct render *r, struct str path)
{
	char text[CONF_BASE_URL_MAX + 100];
	json_str(r->json, str_print(text, sizeof text, "%s%.*s", r->base_url, (int)path.n, path.p));
}

static void render_tally(const struct render *r, const struct fetched *f, int row, int column)
{
	double tally[TALLY_MAX] = { 0 };
	tally_load(tally, f->rows, row, column);
	tally_put(r->json, tally);
}

static void render_value(
	const struct render *r, const struct fetched *f, enum field_type type, int row, int column)
{
	switch (type) {
	case FT_INT: json_int(r->json, db_get_int(f->rows, row, column)); break;
	case FT_FLOAT: json_float(r->json, db_get_float(f->rows, row, column)); break;
	case FT_DECIMAL: json_float_dot(r->json, db_get_float(f->rows, row, column)); break;
	case FT_BOOL: json_bool(r->json, db_get_bool(f->rows, row, column)); break;
	case FT_TIME: render_time(r, db_get_time(f->rows, row, column)); break;
	case FT_DATE: render_date(r, db_get_date(f->rows, row, column)); break;
	case FT_IDS:
	case FT_STRINGS: render_array(r, f, row, column, type); break;
	case FT_JSON: json_raw(r->json, db_get_text(f->rows, row, column)); break;
	case FT_TALLY: render_tally(r, f, row, column); break;
	case FT_EVENTS:
		events_put(r->json, db_get_text(f->rows, row, column), r->millis || r->exact,
			r->base_url);
		break;
	case FT_URL: render_path(r, db_get_text(f->rows, row, column)); break;
	case FT_TOKEN: render_token(r, f, row, column); break;
	default: json_str(r->json, db_get_text(f->rows, row, column));
	}
}

static void render_ids(const struct render *r, struct ids ids)
{
	json_array(r->json);
	for (size_t i = 0; i < ids.n; i++)
		json_int(r->json, ids.v[i]);
	json_array_end(r->json);
}

/* The same for a value in memory, laid out as object.h says. */
static void render_own(const struct render *r, const struct field *field, const void *p)
{
	switch (field->type) {
	case FT_INT: json_int(r->json, *(const int64_t *)p); break;
	case FT_FLOAT: json_float(r->json, *(const double *)p); break;
	case FT_DECIMAL: json_float_dot(r->json, *(const double *)p); break;
	case FT_BOOL: json_bool(r->json, *(const bool *)p); break;
	case FT_TIME: render_time(r, *(const int64_t *)p); break;
	case FT_IDS: render_ids(r, *(const struct ids *)p); break;
	case FT_JSON: json_raw(r->json, *(const struct str *)p); break;
	case FT_STRING:
	case FT_TEXT: json_str(r->json, *(const struct str *)p); break;
	case FT_WORD: json_z(r->json, field->words[*(const int *)p]); break;
	default: log_die("values of this type are not worked out");
	}
}

/* A scalar that the program has computed for the row's key. */
static void render_worked_out(const struct render *r, const struct field *field, const void *values)
{
	const void *p = (const char *)values + field->in;
	if (object_value_is_null(field, p))
		return;
	json_key(r->json, field->name);
	render_own(r, field, p);
}

/* A scalar for the row's key that comes from another statement, or from the program. */
static void render_side(const struct render *r, const struct fetched *f, const struct field *field,
	const struct fetched *side, int row)
{
	int first;
	if (!side || fetch_range(side, cell_key(f, row), &first) == 0)
		return;
	if (!side->rows) {
		render_worked_out(r, field, side->objects.v[side->order[first]]);
		return;
	}
	int column = db_column(side->rows, field->name), at = side->order[first];
	if (column < 0 || db_is_null(side->rows, at, column))
		return;
	json_key(r->json, field->name);
	render_value(r, side, field->type, at, column);
}

/* An object in the same row exists if its key is not null, or if it has no key. */
static bool is_there(const struct fetched *f, int row)
{
	const struct resource *r = f->selection->resource;
	for (int i = 0; i < r->n_fields; i++)
		if (r->fields[i].flags & F_KEY)
			return !cell_is_null(f, row, i);
	return true;
}

static void render_field(const struct render *r, const struct fetched *f, int i, int row)
{
	const struct field *field = &f->selection->resource->fields[i];
	if (field->flags & F_SIDE) {
		render_side(r, f, field, f->nested[i], row);
		return;
	}
	switch (field->type) {
	case FT_KIND:
		json_key(r->json, "kind");
		json_z(r->json, f->selection->resource->kind);
		return;
	case FT_URL:
		if (!field->path)
			break;
		render_url(r, f, field, row);
		return;
	case FT_INLINE:
		if (!is_there(f->nested[i], row))
			return;
		json_key(r->json, field->name);
		render_row(r, f->nested[i], row);
		return;
	case FT_ONE: render_one(r, f, field, f->nested[i], row); return;
	case FT_SOME: render_some(r, f, field, f->nested[i], row); return;
	case FT_MANY:
	case FT_MANY_IDS: render_many(r, f, field, f->nested[i], row); return;
	case FT_TOKEN:
		if (!r->crypt)
			return;
		break;
	default: break;
	}
	if (cell_is_null(f, row, i))
		return;
	json_key(r->json, field->name);
	if (f->rows && field->is_first)
		json_int(r->json, cell_int(f, row, i));
	else if (f->rows)
		render_value(r, f, field->type, row, f->columns[i]);
	else
		render_own(r, field, object_value(field, f->objects.v[row]));
}

void render_row(const struct render *r, const struct fetched *f, int row)
{
	if (json_is_full(r->json))
		return;
	json_object(r->json);
	for (int i = -1; (i = fieldset_next(&f->selection->set, i)) >= 0;)
		render_field(r, f, i, row);
	json_object_end(r->json);
}

void render_rows(const struct render *r, const struct fetched *f)
{
	json_array(r->json);
	for (int row = 0; row < cell_count(f); row++)
		render_row(r, f, row);
	json_array_end(r->json);
}
