#include <stdlib.h>
#include <string.h>

#include "http/bind.h"
#include "http/route.h"
#include "lib/when.h"

/* 2005-01-01T00:00:00Z: older dates are refused (contract 1.4). */
static const int64_t OLDEST_US = INT64_C(1104537600000000);

const char *bind_type_name(enum field_type type)
{
	switch (type) {
	case FT_INT: return "an integer value";
	case FT_FLOAT: return "a number value";
	case FT_BOOL: return "a non-string boolean true or false value";
	case FT_TEXT: return "an extended_string";
	case FT_TIME: return "a time value represented as milliseconds/iso 8601 date";
	case FT_DATE: return "a date value represented as iso 8601 date";
	case FT_IDS: return "an array of integer values";
	case FT_STRINGS: return "an array of strings";
	case FT_REFS: return "an array of ids, or of objects with an id";
	case FT_LABELS: return "an array of names, or of objects with a name or an id";
	case FT_LIST: return "an array of objects";
	case FT_JSON:
	case FT_OBJECT: return "an object";
	case FT_ZONE: return "the name of a time zone, or an object with olson_name";
	default: return "a string";
	}
}

static bool all_are(const struct body *list, enum body_type type)
{
	for (const struct body *x = list->first; x; x = x->next)
		if (x->type != type)
			return false;
	return true;
}

/* Every item is an id, or an object with one. */
static bool all_refer(const struct body *list)
{
	for (const struct body *x = list->first; x; x = x->next) {
		const struct body *id = x->type == BODY_OBJECT ? body_get(x, "id") : x;
		if (!id || id->type != BODY_INT)
			return false;
	}
	return true;
}

static bool is_date(struct str s)
{
	int32_t days;
	return when_parse_date(s, &days);
}

static bool has_type(const struct field *f, const struct body *v)
{
	int64_t us;
	switch (f->type) {
	case FT_INT: return v->type == BODY_INT;
	case FT_FLOAT: return v->type == BODY_INT || v->type == BODY_FLOAT;
	case FT_BOOL: return v->type == BODY_BOOL;
	case FT_TIME:
		return v->type == BODY_INT || (v->type == BODY_TEXT && when_parse(v->text, &us));
	case FT_DATE: return v->type == BODY_TEXT && is_date(v->text);
	case FT_IDS: return v->type == BODY_ARRAY && all_are(v, BODY_INT);
	case FT_STRINGS: return v->type == BODY_ARRAY && all_are(v, BODY_TEXT);
	case FT_REFS: return v->type == BODY_ARRAY && all_refer(v);
	case FT_LABELS: return v->type == BODY_ARRAY;
	case FT_LIST: return v->type == BODY_ARRAY && all_are(v, BODY_OBJECT);
	case FT_JSON:
	case FT_OBJECT: return v->type == BODY_OBJECT;
	case FT_ZONE: return v->type == BODY_OBJECT || v->type == BODY_TEXT;
	default: return v->type == BODY_TEXT;
	}
}

static bool has_word(const struct field *f, struct str s)
{
	for (const char *const *w = f->words; *w; w++)
		if (f->flags & F_ANY_CASE ? str_equal_nocase(s, str_of(*w)) : str_equal_z(s, *w))
			return true;
	return false;
}

static struct str join_words(struct arena *a, const char *const *words)
{
	struct str s = STR("");
	for (; *words; words++)
		s = arena_printf(a, "%s%s%s", s.p, s.n ? ", " : "", *words);
	return s;
}

/* A field's words; those that may be written in any case are listed in lower case. */
static const char *list_words(struct arena *a, const struct field *f)
{
	char *text = arena_chars(a, join_words(a, f->words));
	for (char *c = text; f->flags & F_ANY_CASE && *c; c++)
		*c = *c >= 'A' && *c <= 'Z' ? (char)(*c - 'A' + 'a') : *c;
	return text;
}

/* Values --------------------------------------------------------------- */

static enum rc fail_type(struct req *r, const struct field *f, const struct body *v, bool nested)
{
	const char *name = bind_type_name(f->type);
	if (f->type == FT_WORD)
		return req_fail(r, RC_INVALID_PARAMETER, "'%s' must be one of: %s", f->name,
			list_words(r->arena, f));
	if (nested)
		return req_fail(r, RC_INVALID_PARAMETER,
			"The '%s' parameter value was '%s' but must be of type '%s'", f->name,
			v->type == BODY_TEXT ? v->text.p : body_text(r->arena, v).p,
			f->type == FT_TEXT             ? "extended_string"
				: f->type == FT_STRING ? "string"
						       : name);
	return req_fail(r, RC_INVALID_PARAMETER, "'%s' must be %s", f->name, name);
}

static enum rc fail_blank(struct req *r, const struct field *f)
{
	char first = f->name[0] >= 'a' && f->name[0] <= 'z' ? (char)(f->name[0] - 32) : f->name[0];
	return f->blank ? req_fail_field(r, f->name, "%s", f->blank)
			: req_fail_field(r, f->name, "%c%s can't be blank", first, f->name + 1);
}

static enum rc check_length(struct req *r, const struct field *f, const struct body *v)
{
	if (f->max && str_count_chars(v->text) > (size_t)f->max) {
		req_fail(r, RC_INVALID_PARAMETER, "This %s is too long:  '%s'",
			f->type == FT_TEXT ? "extended_string" : "string", v->text.p);
		r->error.requirement =
			arena_printf(r->arena, "'%s' parameter must be %lld characters or less.",
				f->name, (long long)f->max);
		return RC_INVALID_PARAMETER;
	}
	return f->flags & F_NO_BLANK && str_is_blank(v->text) ? fail_blank(r, f) : RC_OK;
}

static enum rc check_age(struct req *r, const struct field *f, int64_t us)
{
	if (us >= OLDEST_US || f->flags & F_PAST)
		return RC_OK;
	struct buf b = { 0 };
	when_put_iso(&b, us);
	req_fail_field(r, f->name,
		"The date you entered %.*s, is too far in the past. "
		"Please enter a date after 2005-01-01T00:00:00Z.",
		(int)b.n, b.p);
	buf_free(&b);
	return RC_INVALID_PARAMETER;
}

static enum rc check_date(struct req *r, const struct field *f, const struct body *v)
{
	int32_t days;
	if (!when_parse_date(v->text, &days))
		return fail_type(r, f, v, false);
	return check_age(r, f, days * INT64_C(86400000000));
}

static enum rc check_time(struct req *r, const struct field *f, const struct body *v)
{
	int64_t us = 0;
	bool is_time =
		v->type == BODY_INT ? when_of_millis(v->integer, &us) : when_parse(v->text, &us);
	return is_time ? check_age(r, f, us) : fail_type(r, f, v, false);
}

static enum rc check_int(struct req *r, const struct field *f, const struct body *v)
{
	if ((f->min || f->max) && (v->integer < f->min || v->integer > f->max))
		return req_fail(r, RC_INVALID_PARAMETER, "'%s' must be between %lld and %lld",
			f->name, (long long)f->min, (long long)f->max);
	return RC_OK;
}

static enum rc check_object(struct req *r, const struct resource *resource,
	const struct body *object, unsigned flag, bool nested) MUST_CHECK;

/* An item of a list; if it has an id, it changes that object. */
static enum rc check_item(struct req *r, const struct field *f, struct body *item, unsigned flag)
{
	if (!(flag & F_UPDATE) || !(f->flags & F_PARTS) || !body_get(item, "id"))
		return check_object(r, f->child, item, F_CREATE, true);
	enum rc rc = bind_leave_out(r, f->child, item, F_UPDATE | F_KEY);
	return rc ? rc : check_object(r, f->child, item, F_UPDATE | F_KEY, true);
}

static enum rc check_list(struct req *r, const struct field *f, const struct body *v, unsigned flag)
{
	size_t most = f->max ? (size_t)f->max : 500;
	if (v->count > most)
		return req_fail(
			r, RC_INVALID_PARAMETER, "'%s' must have at most %zu items", f->name, most);
	if (f->type == FT_LIST)
		for (struct body *x = v->first; x; x = x->next) {
			enum rc rc = check_item(r, f, x, flag);
			if (rc)
				return rc;
		}
	return RC_OK;
}

/* Names of labels inside a list are bounded like a label's own. */
static enum rc check_labels(struct req *r, const struct field *f, const struct body *v)
{
	static const struct field name = { .name = "name",
		.type = FT_TEXT,
		.flags = F_NO_BLANK,
		.max = 255,
		.blank = "Please enter a name for the label." };
	for (const struct body *x = v->first; x; x = x->next) {
		const struct body *text = x->type == BODY_OBJECT ? body_get(x, "name") : x;
		if (x->type != BODY_OBJECT && x->type != BODY_TEXT)
			return req_fail(
				r, RC_INVALID_PARAMETER, "Can't use content of 'label' parameter.");
		if (text && text->type != BODY_TEXT)
			return fail_type(r, &name, text, true);
		enum rc rc = text ? check_length(r, &name, text) : RC_OK;
		if (rc)
			return rc;
	}
	return check_list(r, f, v, 0);
}

/* A number of more than 64 bits. */
static bool is_beyond(const struct body *v)
{
	return v->type == BODY_FLOAT && v->number >= 0x1p63;
}

static enum rc check_value(
	struct req *r, const struct field *f, const struct body *v, unsigned flag, bool nested)
{
	if (v->type == BODY_NULL && f->flags & F_NULL)
		return RC_OK;
	if (v->type == BODY_NULL && f->flags & F_NO_BLANK && !nested)
		return fail_blank(r, f);
	if (f->flags & F_PERSON && is_beyond(v))
		return req_fail(r, RC_INVALID_PARAMETER,
			"Couldn't find Person with an out of range value for 'id'");
	if (f->type == FT_WORD && f->flags & F_RULED)
		return RC_OK;
	if (!has_type(f, v))
		return fail_type(r, f, v, nested);
	switch (f->type) {
	case FT_WORD: return has_word(f, v->text) ? RC_OK : fail_type(r, f, v, nested);
	case FT_STRING:
	case FT_TEXT: return check_length(r, f, v);
	case FT_TIME: return check_time(r, f, v);
	case FT_DATE: return check_date(r, f, v);
	case FT_INT: return check_int(r, f, v);
	case FT_IDS:
	case FT_REFS:
	case FT_STRINGS:
	case FT_LIST: return check_list(r, f, v, flag);
	case FT_LABELS: return check_labels(r, f, v);
	case FT_OBJECT: return check_object(r, f->child, v, flag, true);
	default: return RC_OK;
	}
}

/* Objects -------------------------------------------------------------- */

static enum rc check_required(struct req *r, const struct resource *resource,
	const struct body *object, unsigned required)
{
	struct str missing = { 0 };
	int n = 0;
	for (int i = 0; i < resource->n_fields; i++) {
		const struct field *f = &resource->fields[i];
		if (!(f->flags & required) || body_get(object, f->name))
			continue;
		missing = n++ ? arena_printf(r->arena, "%s, %s", missing.p, f->name)
			      : str_of(f->name);
	}
	if (n == 0)
		return RC_OK;
	return req_fail(r, RC_INVALID_PARAMETER, "this endpoint requires the parameter%s: %s",
		n > 1 ? "s" : "", missing.p);
}

/* Two lists for the same column, such as labels and label_ids, are ambiguous. */
static enum rc check_rivals(struct req *r, const struct resource *resource,
	const struct body *object, const struct field *f, unsigned flag)
{
	for (int i = 0; i < resource->n_fields; i++) {
		const struct field *other = &resource->fields[i];
		if (f->type == FT_LABELS && other->type == FT_IDS && other->flags & flag &&
			!strcmp(f->column, other->name) && body_get(object, other->name))
			return req_fail(r, RC_INVALID_PARAMETER,
				"Do not send %s with %s in the same request.", f->name,
				other->name);
	}
	return RC_OK;
}

static enum rc check_object(struct req *r, const struct resource *resource,
	const struct body *object, unsigned flag, bool nested)
{
	for (const struct body *v = object->first; v; v = v->next) {
		const struct field *f = bind_writable(resource, v->key, flag);
		if (!f)
			return req_fail(r, RC_INVALID_PARAMETER,
				"this endpoint cannot accept the parameter: %.*s", (int)v->key.n,
				v->key.p);
		enum rc rc = f->flags & (F_IGNORED | F_PRESENT)
			? RC_OK
			: check_value(r, f, v, flag, nested);
		if (!rc)
			rc = check_rivals(r, resource, object, f, flag);
		if (rc)
			return rc;
	}
	return check_required(r, resource, object, flag == F_CREATE ? F_REQUIRED : F_MUST);
}

static int compare_names(const void *a, const void *b)
{
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* Refuses an update of nothing, listing what could be updated. */
static enum rc fail_empty(struct req *r, const struct resource *resource, const char *one_of)
{
	const char *names[FIELDS_MAX + 1] = { 0 };
	int n = 0;
	for (int i = 0; i < resource->n_fields; i++)
		if (resource->fields[i].flags & F_UPDATE &&
			!(resource->fields[i].flags & (F_IGNORED | F_ALONG)))
			names[n++] = resource->fields[i].name;
	qsort(names, (size_t)n, sizeof *names, compare_names);
	return req_fail(r, RC_INVALID_PARAMETER,
		"this endpoint requires at least one of the following parameters: %s",
		one_of ? one_of : join_words(r->arena, names).p);
}

/* Puts values of F_QUERY fields from the query into the body, which wins. */
static enum rc take_query(struct req *r, const struct resource *resource, unsigned flag)
{
	for (int i = 0; i < resource->n_fields; i++) {
		const struct field *f = &resource->fields[i];
		const struct uri_param *p = uri_find(r->params, f->name);
		if (!p || !(f->flags & F_QUERY) || !(f->flags & flag) || body_get(r->body, f->name))
			continue;
		struct body *v = bind_query_value(r->arena, f->type, p->value);
		if (!v)
			return fail_type(r, f, body_new_text(r->arena, p->value), false);
		body_append(r->body, str_of(f->name), v);
	}
	return RC_OK;
}

/* Converts a form's text to the type of the field; if that is impossible, it stays text. */
static void type_text(struct arena *a, enum field_type type, struct body *v)
{
	struct body *typed = v->type == BODY_TEXT ? bind_query_value(a, type, v->text) : NULL;
	bool is_ids = type == FT_IDS || type == FT_REFS;
	if (typed) {
		typed->key = v->key;
		typed->next = v->next;
		*v = *typed;
	} else if (v->type == BODY_ARRAY) {
		for (struct body *x = v->first; x; x = x->next)
			type_text(a, is_ids ? FT_FLOAT : FT_TEXT, x);
	}
}

static void type_form(struct req *r, const struct resource *resource, unsigned flag)
{
	for (struct body *v = r->body->first; v; v = v->next) {
		const struct field *f = bind_writable(resource, v->key, flag);
		if (f)
			type_text(r->arena, f->type, v);
	}
}

/* Removes values beyond 64 bits from a list. */
static void drop_beyond(struct body *list)
{
	for (struct body **at = &list->first; *at;) {
		if (bind_is_beyond(*at)) {
			*at = (*at)->next;
			list->count--;
		} else {
			at = &(*at)->next;
		}
	}
}

static void drop_unfound(struct req *r, const struct resource *resource, unsigned flag)
{
	for (struct body *v = r->body->first; v; v = v->next) {
		const struct field *f = bind_writable(resource, v->key, flag);
		if (f && f->flags & F_LOOSE && v->type == BODY_ARRAY)
			drop_beyond(v);
	}
}

/* Whether the body has at least one of the names in a list "a, b". */
static bool has_one_of(const struct body *body, const char *names)
{
	struct str rest = str_of(names);
	while (rest.p) {
		struct str name = str_trim(str_cut(&rest, ','));
		for (const struct body *v = body->first; v; v = v->next)
			if (str_equal(v->key, name))
				return true;
	}
	return false;
}

static bool changes_nothing(const struct resource *resource, const struct body *body)
{
	for (const struct body *v = body->first; v; v = v->next) {
		const struct field *f = bind_writable(resource, v->key, F_UPDATE);
		if (!f || !(f->flags & F_ALONG))
			return false;
	}
	return true;
}

void bind_check(struct req *r, const struct resource *resource, unsigned flag, const char *one_of)
{
	enum rc rc;
	if (r->refused)
		return;
	if (r->is_form)
		type_form(r, resource, flag);
	rc = bind_leave_out(r, resource, r->body, flag);
	if (!rc)
		rc = take_query(r, resource, flag);
	drop_unfound(r, resource, flag);
	if (!rc)
		rc = check_object(r, resource, r->body, flag, false);
	if (!rc &&
		((flag == F_UPDATE && changes_nothing(resource, r->body)) ||
			(one_of && !has_one_of(r->body, one_of))))
		rc = fail_empty(r, resource, one_of);
	if (rc)
		req_refuse(r, rc);
}
