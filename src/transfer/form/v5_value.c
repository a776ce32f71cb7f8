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

/* Milliseconds since 1970 of a year that people write with four digits. */
static bool is_millis(int64_t v)
{
	return v > -62135596800000 && v < 253402300800000;
}

bool v5_time(struct buf *to, const struct body *value)
{
	int64_t us;
	int32_t day;

	if (value->type == BODY_TEXT && when_parse_date(value->text, &day)) {
		when_put_date(to, day);
		return true;
	}
	if (value->type == BODY_TEXT ? !when_parse(value->text, &us) : !is_millis(v5_int(value)))
		return false;
	if (value->type != BODY_TEXT)
		us = v5_int(value) * 1000;
	when_put_iso(to, us);
	int64_t part = us % 1000000;
	part += part < 0 ? 1000000 : 0;
	if (part) {
		to->n--;
		if (part % 1000 == 0)
			buf_printf(to, ".%03dZ", (int)(part / 1000));
		else
			buf_printf(to, ".%06dZ", (int)part);
	}
	return true;
}

/* It is within half a day of midnight in Greenwich, but for a few islands. */
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

/* What dumps call people of whom nothing was told any more; their addresses are nobody's. */
static bool is_unknown(struct str s)
{
	return str_equal_z(s, "??") || str_equal_nocase(s, STR("unknown")) ||
		(s.n > 8 && str_equal_nocase((struct str){ s.p, 8 }, STR("unknown-")));
}

/* A dump's person of whom nothing was told has nothing else either; ours who is called Unknown, for
   nobody signed a comment, has initials. */
static bool is_told(const struct body *person, const char *name, struct str text)
{
	const struct str initials = v5_text(person, "initials");
	return !is_unknown(text) ||
		(strcmp(name, "name") == 0 && initials.n && !is_unknown(initials));
}

static void put_person_of(struct json *j, const struct body *person)
{
	static const char *const names[] = { "name", "email", "username", "initials" };
	const int64_t id = v5_int(body_get(person, "id"));

	json_object(j);
	if (id != NIL) {
		json_key(j, "id");
		json_int(j, id);
	}
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		const struct str text = v5_text(person, names[i]);

		if (text.n && (id == NIL || is_told(person, names[i], text))) {
			json_key(j, names[i]);
			json_str(j, text);
		}
	}
	json_object_end(j);
}

bool v5_person_put(struct json *j, const struct body *value)
{
	if (value->type == BODY_OBJECT) {
		put_person_of(j, value);
		return true;
	}
	if (value->type == BODY_TEXT && v5_int(value) == NIL) {
		json_object(j);
		json_key(j, "name");
		json_str(j, value->text);
		json_object_end(j);
		return true;
	}
	if (v5_int(value) == NIL)
		return false;
	json_object(j);
	json_key(j, "id");
	json_int(j, v5_int(value));
	json_object_end(j);
	return true;
}

static void put_raw(struct json *j, const struct body *value)
{
	switch (value->type) {
	case BODY_NULL: json_null(j); break;
	case BODY_BOOL: json_bool(j, value->boolean); break;
	case BODY_INT: json_int(j, value->integer); break;
	case BODY_FLOAT: json_float(j, value->number); break;
	case BODY_TEXT: json_str(j, value->text); break;
	case BODY_ARRAY:
		json_array(j);
		for (const struct body *e = value->first; e; e = e->next)
			put_raw(j, e);
		json_array_end(j);
		break;
	case BODY_OBJECT:
		json_object(j);
		for (const struct body *e = value->first; e; e = e->next) {
			json_key_str(j, e->key);
			put_raw(j, e);
		}
		json_object_end(j);
		break;
	}
}

/* A list, or one that stands alone. Those that are nobody are left out. */
static bool put_list(struct json *j, enum v5_how how, const struct body *value)
{
	const bool many = value->type == BODY_ARRAY;

	json_array(j);
	for (const struct body *e = many ? value->first : value; e; e = many ? e->next : NULL) {
		if (how == V5_PEOPLE && e->type != BODY_NULL)
			v5_person_put(j, e);
		else if (v5_int(e) != NIL)
			json_int(j, v5_int(e));
	}
	json_array_end(j);
	return true;
}

static bool put_bool(struct json *j, const struct body *value)
{
	const int64_t v = v5_int(value);
	const struct str text = value->type == BODY_TEXT ? value->text : (struct str){ 0 };

	if (value->type == BODY_BOOL)
		json_bool(j, value->boolean);
	else if (v == 0 || v == 1)
		json_bool(j, v == 1);
	else if (str_equal_nocase(text, STR("true")) || str_equal_nocase(text, STR("false")))
		json_bool(j, (text.p[0] | 32) == 't');
	else
		return false;
	return true;
}

static bool put_time(struct json *j, const struct body *value)
{
	struct buf text = { 0 };
	const bool good = v5_time(&text, value);

	if (good)
		json_str(j, buf_str(&text));
	buf_free(&text);
	return good;
}

static bool put_day(struct json *j, const struct body *value)
{
	struct buf text = { 0 };
	int32_t day;

	if (!v5_day(value, &day))
		return false;
	when_put_date(&text, day);
	json_str(j, buf_str(&text));
	buf_free(&text);
	return true;
}

static bool put_text(struct json *j, const struct body *value)
{
	char digits[32];

	if (value->type == BODY_TEXT)
		json_str(j, value->text);
	else if (value->type == BODY_INT)
		json_str(j, str_print(digits, sizeof(digits), "%lld", (long long)value->integer));
	else
		return false;
	return true;
}

static bool put_number(struct json *j, const struct body *value)
{
	if (value->type == BODY_FLOAT)
		json_float(j, value->number);
	else if (v5_int(value) != NIL)
		json_int(j, v5_int(value));
	else
		return false;
	return true;
}

static bool put_int(struct json *j, const struct body *value)
{
	if (v5_int(value) == NIL)
		return false;
	json_int(j, v5_int(value));
	return true;
}

static bool put_value(struct json *j, enum v5_how how, const struct body *value)
{
	if (value->type == BODY_NULL && how != V5_PEOPLE && how != V5_INTS) {
		json_null(j);
		return true;
	}
	switch (how) {
	case V5_TEXT: return put_text(j, value);
	case V5_INT: return put_int(j, value);
	case V5_NUMBER: return put_number(j, value);
	case V5_BOOL: return put_bool(j, value);
	case V5_TIME:
	case V5_WHEN: return put_time(j, value);
	case V5_DAY: return put_day(j, value);
	case V5_PERSON: return v5_person_put(j, value);
	case V5_PEOPLE:
	case V5_INTS: return put_list(j, how, value);
	default: put_raw(j, value); return true;
	}
}

void v5_value_put_raw(struct json *j, struct str name, const struct body *value)
{
	json_key_str(j, name);
	put_raw(j, value);
}

bool v5_value_put(struct json *j, const char *name, enum v5_how how, const struct body *value)
{
	const size_t n = j->out->n;
	const bool comma = j->comma;

	if (value->type == BODY_NULL && how == V5_TIME)
		return true;
	json_key(j, name);
	if (put_value(j, how, value))
		return true;
	j->out->n = n;
	j->comma = comma;
	return false;
}
