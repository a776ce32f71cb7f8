#include "lib/body.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include <json-c/json_object.h>
#include <json-c/json_object_iterator.h>
#include <json-c/json_tokener.h>

#include "lib/log.h"

enum { MAX_DEPTH = 32, MAX_VALUES = 50000 };

/* What the text says about one object, in the order in which objects begin. */
struct object_note {
	struct object_note *next;
	size_t at;    /* of its brace */
	size_t pairs; /* as many as there are colons */
};

/*
 * The scan looks only at tokens: it refuses those that json-c accepts although they are not JSON.
 * How tokens follow each other is left to json-c.
 */
struct scan {
	struct arena *arena;
	struct str text; /* NUL ended */
	size_t at;
	int depth;
	bool after_comma;
	int64_t most;
	int64_t values;                      /* including keys whose colon has not come yet */
	size_t bytes;                        /* of strings and keys, without their escapes */
	struct object_note *open[MAX_DEPTH]; /* null for an array */
	struct object_note *first, **end;
	const char *problem;
	bool lacks_members; /* json-c has fewer than the text */
};

static bool fail(struct scan *s, const char *what, size_t at)
{
	s->problem = arena_printf(s->arena, "%s at byte %zu", what, at + 1).p;
	return false;
}

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

/* Skips digits; false if there are none. The NUL at the end is not a digit. */
static bool skip_digits(struct scan *s)
{
	size_t from = s->at;

	while (is_digit(s->text.p[s->at]))
		s->at++;
	return s->at > from;
}

static bool scan_number(struct scan *s)
{
	const char *p = s->text.p;
	size_t from = s->at;
	bool whole = true;
	int64_t value;

	s->at += p[s->at] == '-';
	if (p[s->at] == '0' && is_digit(p[s->at + 1]))
		return fail(s, "a number that begins with 0", from);
	if (!skip_digits(s))
		return fail(s, "a broken number", from);
	if (p[s->at] == '.') {
		whole = false;
		s->at++;
		if (!skip_digits(s))
			return fail(s, "a broken number", from);
	}
	if (p[s->at] == 'e' || p[s->at] == 'E') {
		whole = false;
		s->at++;
		s->at += p[s->at] == '-' || p[s->at] == '+';
		if (!skip_digits(s))
			return fail(s, "a broken number", from);
	}
	/* json-c turns a positive one into the largest integer, by which to_body recognizes it. */
	if (whole && p[from] == '-' && !str_to_int((struct str){ p + from, s->at - from }, &value))
		return fail(s, "an integer that does not fit into 64 bits", from);
	if (!whole && strtod(p + from, NULL) - strtod(p + from, NULL) != 0)
		return fail(s, "a number that is too large", from);
	return true;
}

/* The four hexadecimal digits at p, or -1. */
static int hex_value(const char *p)
{
	int v = 0;

	for (int i = 0; i < 4; i++) {
		char c = p[i];

		if (is_digit(c))
			v = v * 16 + (c - '0');
		else if (c >= 'a' && c <= 'f')
			v = v * 16 + (c - 'a' + 10);
		else if (c >= 'A' && c <= 'F')
			v = v * 16 + (c - 'A' + 10);
		else
			return -1;
	}
	return v;
}

static size_t utf8_length(int unit)
{
	return unit < 0x80 ? 1 : unit < 0x800 ? 2 : 3;
}

/* At the backslash. */
static bool scan_escape(struct scan *s)
{
	const char *p = s->text.p + s->at;

	if (p[1] != 'u') {
		if (p[1] == '\0' || !strchr("\"\\/bfnrt", p[1]))
			return fail(s, "an unknown escape in a string", s->at);
		s->bytes++;
		s->at += 2;
		return true;
	}
	int unit = hex_value(p + 2);
	if (unit < 0)
		return fail(s, "a broken \\u escape in a string", s->at);
	if (unit == 0)
		return fail(s, "the character U+0000, which text cannot contain,", s->at);
	if (unit < 0xd800 || unit > 0xdfff) {
		s->bytes += utf8_length(unit);
		s->at += 6;
		return true;
	}
	int low = p[6] == '\\' && p[7] == 'u' ? hex_value(p + 8) : -1;
	if (unit > 0xdbff || low < 0xdc00 || low > 0xdfff)
		return fail(s, "half a surrogate pair", s->at);
	s->bytes += 4;
	s->at += 12;
	return true;
}

/* At the opening quote. */
static bool scan_string(struct scan *s)
{
	size_t from = s->at++;

	for (;;) {
		unsigned char c = (unsigned char)s->text.p[s->at];

		if (s->at == s->text.n)
			return fail(s, "an unterminated string", from);
		if (c < 0x20)
			return fail(s, "a control character in a string", s->at);
		if (c == '\\') {
			if (!scan_escape(s))
				return false;
			continue;
		}
		s->at++;
		if (c == '"')
			return true;
		s->bytes++;
	}
}

static bool scan_word(struct scan *s)
{
	static const char *const words[] = { "true", "false", "null" };

	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++) {
		size_t n = strlen(words[i]);

		if (strncmp(s->text.p + s->at, words[i], n) == 0) {
			s->at += n;
			return true;
		}
	}
	return fail(s, "unexpected text", s->at);
}

static bool scan_open(struct scan *s, bool object)
{
	struct object_note *note = NULL;

	if (s->depth == MAX_DEPTH)
		return fail(s, "nesting of more than 32 levels", s->at);
	if (object) {
		note = arena_alloc(s->arena, sizeof(*note));
		note->at = s->at;
		*s->end = note;
		s->end = &note->next;
	}
	s->open[s->depth++] = note;
	s->at++;
	return true;
}

/* json-c takes up to a kilobyte per value, so values are counted before it sees them. */
static bool count_value(struct scan *s)
{
	if (++s->values > s->most)
		return fail(s, "more than 50000 values", s->at);
	return true;
}

static bool scan_token(struct scan *s)
{
	char c = s->text.p[s->at];
	bool after_comma = s->after_comma;

	if (!strchr("}]:, \t\r\n", c) && !count_value(s))
		return false;
	if (!strchr(" \t\r\n", c))
		s->after_comma = c == ',';
	switch (c) {
	case '"': return scan_string(s);
	case '{':
	case '[': return scan_open(s, c == '{');
	case '}':
	case ']':
		if (s->depth == 0 || after_comma)
			return fail(s, "unexpected text", s->at);
		s->depth--;
		break;
	case ':':
		s->values--;
		if (s->depth > 0 && s->open[s->depth - 1])
			s->open[s->depth - 1]->pairs++;
		break;
	case ',':
	case ' ':
	case '\t':
	case '\r':
	case '\n': break;
	default: return c == '-' || is_digit(c) ? scan_number(s) : scan_word(s);
	}
	s->at++;
	return true;
}

static bool scan_all(struct scan *s)
{
	if (!str_is_text(s->text)) {
		s->problem = "it is not UTF-8 text";
		return false;
	}
	if (str_trim(s->text).n == 0) {
		s->problem = "it is empty";
		return false;
	}
	if (s->text.n > INT_MAX / 2) {
		s->problem = "it is too long";
		return false;
	}
	while (s->at < s->text.n) {
		if (!scan_token(s))
			return false;
	}
	return true;
}

/*
 * Without memory, json-c calls a valid text broken, or loses part of it, such as a piece of a
 * string. Nothing may be refused or stored like that: the program exits, as when an arena gets no
 * memory.
 */
static void starve(void)
{
	log_die("out of memory: for a JSON text");
}

/* False on failure; JSON's null is a null pointer in json-c. */
static bool parse(struct scan *s, struct json_object **root)
{
	struct json_tokener *tokener = json_tokener_new_ex(MAX_DEPTH + 1);

	if (!tokener)
		starve();
	/* Not strict: json-c 0.18 would take letters beyond ASCII for control characters. */
	json_tokener_set_flags(tokener, JSON_TOKENER_VALIDATE_UTF8);
	/* With its NUL: a number at the end of the text is complete only then. */
	errno = 0;
	*root = json_tokener_parse_ex(tokener, s->text.p, (int)s->text.n + 1);
	if (errno == ENOMEM)
		starve();
	enum json_tokener_error error = json_tokener_get_error(tokener);
	size_t at = json_tokener_get_parse_end(tokener);
	json_tokener_free(tokener);
	if (error == json_tokener_success && at == s->text.n)
		return true;
	json_object_put(*root);
	if (at >= s->text.n)
		return fail(s, "unexpected end", s->text.n);
	return fail(s,
		error == json_tokener_success ? "unexpected text" : json_tokener_error_desc(error),
		at);
}

static struct body *new_value(struct arena *a, enum body_type type)
{
	struct body *value = arena_alloc(a, sizeof(*value));

	value->type = type;
	return value;
}

static struct body *to_body(struct scan *s, struct json_object *from);

static bool add_elements(struct scan *s, struct body *array, struct json_object *from)
{
	struct body **end = &array->first;

	array->count = json_object_array_length(from);
	for (size_t i = 0; i < array->count; i++) {
		*end = to_body(s, json_object_array_get_idx(from, i));
		if (!*end)
			return false;
		end = &(*end)->next;
	}
	return true;
}

/*
 * The tree is walked in the order of the text, so the next note is this object's: if it has fewer
 * members than the text has pairs, two keys were equal, and json-c kept the last.
 */
static bool add_members(struct scan *s, struct body *object, struct json_object *from)
{
	struct body **end = &object->first;
	struct object_note *note = s->first;

	s->first = note->next;
	object->count = (size_t)json_object_object_length(from);
	s->lacks_members = object->count != note->pairs;
	if (s->lacks_members)
		return fail(s, "a key is given twice in the object", note->at);
	struct json_object_iterator i = json_object_iter_begin(from);
	struct json_object_iterator last = json_object_iter_end(from);
	for (; !json_object_iter_equal(&i, &last); json_object_iter_next(&i)) {
		*end = to_body(s, json_object_iter_peek_value(&i));
		if (!*end)
			return false;
		(*end)->key = arena_str(s->arena, str_of(json_object_iter_peek_name(&i)));
		s->bytes -= (*end)->key.n;
		end = &(*end)->next;
	}
	return true;
}

/* Recursive, as deep as MAX_DEPTH. Null after a failure. */
static struct body *to_body(struct scan *s, struct json_object *from)
{
	struct body *value = new_value(s->arena, BODY_NULL);
	struct str text;

	s->values--;
	switch (json_object_get_type(from)) {
	case json_type_null: break;
	case json_type_boolean:
		value->type = BODY_BOOL;
		value->boolean = json_object_get_boolean(from);
		break;
	case json_type_int:
		value->type = BODY_INT;
		value->integer = json_object_get_int64(from);
		if (value->integer == INT64_MAX && json_object_get_uint64(from) > INT64_MAX) {
			value->type = BODY_FLOAT;
			value->number = (double)json_object_get_uint64(from);
		}
		break;
	case json_type_double:
		value->type = BODY_FLOAT;
		value->number = json_object_get_double(from);
		break;
	case json_type_string:
		text.p = json_object_get_string(from);
		text.n = (size_t)json_object_get_string_len(from);
		value->type = BODY_TEXT;
		value->text = arena_str(s->arena, text);
		s->bytes -= text.n;
		break;
	case json_type_array:
		value->type = BODY_ARRAY;
		return add_elements(s, value, from) ? value : NULL;
	case json_type_object:
		value->type = BODY_OBJECT;
		return add_members(s, value, from) ? value : NULL;
	}
	return value;
}

static struct body *parse_once(struct scan *s)
{
	struct json_object *root = NULL;
	struct body *value = NULL;

	s->end = &s->first;
	if (scan_all(s) && parse(s, &root)) {
		value = to_body(s, root);
		json_object_put(root);
		/* A number sets errno to 0, whatever was before it. */
		if (value && (s->values != 0 || s->bytes != 0))
			starve();
	}
	return value;
}

static struct body *parse_text(struct arena *a, struct str text, int64_t most, const char **problem)
{
	/* A copy, so that a NUL follows it. */
	const struct scan fresh = {
		.arena = a, .most = most, .text = arena_str(a, text.p ? text : STR(""))
	};
	struct scan s = fresh, again = fresh;
	struct body *value = parse_once(&s);

	/* Members are also missing if there was no memory for them: then the next attempt has
	   them. */
	if (s.lacks_members && parse_once(&again))
		starve();
	*problem = s.problem;
	return value;
}

struct body *body_parse(struct arena *a, struct str text, const char **problem)
{
	return parse_text(a, text, MAX_VALUES, problem);
}

struct body *body_parse_own(struct arena *a, struct str text)
{
	const char *problem;

	return parse_text(a, text, INT64_MAX, &problem);
}
