#include "transfer/common/record.h"

#include <stdlib.h>

#include "lib/buf.h"
#include "lib/log.h"
#include "lib/when.h"

const char *const record_person_texts[RECORD_PERSON__TEXTS] = { "name", "email", "username",
	"initials" };

void record_empty(struct record *r)
{
	arena_reset(&r->arena);
	r->n = 0;
}

void record_free(struct record *r)
{
	arena_free(&r->arena);
	free(r->values);
	*r = (struct record){ 0 };
}

const struct record_value *record_get(const struct record *r, const char *name)
{
	for (size_t i = 0; i < r->n; i++)
		if (str_equal_z(r->values[i].name, name))
			return &r->values[i];
	return NULL;
}

int64_t record_id(const struct record *r, const char *name)
{
	const struct record_value *v = record_get(r, name);
	return v && v->type == RECORD_INT && v->integer > 0 ? v->integer : NIL;
}

/* Values ------------------------------------------------------------------------------- */

static void put(struct record *r, struct record_value v)
{
	if (r->n == r->room) {
		r->room = r->room ? 2 * r->room : 32;
		r->values = realloc(r->values, r->room * sizeof *r->values);
		if (!r->values)
			log_die("out of memory: %zu values", r->room);
	}
	r->values[r->n++] = v;
}

void record_null(struct record *r, const char *name)
{
	put(r, (struct record_value){ str_of(name), RECORD_NULL, .integer = 0 });
}

void record_bool(struct record *r, const char *name, bool v)
{
	put(r, (struct record_value){ str_of(name), RECORD_BOOL, .boolean = v });
}

void record_int(struct record *r, const char *name, int64_t v)
{
	put(r, (struct record_value){ str_of(name), RECORD_INT, .integer = v });
}

void record_float(struct record *r, const char *name, double v)
{
	put(r, (struct record_value){ str_of(name), RECORD_FLOAT, .number = v });
}

void record_text(struct record *r, const char *name, struct str v)
{
	if (v.p)
		put(r, (struct record_value){ str_of(name), RECORD_TEXT, .text = v });
	else
		record_null(r, name);
}

void record_when(struct record *r, const char *name, const struct record_when *v)
{
	put(r, (struct record_value){ str_of(name), RECORD_WHEN, .when = *v });
}

void record_person(struct record *r, const char *name, const struct record_person *v)
{
	put(r, (struct record_value){ str_of(name), RECORD_PERSON, .person = *v });
}

void record_span(struct record *r, const char *name, const struct record_span *v)
{
	put(r, (struct record_value){ str_of(name), RECORD_SPAN, .span = *v });
}

void record_body(struct record *r, struct str name, const struct body *v)
{
	switch (v->type) {
	case BODY_NULL: put(r, (struct record_value){ name, RECORD_NULL, .integer = 0 }); return;
	case BODY_BOOL:
		put(r, (struct record_value){ name, RECORD_BOOL, .boolean = v->boolean });
		return;
	case BODY_INT:
		put(r, (struct record_value){ name, RECORD_INT, .integer = v->integer });
		return;
	case BODY_FLOAT:
		put(r, (struct record_value){ name, RECORD_FLOAT, .number = v->number });
		return;
	case BODY_TEXT: put(r, (struct record_value){ name, RECORD_TEXT, .text = v->text }); return;
	case BODY_ARRAY:
	case BODY_OBJECT: put(r, (struct record_value){ name, RECORD_JSON, .json = v }); return;
	}
}

/* Lists -------------------------------------------------------------------------------- */

void record_list(struct record *r, const char *name, enum record_type type)
{
	put(r, (struct record_value){ str_of(name), type, .items = { NULL, NULL } });
}

static struct record_item *add(struct record *r)
{
	struct record_value *list = &r->values[r->n - 1];
	struct record_item *item = arena_alloc(&r->arena, sizeof *item);
	if (list->items.last)
		list->items.last->next = item;
	else
		list->items.first = item;
	list->items.last = item;
	return item;
}

void record_add_int(struct record *r, int64_t v)
{
	add(r)->integer = v;
}

void record_add_text(struct record *r, struct str v)
{
	add(r)->text = v;
}

void record_add_person(struct record *r, const struct record_person *v)
{
	add(r)->person = *v;
}

struct record_person record_named(struct str name)
{
	return (struct record_person){ .id = NIL, .texts = { [RECORD_NAME] = name } };
}

/* As JSON ------------------------------------------------------------------------------ */

static void print_when(struct json *j, const struct record_when *when)
{
	struct buf b = { 0 };
	int part = (int)((when->us % 1000000 + 1000000) % 1000000);
	if (!when->has_time) {
		when_put_date(&b, when->day);
	} else {
		when_put_iso(&b, when->us);
		b.n--;
		if (part)
			buf_printf(&b, part % 1000 ? ".%06d" : ".%03d",
				part % 1000 ? part : part / 1000);
		if (when->has_zone)
			buf_put_char(&b, 'Z');
	}
	json_str(j, buf_str(&b));
	buf_free(&b);
}

static void print_person(struct json *j, const struct record_person *p)
{
	json_object(j);
	if (p->id != NIL)
		json_put_int(j, "id", p->id);
	for (int i = 0; i < RECORD_PERSON__TEXTS; i++)
		if (p->texts[i].n) {
			json_key(j, record_person_texts[i]);
			json_str(j, p->texts[i]);
		}
	json_object_end(j);
}

static void print_day(struct json *j, const char *name, int64_t day)
{
	if (day == NIL)
		return;
	json_key(j, name);
	print_when(j, &(struct record_when){ .day = (int32_t)day });
}

static void print_span(struct json *j, const struct record_span *s)
{
	json_object(j);
	json_put_int(j, "number", s->number);
	print_day(j, "start", s->first);
	print_day(j, "finish", s->last);
	json_object_end(j);
}

static void print_items(struct json *j, const struct record_value *v)
{
	json_array(j);
	for (const struct record_item *i = v->items.first; i; i = i->next)
		if (v->type == RECORD_PEOPLE)
			print_person(j, &i->person);
		else if (v->type == RECORD_NAMES)
			json_str(j, i->text);
		else
			json_int(j, i->integer);
	json_array_end(j);
}

static void print_body(struct json *j, const struct body *value)
{
	struct arena a = { 0 };
	json_raw(j, body_text(&a, value));
	arena_free(&a);
}

void record_value_print(struct json *j, const struct record_value *v)
{
	switch (v->type) {
	case RECORD_NULL: json_null(j); return;
	case RECORD_BOOL: json_bool(j, v->boolean); return;
	case RECORD_INT: json_int(j, v->integer); return;
	case RECORD_FLOAT: json_float(j, v->number); return;
	case RECORD_TEXT: json_str(j, v->text); return;
	case RECORD_WHEN: print_when(j, &v->when); return;
	case RECORD_PERSON: print_person(j, &v->person); return;
	case RECORD_PEOPLE:
	case RECORD_NAMES:
	case RECORD_IDS: print_items(j, v); return;
	case RECORD_SPAN: print_span(j, &v->span); return;
	case RECORD_JSON: print_body(j, v->json); return;
	}
}
