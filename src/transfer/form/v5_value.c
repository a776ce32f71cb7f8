#include "transfer/form/v5_value.h"

#include <string.h>

#include "lib/when.h"

static const int64_t day_us = 86400000000;

int64_t v5_int(const struct body *value)
{
	int64_t v = NIL;

	if (!value)
		return NIL;
	if (value->type == BODY_INT)
		return value->integer;
	if (value->type == BODY_FLOAT && value->number > -9e15 && value->number < 9e15 &&
		(double)(int64_t)value->number == value->number)
		return (int64_t)value->number;
	if (value->type == BODY_TEXT && str_to_int(value->text, &v))
		return v;
	return NIL;
}

int64_t v5_subject(enum v5_kind kind, const struct body *record)
{
	const int64_t story = v5_int(body_get(record, "story_id"));

	if (kind == (enum v5_kind)INTAKE_STORY || kind == (enum v5_kind)INTAKE_EPIC ||
		kind == V5_RELEASE)
		return v5_int(body_get(record, "id"));
	return story != NIL ? story : v5_int(body_get(record, "epic_id"));
}

struct str v5_text(const struct body *record, const char *name)
{
	const struct body *value = body_get(record, name);

	return value && value->type == BODY_TEXT ? value->text : (struct str){ 0 };
}

/* Whether these are milliseconds since 1970, in a year of at most four digits. */
static bool is_millis(int64_t v)
{
	return v > -62135596800000 && v < 253402300800000;
}

bool v5_time(struct record_when *to, const struct body *value)
{
	*to = (struct record_when){ .has_time = true, .has_zone = true };
	if (value->type == BODY_TEXT && when_parse_date(value->text, &to->day)) {
		to->has_time = to->has_zone = false;
		return true;
	}
	if (value->type == BODY_TEXT)
		return when_parse(value->text, &to->us);
	if (!is_millis(v5_int(value)))
		return false;
	to->us = v5_int(value) * 1000;
	return true;
}

/* A day starts within half a day of midnight in Greenwich, except on a few islands. */
bool v5_day(const struct body *value, int32_t *day)
{
	int64_t us;

	if (!value)
		return false;
	if (value->type == BODY_TEXT && when_parse_date(value->text, day))
		return true;
	if (value->type == BODY_TEXT) {
		if (!when_parse(value->text, &us))
			return false;
	} else if (is_millis(v5_int(value))) {
		us = v5_int(value) * 1000;
	} else {
		return false;
	}
	us += day_us / 2;
	*day = (int32_t)((us - (us < 0 ? day_us - 1 : 0)) / day_us);
	return true;
}

/* What dumps call people about whom nothing is known any more; their addresses are nobody's. */
static bool is_unknown(struct str s)
{
	return str_equal_z(s, "??") || str_equal_nocase(s, STR("unknown")) ||
		(s.n > 8 && str_equal_nocase((struct str){ s.p, 8 }, STR("unknown-")));
}

/*
 * A dump's unknown person has nothing else either; ours, who is called Unknown because nobody
 * signed a comment, has initials.
 */
static bool is_told(const struct body *person, const char *name, struct str text)
{
	const struct str initials = v5_text(person, "initials");
	return !is_unknown(text) ||
		(strcmp(name, "name") == 0 && initials.n && !is_unknown(initials));
}

static struct record_person person_of(const struct body *person)
{
	struct record_person p = { .id = v5_int(body_get(person, "id")) };

	for (int i = 0; i < RECORD_PERSON__TEXTS; i++) {
		const char *name = record_person_texts[i];
		const struct str text = v5_text(person, name);

		if (text.n && (p.id == NIL || is_told(person, name, text)))
			p.texts[i] = text;
	}
	return p;
}

/* False if it is nobody. */
static bool read_person(struct record_person *to, const struct body *value)
{
	const int64_t id = v5_int(value);

	if (value->type == BODY_OBJECT)
		*to = person_of(value);
	else if (id != NIL)
		*to = (struct record_person){ .id = id };
	else if (value->type == BODY_TEXT)
		*to = record_named(value->text);
	else
		return false;
	return true;
}

/* Puts a list, or a single value as one. Values that are nobody are left out. */
static bool put_list(struct record *r, const char *name, enum v5_how how, const struct body *value)
{
	const bool many = value->type == BODY_ARRAY;
	struct record_person person;

	record_list(r, name, how == V5_PEOPLE ? RECORD_PEOPLE : RECORD_IDS);
	for (const struct body *e = many ? value->first : value; e; e = many ? e->next : NULL) {
		if (how == V5_PEOPLE && read_person(&person, e))
			record_add_person(r, &person);
		else if (how != V5_PEOPLE && v5_int(e) != NIL)
			record_add_int(r, v5_int(e));
	}
	return true;
}

static bool put_bool(struct record *r, const char *name, const struct body *value)
{
	const int64_t v = v5_int(value);
	const struct str text = value->type == BODY_TEXT ? value->text : (struct str){ 0 };

	if (value->type == BODY_BOOL)
		record_bool(r, name, value->boolean);
	else if (v == 0 || v == 1)
		record_bool(r, name, v == 1);
	else if (str_equal_nocase(text, STR("true")) || str_equal_nocase(text, STR("false")))
		record_bool(r, name, (text.p[0] | 32) == 't');
	else
		return false;
	return true;
}

static bool put_time(struct record *r, const char *name, const struct body *value)
{
	struct record_when when;
	const bool good = v5_time(&when, value);

	if (good)
		record_when(r, name, &when);
	return good;
}

static bool put_day(struct record *r, const char *name, const struct body *value)
{
	struct record_when when = { 0 };
	const bool good = v5_day(value, &when.day);

	if (good)
		record_when(r, name, &when);
	return good;
}

static bool put_text(struct record *r, const char *name, const struct body *value)
{
	if (value->type == BODY_TEXT)
		record_text(r, name, value->text);
	else if (value->type == BODY_INT)
		record_text(r, name, arena_printf(&r->arena, "%lld", (long long)value->integer));
	else
		return false;
	return true;
}

static bool put_number(struct record *r, const char *name, const struct body *value)
{
	if (value->type == BODY_FLOAT)
		record_float(r, name, value->number);
	else if (v5_int(value) != NIL)
		record_int(r, name, v5_int(value));
	else
		return false;
	return true;
}

static bool put_int(struct record *r, const char *name, const struct body *value)
{
	if (v5_int(value) == NIL)
		return false;
	record_int(r, name, v5_int(value));
	return true;
}

static bool put_person(struct record *r, const char *name, const struct body *value)
{
	struct record_person person;
	const bool good = read_person(&person, value);

	if (good)
		record_person(r, name, &person);
	return good;
}

static int64_t plain_day(const struct body *value)
{
	int32_t day;

	return value && value->type == BODY_TEXT && when_parse_date(str_trim(value->text), &day)
		? day
		: NIL;
}

static bool put_span(struct record *r, const char *name, const struct body *value)
{
	const struct record_span span = { v5_int(body_get(value, "number")),
		plain_day(body_get(value, "start")), plain_day(body_get(value, "finish")) };

	if (span.number == NIL)
		record_null(r, name);
	else
		record_span(r, name, &span);
	return true;
}

bool v5_value_put(struct record *r, const char *name, enum v5_how how, const struct body *value)
{
	if (value->type == BODY_NULL && how != V5_PEOPLE && how != V5_INTS) {
		if (how != V5_TIME)
			record_null(r, name);
		return true;
	}
	switch (how) {
	case V5_TEXT: return put_text(r, name, value);
	case V5_INT: return put_int(r, name, value);
	case V5_NUMBER: return put_number(r, name, value);
	case V5_BOOL: return put_bool(r, name, value);
	case V5_TIME:
	case V5_WHEN: return put_time(r, name, value);
	case V5_DAY: return put_day(r, name, value);
	case V5_PERSON: return put_person(r, name, value);
	case V5_PEOPLE:
	case V5_INTS: return put_list(r, name, how, value);
	case V5_SPAN: return put_span(r, name, value);
	case V5_RAW: record_body(r, str_of(name), value); return true;
	default: return false;
	}
}
