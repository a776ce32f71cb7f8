#include "http/bind.h"

#include <string.h>

#include "lib/buf.h"
#include "lib/when.h"

static struct str ids_text(struct arena *a, const struct body *list)
{
	struct buf b = { 0 };
	buf_put_char(&b, '{');
	for (const struct body *x = list->first; x; x = x->next) {
		if (x != list->first)
			buf_put_char(&b, ',');
		buf_put_int(&b, x->integer);
	}
	buf_put_char(&b, '}');
	struct str s = arena_str(a, buf_str(&b));
	buf_free(&b);
	return s;
}

static struct db_param time_param(struct arena *a, const struct body *v)
{
	int64_t us = v->type == BODY_INT ? v->integer * 1000 : 0;
	if (v->type == BODY_TEXT && !when_parse(v->text, &us))
		return db_null();
	return db_time(a, us);
}

struct db_param bind_param(struct arena *a, const struct field *f, const struct body *v)
{
	if (!v || v->type == BODY_NULL)
		return db_null();
	switch (f->type) {
	case FT_INT: return db_text(a, arena_printf(a, "%lld", (long long)v->integer));
	case FT_FLOAT:
		return db_text(a,
			v->type == BODY_INT ? arena_printf(a, "%lld", (long long)v->integer)
					    : arena_printf(a, "%.17g", v->number));
	case FT_BOOL: return db_text(a, v->boolean ? STR("t") : STR("f"));
	case FT_TIME: return time_param(a, v);
	case FT_IDS: return db_text(a, ids_text(a, v));
	case FT_REFS:
	case FT_STRINGS:
	case FT_ZONE:
	case FT_LABELS:
	case FT_LIST:
	case FT_OBJECT: return db_text(a, body_text(a, v));
	default: return db_text(a, v->text);
	}
}

int bind_params(struct req *r, const struct resource *resource, unsigned flag,
	struct db_param *params, int max)
{
	int n = 0;
	for (int i = 0; i < resource->n_fields && n < max; i++) {
		const struct field *f = &resource->fields[i];
		if (f->flags & flag && !(f->flags & F_IGNORED))
			params[n++] = bind_param(r->arena, f, body_get(r->body, f->name));
	}
	return n;
}

/* Query values ------------------------------------------------------------ */

static struct body *number_value(struct arena *a, struct str text)
{
	const char *problem;
	struct body *v = body_parse(a, text, &problem);
	return v && (v->type == BODY_INT || v->type == BODY_FLOAT) ? v : NULL;
}

bool bind_is_beyond(const struct body *v)
{
	return v->type == BODY_FLOAT && v->number >= 9223372036854775808.0;
}

static struct body *ids_value(struct arena *a, struct str text)
{
	struct body *list = body_new_array(a);
	struct body **end = &list->first; /* body_append would walk the list for each id */
	while (text.p && text.n) {
		struct str item = str_trim(str_cut(&text, ','));
		int64_t id;
		if (str_to_int(item, &id)) {
			*end = body_new_int(a, id);
			end = &(*end)->next;
			list->count++;
			continue;
		}
		const struct body *number = number_value(a, item);
		if (!number || !bind_is_beyond(number))
			return NULL;
	}
	return list;
}
struct body *bind_query_value(struct arena *a, enum field_type type, struct str text)
{
	int64_t v, us;
	int32_t day;
	switch (type) {
	case FT_INT: return str_to_int(text, &v) ? body_new_int(a, v) : NULL;
	case FT_FLOAT: return number_value(a, text);
	case FT_BOOL:
		if (str_equal_z(text, "true") || str_equal_z(text, "false"))
			return body_new_bool(a, text.n == 4);
		return NULL;
	case FT_TIME:
		if (str_to_int(text, &v))
			return when_of_millis(v, &us) ? body_new_int(a, v) : NULL;
		return when_parse(text, &v) ? body_new_text(a, text) : NULL;
	case FT_DATE: return when_parse_date(text, &day) ? body_new_text(a, text) : NULL;
	case FT_IDS: return ids_value(a, text);
	default: return body_new_text(a, text);
	}
}
