#include "transfer/settle/stage_value.h"

#include <math.h>
#include <string.h>

#include "lib/when.h"
#include "model/words.h"
#include "transfer/common/copy_text.h"

enum { FILES_MAX = 1024 };

/* The columns of a field: the suffix of its name, and the type. */
struct column {
	const char *suffix, *type;
};
static const struct column columns[][3] = {
	[STAGE_ID] = { { "", "bigint" } },
	[STAGE_INT] = { { "", "bigint" } },
	[STAGE_NUMBER] = { { "", "double precision" } },
	[STAGE_BOOL] = { { "", "boolean" } },
	[STAGE_TEXT] = { { "", "text" } },
	[STAGE_WORD] = { { "", "text" } },
	[STAGE_DAY] = { { "", "date" } },
	[STAGE_TIME] = { { "", "timestamptz" }, { "_local", "timestamp" }, { "_day", "boolean" } },
	[STAGE_PERSON] = { { "", "text" } },
	[STAGE_PEOPLE] = { { "", "text[]" } },
	[STAGE_NAMES] = { { "", "text[]" } },
	[STAGE_IDS] = { { "", "bigint[]" } },
	[STAGE_JSON] = { { "", "text" } },
	[STAGE_SPAN] = { { "_number", "bigint" }, { "_first", "date" }, { "_last", "date" } },
	[STAGE_ABOUT] = { { "_stories", "bigint[]" }, { "_epics", "bigint[]" } },
	[STAGE_ZONE] = { { "", "text" } },
};

void stage_value_columns(struct buf *to, const struct stage_field *f)
{
	for (int i = 0; i < 3 && columns[f->type][i].type; i++)
		buf_printf(to, ", %s%s %s", f->name, columns[f->type][i].suffix,
			columns[f->type][i].type);
}

/* Makes a file's own number (below 0) unique in the whole import; others stay as they are. */
static int64_t id_in_import(int64_t id, int file)
{
	return id < 0 && id > INT64_MIN / FILES_MAX ? id * FILES_MAX - file % FILES_MAX : id;
}

static void put_nulls(struct stage_value *v, enum stage_type type)
{
	for (int i = 0; i < 3 && columns[type][i].type; i++)
		buf_put_z(v->to, i ? "\t\\N" : "\\N");
}

static void remark(struct stage_value *v, const struct stage_field *f, const char *code,
	const char *what, struct str text)
{
	struct buf message = { 0 };
	buf_printf(&message, "%s: ", what);
	buf_put_str(&message, text);
	const struct intake_remark r = { .severity = INTAKE_LOST,
		.at = v->at,
		.id = v->id,
		.column = f->name,
		.code = code,
		.message = buf_str(&message) };
	report_remark(v->report, &r);
	buf_free(&message);
}

static struct str json_of(struct stage_value *v, const struct record_value *value)
{
	struct buf text = { 0 };
	struct json j;
	json_init(&j, &text);
	record_value_print(&j, value);
	struct str s = arena_str(v->arena, buf_str(&text));
	buf_free(&text);
	return s;
}

static void refuse(
	struct stage_value *v, const struct stage_field *f, const struct record_value *value)
{
	remark(v, f, "bad_value", "invalid value", json_of(v, value));
	put_nulls(v, f->type);
}

/* Texts --------------------------------------------------------------------------- */

/* As much of a text as fits; the rest is lost, and reported. */
static struct str cut(struct stage_value *v, const struct stage_field *f, struct str s)
{
	size_t chars = 0, n = 0;
	if (f->max == 0 || s.n <= (size_t)f->max)
		return s;
	for (; n < s.n; n++) {
		chars += ((unsigned char)s.p[n] & 0xc0) != 0x80;
		if (chars > (size_t)f->max)
			break;
	}
	if (n < s.n)
		remark(v, f, "cut", "cut to the length that the API allows; it was", s);
	return (struct str){ s.p, n };
}

/* Files may have numbers where texts are meant. */
static void put_text(
	struct stage_value *v, const struct stage_field *f, const struct record_value *value)
{
	if (value->type > RECORD_TEXT)
		refuse(v, f, value);
	else
		copy_text_put(v->to,
			cut(v, f, value->type == RECORD_TEXT ? value->text : json_of(v, value)));
}

static void put_word(
	struct stage_value *v, const struct stage_field *f, const struct record_value *value)
{
	if (value->type == RECORD_TEXT)
		for (int i = 0; f->words[i]; i++)
			if (str_equal_nocase(value->text, str_of(f->words[i]))) {
				buf_put_z(v->to, f->words[i]);
				return;
			}
	refuse(v, f, value);
}

static void put_zone(
	struct stage_value *v, const struct stage_field *f, const struct record_value *value)
{
	const struct body *olson =
		value->type == RECORD_JSON ? body_get(value->json, "olson_name") : NULL;
	struct str name = value->type == RECORD_TEXT ? value->text
		: olson && olson->type == BODY_TEXT  ? olson->text
						     : (struct str){ 0 };
	if (name.p && when_is_zone_name(name))
		copy_text_put(v->to, name);
	else
		refuse(v, f, value);
}

static void put_names(
	struct stage_value *v, const struct stage_field *f, const struct record_value *value)
{
	bool first = true;
	if (value->type != RECORD_NAMES) {
		refuse(v, f, value);
		return;
	}
	copy_text_array(v->to);
	for (const struct record_item *i = value->items.first; i; i = i->next) {
		if (str_is_blank(i->text))
			continue;
		copy_text_item(v->to, cut(v, f, i->text), first);
		first = false;
	}
	copy_text_array_end(v->to);
}

/* Numbers ------------------------------------------------------------------------- */

static void put_int(
	struct stage_value *v, const struct stage_field *f, const struct record_value *value)
{
	int64_t n = value->integer;
	if ((value->type != RECORD_INT &&
		    (value->type != RECORD_TEXT || !str_to_int(str_trim(value->text), &n))) ||
		(f->type == STAGE_ID && n == 0))
		refuse(v, f, value);
	else
		buf_put_int(v->to, f->type == STAGE_ID ? id_in_import(n, v->at.file) : n);
}

static void put_number(
	struct stage_value *v, const struct stage_field *f, const struct record_value *value)
{
	double n = value->type == RECORD_INT  ? (double)value->integer
		: value->type == RECORD_FLOAT ? value->number
					      : -1;
	if (n < 0 || n > 1e6)
		refuse(v, f, value);
	else
		buf_printf(v->to, "%.17g", n);
}

static void put_bool(
	struct stage_value *v, const struct stage_field *f, const struct record_value *value)
{
	if (value->type == RECORD_BOOL)
		buf_put_z(v->to, value->boolean ? "t" : "f");
	else
		refuse(v, f, value);
}

static void put_id(struct stage_value *v, char *separator, int64_t id)
{
	buf_printf(v->to, "%c%lld", *separator, (long long)id_in_import(id, v->at.file));
	*separator = ',';
}

/* In JSON that was taken as it is, only whole numbers count. */
static void put_ids(
	struct stage_value *v, const struct stage_field *f, const struct record_value *value)
{
	const bool is_json = value->type == RECORD_JSON && value->json->type == BODY_ARRAY;
	char separator = '{';
	if (value->type != RECORD_IDS && !is_json) {
		refuse(v, f, value);
		return;
	}
	for (const struct record_item *i = is_json ? NULL : value->items.first; i; i = i->next)
		put_id(v, &separator, i->integer);
	for (const struct body *i = is_json ? value->json->first : NULL; i; i = i->next)
		if (i->type == BODY_INT)
			put_id(v, &separator, i->integer);
	buf_put_z(v->to, separator == '{' ? "{}" : "}");
}

/* Times --------------------------------------------------------------------------- */

static void put_time(
	struct stage_value *v, const struct stage_field *f, const struct record_value *value)
{
	const struct record_when *when = &value->when;
	if (value->type != RECORD_WHEN) {
		refuse(v, f, value);
	} else if (!when->has_time) {
		buf_put_z(v->to, "\\N\t");
		when_put_date(v->to, when->day);
		buf_put_z(v->to, " 12:00\tt");
	} else if (when->has_zone) {
		copy_text_time(v->to, when->us, false);
		buf_put_z(v->to, "\t\\N\tf");
	} else {
		buf_put_z(v->to, "\\N\t");
		copy_text_time(v->to, when->us, true);
		buf_put_z(v->to, "\tf");
	}
}

static void put_day(
	struct stage_value *v, const struct stage_field *f, const struct record_value *value)
{
	if (value->type == RECORD_WHEN && !value->when.has_time)
		when_put_date(v->to, value->when.day);
	else
		refuse(v, f, value);
}

static void put_end(struct stage_value *v, int64_t day)
{
	buf_put_char(v->to, '\t');
	if (day == NIL)
		copy_text_null(v->to);
	else
		when_put_date(v->to, (int32_t)day);
}

static void put_span(
	struct stage_value *v, const struct stage_field *f, const struct record_value *value)
{
	const struct record_span *span = &value->span;
	if (value->type != RECORD_SPAN || span->number < 1 || span->number > 1000000) {
		put_nulls(v, f->type);
		return;
	}
	buf_put_int(v->to, span->number);
	put_end(v, span->first);
	put_end(v, span->last);
}

/* People, and what activities are about ------------------------------------------------ */

static void put_person(
	struct stage_value *v, const struct stage_field *f, const struct record_value *value)
{
	if (value->type == RECORD_PERSON)
		copy_text_put(v->to, people_keys_note(v->people, &value->person, NULL));
	else
		refuse(v, f, value);
}

static void put_people(
	struct stage_value *v, const struct stage_field *f, const struct record_value *value)
{
	bool first = true;
	if (value->type != RECORD_PEOPLE) {
		refuse(v, f, value);
		return;
	}
	copy_text_array(v->to);
	for (const struct record_item *i = value->items.first; i; i = i->next) {
		struct str key = people_keys_note(v->people, &i->person, NULL);
		if (!key.p)
			continue;
		copy_text_item(v->to, key, first);
		first = false;
	}
	copy_text_array_end(v->to);
}

/* The ids of the changed objects of that kind. */
static void put_about(struct stage_value *v, const struct body *changes, const char *kind)
{
	enum { ABOUT_MAX = 5000 };
	int n = 0;
	const struct body *first = changes && changes->type == BODY_ARRAY ? changes->first : NULL;
	buf_put_char(v->to, '{');
	for (const struct body *i = first; i && n < ABOUT_MAX; i = i->next) {
		const struct body *of = body_get(i, "kind"), *id = body_get(i, "id");
		if (!of || of->type != BODY_TEXT || !str_equal_z(of->text, kind) || !id ||
			id->type != BODY_INT)
			continue;
		buf_printf(v->to, "%s%lld", n++ ? "," : "", (long long)id->integer);
	}
	buf_put_char(v->to, '}');
}

/* Puts a field that is present and not null. */
static void put_value(
	struct stage_value *v, const struct stage_field *f, const struct record_value *value)
{
	switch (f->type) {
	case STAGE_ID:
	case STAGE_INT: put_int(v, f, value); return;
	case STAGE_NUMBER: put_number(v, f, value); return;
	case STAGE_BOOL: put_bool(v, f, value); return;
	case STAGE_TEXT: put_text(v, f, value); return;
	case STAGE_WORD: put_word(v, f, value); return;
	case STAGE_DAY: put_day(v, f, value); return;
	case STAGE_TIME: put_time(v, f, value); return;
	case STAGE_PERSON: put_person(v, f, value); return;
	case STAGE_PEOPLE: put_people(v, f, value); return;
	case STAGE_NAMES: put_names(v, f, value); return;
	case STAGE_IDS: put_ids(v, f, value); return;
	case STAGE_JSON: copy_text_put(v->to, json_of(v, value)); return;
	case STAGE_SPAN: put_span(v, f, value); return;
	case STAGE_ZONE: put_zone(v, f, value); return;
	case STAGE_ABOUT: return;
	}
}

void stage_value_put(
	struct stage_value *v, const struct stage_field *f, const struct record *record)
{
	const struct record_value *value =
		record_get(record, f->type == STAGE_ABOUT ? "changes" : f->name);
	if (f->type == STAGE_ABOUT) {
		const struct body *changes =
			value && value->type == RECORD_JSON ? value->json : NULL;
		put_about(v, changes, "story");
		buf_put_char(v->to, '\t');
		put_about(v, changes, "epic");
	} else if (!value || value->type == RECORD_NULL) {
		put_nulls(v, f->type);
	} else {
		put_value(v, f, value);
	}
}
