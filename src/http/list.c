#include "http/list.h"

#include <string.h>

#include "http/bind.h"

/* Checks --------------------------------------------------------------------- */

static enum rc check_fields(struct req *r, struct str text)
{
	const char *problem;
	struct str unknown;
	struct fields *f = fields_parse(r->arena, text, &problem);
	if (!f && problem)
		return req_fail(r, RC_INVALID_PARAMETER, "'fields' cannot be parsed: %s", problem);
	enum rc rc = select_fields(r->arena, r->route->resource, f, &r->selection, &unknown);
	if (rc)
		return req_fail(r, rc, "'fields' names a field that does not exist: %.*s",
			(int)unknown.n, unknown.p);
	if (r->selection->fetches > SELECT_FETCHES_MAX)
		return req_fail(r, RC_INVALID_PARAMETER,
			"'fields' requests more than %d nested lists and objects",
			SELECT_FETCHES_MAX);
	return RC_OK;
}

/* Clients may repeat the project of the path. */
static enum rc check_project(struct req *r, struct str value)
{
	int64_t id;
	if (str_to_int(value, &id) && id == route_id(r, ":project"))
		return RC_OK;
	return req_fail(r, RC_INVALID_PARAMETER, "'project_id' must be the project of the path");
}

static enum rc check_common(struct req *r, const struct uri_param *p, bool *known)
{
	*known = true;
	if (str_equal_z(p->name, "project_id") && route_id(r, ":project"))
		return check_project(r, p->value);
	if (str_equal_z(p->name, "fields"))
		return r->route->resource ? check_fields(r, p->value) : RC_OK;
	if (str_equal_z(p->name, "envelope")) {
		r->envelope = str_equal_z(p->value, "true");
		if (!r->envelope && !str_equal_z(p->value, "false"))
			return req_fail(
				r, RC_INVALID_PARAMETER, "'envelope' must be one of: true, false");
		return RC_OK;
	}
	if (str_equal_z(p->name, "date_format")) {
		r->millis = str_equal_z(p->value, "millis");
		if (!r->millis && !str_equal_z(p->value, "iso8601"))
			return req_fail(r, RC_INVALID_PARAMETER,
				"'date_format' must be one of: millis, iso8601");
		return RC_OK;
	}
	*known = str_equal_z(p->name, "_method") || str_equal_z(p->name, "token") ||
		str_equal_z(p->name, "limit") || str_equal_z(p->name, "offset");
	return RC_OK;
}

static const struct param *find_param(const struct req *r, struct str name)
{
	const struct param *p = r->route->params;
	while (p && p->name && !str_equal_z(name, p->name))
		p++;
	return p && p->name ? p : NULL;
}

/* A field that a write takes from its query, too. */
static const struct field *find_body_param(const struct req *r, struct str name)
{
	const struct resource *body = r->route->body ? r->route->body : r->route->resource;
	unsigned flag = str_equal_z(r->method, "POST") ? F_CREATE : F_UPDATE;
	if (!body || str_equal_z(r->method, "GET") || str_equal_z(r->method, "DELETE"))
		return NULL;
	for (int i = 0; i < body->n_fields; i++)
		if (body->fields[i].flags & F_QUERY && body->fields[i].flags & flag &&
			str_equal_z(name, body->fields[i].name))
			return &body->fields[i];
	return NULL;
}

/* Parameters that are given more than once ------------------------------------ */

static bool is_list(const struct req *r, struct str name)
{
	const struct param *p = find_param(r, name);
	const struct field *f = find_body_param(r, name);
	return (p && (p->type == FT_IDS || p->flags & PARAM_LIST)) || (f && f->type == FT_IDS);
}

/* ids[] is another name of the list ids. */
static void cut_brackets(struct req *r, struct str *name)
{
	struct str rest = { name->p, name->n > 2 ? name->n - 2 : 0 };
	if (rest.n && !memcmp(name->p + rest.n, "[]", 2) && is_list(r, rest))
		*name = arena_str(r->arena, rest);
}

/* Clients may give a list one by one; anything else has one value. */
static enum rc join_params(struct req *r)
{
	for (struct uri_param **at = &r->params; *at;) {
		struct uri_param *p = *at, *first = r->params;
		cut_brackets(r, &p->name);
		while (!str_equal(first->name, p->name))
			first = first->next;
		if (first == p || str_equal(first->value, p->value)) {
			at = &p->next;
			continue;
		}
		if (!is_list(r, p->name))
			return req_fail(r, RC_INVALID_PARAMETER,
				"'%.*s' is given twice, with different values", (int)p->name.n,
				p->name.p);
		first->value = arena_printf(r->arena, "%.*s,%.*s", (int)first->value.n,
			first->value.p, (int)p->value.n, p->value.p);
		*at = p->next;
	}
	return RC_OK;
}

static bool stands_alone(const struct req *r, const char **alone)
{
	for (const struct param *p = r->route->params; p && p->name; p++)
		if (p->flags & PARAM_ALONE && uri_find(r->params, p->name)) {
			*alone = p->name;
			return true;
		}
	return false;
}

/*
 * Parameters allowed with a filter: contract 1.13. envelope, token and _method say how to answer
 * and who is asking, not what to select. Tools choose the fields themselves.
 */
static enum rc check_alone(struct req *r)
{
	static const char *const company[] = { "project_id", "date_format", "limit", "offset",
		"envelope", "token", "_method", NULL };
	const char *alone;
	if (!stands_alone(r, &alone))
		return RC_OK;
	for (const struct uri_param *p = r->params; p; p = p->next) {
		const char *const *c = company;
		while (*c && !str_equal_z(p->name, *c))
			c++;
		if (*c || str_equal_z(p->name, alone) ||
			((r->conf->filter_with_fields || r->agent_token.p || r->old.version) &&
				str_equal_z(p->name, "fields")))
			continue;
		return req_fail(r, RC_INVALID_PARAMETER,
			"'%s' can be combined only with project_id, date_format, limit and offset, "
			"not with: %.*s",
			alone, (int)p->name.n, p->name.p);
	}
	return RC_OK;
}

static enum rc check_query_param(struct req *r, const struct uri_param *p)
{
	bool known;
	enum rc rc = check_common(r, p, &known);
	if (rc || known || find_param(r, p->name) || find_body_param(r, p->name))
		return rc;
	return req_fail(r, RC_INVALID_PARAMETER, "this endpoint cannot accept the parameter: %.*s",
		(int)p->name.n, p->name.p);
}

void list_check_query(struct req *r)
{
	enum rc rc = join_params(r);
	if (r->route->resource)
		r->selection = select_default(r->arena, r->route->resource);
	for (const struct uri_param *p = r->params; !rc && p; p = p->next)
		rc = check_query_param(r, p);
	if (!rc)
		rc = check_alone(r);
	if (rc)
		req_refuse(r, rc);
}

/* A number of more than 64 bits is more than any list has. */
static bool take_count(struct str text, int64_t *n)
{
	if (str_to_int(text, n))
		return true;
	*n = INT64_MAX;
	return text.n && strspn(text.p, "0123456789") == text.n;
}

static enum rc check_page(struct req *r)
{
	const struct uri_param *limit = uri_find(r->params, "limit");
	const struct uri_param *offset =
		r->route->flags & R_NO_OFFSET ? NULL : uri_find(r->params, "offset");
	r->page = (struct req_page){ .on = !(r->route->flags & R_NO_PAGE_HEADERS),
		.limit = r->route->limit };
	if (limit && (!take_count(limit->value, &r->page.limit) || r->page.limit < 0))
		return req_fail(
			r, RC_INVALID_PARAMETER, "'limit' must be an integer value of 0 or more");
	bool backwards = r->route->flags & R_BACKWARDS;
	if (offset &&
		(!take_count(offset->value, &r->page.offset) || (r->page.offset < 0 && !backwards)))
		return req_fail(
			r, RC_INVALID_PARAMETER, "'offset' must be an integer value of 0 or more");
	if (r->page.limit > r->route->limit_max)
		r->page.limit = r->route->limit_max;
	return RC_OK;
}

static bool has_word(const char *const *words, struct str s)
{
	for (; *words; words++)
		if (str_equal_z(s, *words))
			return true;
	return false;
}

static enum rc fail_words(struct req *r, const struct param *p)
{
	struct str s = STR("");
	for (const char *const *w = p->words; *w; w++)
		s = arena_printf(r->arena, "%s%s%s", s.p, s.n ? ", " : "", *w);
	return req_fail(r, RC_INVALID_PARAMETER, "'%s' must be one of: %s", p->name, s.p);
}

/* One of the words, or a list of them that is not longer than the whole set. */
static bool are_words(const struct param *p, struct str value)
{
	size_t left = 1;
	if (!(p->flags & PARAM_LIST))
		return has_word(p->words, value);
	for (const char *const *w = p->words; *w; w++)
		left++;
	while (value.p)
		if (--left == 0 || !has_word(p->words, str_trim(str_cut(&value, ','))))
			return false;
	return true;
}

static enum rc check_param(struct req *r, const struct param *p)
{
	const struct uri_param *given = uri_find(r->params, p->name);
	if (!given && p->flags & PARAM_REQUIRED)
		return req_fail(r, RC_INVALID_PARAMETER, "this endpoint requires the parameter: %s",
			p->name);
	if (!given)
		return RC_OK;
	struct body *v = bind_query_value(r->arena, p->type, given->value);
	if (!v)
		return req_fail(r, RC_INVALID_PARAMETER, "'%s' must be %s", p->name,
			bind_type_name(p->type));
	if (p->words && !are_words(p, given->value))
		return fail_words(r, p);
	if (p->type == FT_INT && (p->min || p->max) && (v->integer < p->min || v->integer > p->max))
		return req_fail(r, RC_INVALID_PARAMETER, "'%s' must be between %lld and %lld",
			p->name, (long long)p->min, (long long)p->max);
	if (p->type == FT_IDS && p->max && v->count > (size_t)p->max)
		return req_fail(r, RC_INVALID_PARAMETER, "'%s' must have at most %lld ids", p->name,
			(long long)p->max);
	if (p->flags & PARAM_PROJECT)
		r->project_id = v->integer > 0 ? v->integer : -1;
	return RC_OK;
}

void list_check_params(struct req *r)
{
	enum rc rc = RC_OK;
	for (const struct param *p = r->route->params; !rc && p && p->name; p++)
		rc = check_param(r, p);
	if (rc)
		req_refuse(r, rc);
}

void list_check(struct req *r)
{
	enum rc rc = r->route->flags & R_PAGED ? check_page(r) : RC_OK;
	if (rc)
		req_refuse(r, rc);
	list_check_params(r);
}

const struct body *list_value(struct req *r, const char *name)
{
	const struct uri_param *given = uri_find(r->params, name);
	const struct param *p = find_param(r, str_of(name));
	return given && p ? bind_query_value(r->arena, p->type, given->value) : NULL;
}

/* Statements ----------------------------------------------------------------- */

/* What narrows a list: a place in its order, which does not affect the total, or a choice, which
   does; and whether the best plan depends on the choice. */
enum conditions { CONDITION_PLACE = 1, CONDITION_CHOICE = 2, CONDITION_VALUES = 4 };

static void put_items(struct req *r, struct sql *q, const struct param *p, struct str rest)
{
	for (const char *before = "("; rest.p; before = ", ") {
		struct str word = str_trim(str_cut(&rest, ','));
		sql_put(q, before);
		sql_put_with(q, p->place, db_text(r->arena, word));
	}
	sql_put(q, ")");
}

/* Bounds the place by the first and last of all items: an index is read in order, and not from its
   start. */
static void put_bounds(struct req *r, struct sql *q, const struct param *p, struct str items)
{
	sql_put(q, " and ");
	sql_put(q, p->column);
	sql_put(q, " between least");
	put_items(r, q, p, items);
	sql_put(q, " and greatest");
	put_items(r, q, p, items);
}

/* The same condition for each item of a list; for a single item, the same as without a list. */
static void put_condition(struct req *r, struct sql *q, const struct param *p, const struct body *v)
{
	const struct field f = { .name = p->name, .type = p->type };
	struct str rest = p->flags & PARAM_LIST ? v->text : (struct str){ 0 };
	if (!rest.p || !memchr(rest.p, ',', rest.n)) {
		sql_put_with(q, p->where, bind_param(r->arena, &f, v));
		return;
	}
	for (const char *before = "("; rest.p; before = " or ") {
		struct str word = str_trim(str_cut(&rest, ','));
		sql_put(q, before);
		sql_put(q, "(");
		sql_put_with(q, p->where, db_text(r->arena, word));
		sql_put(q, ")");
	}
	sql_put(q, ")");
	if (p->column)
		put_bounds(r, q, p, v->text);
}

static unsigned put_conditions(struct req *r, struct sql *q, unsigned wanted)
{
	unsigned found = 0;
	for (const struct param *p = r->route->params; p && p->name; p++) {
		const struct body *v = list_value(r, p->name);
		unsigned kind = p->flags & PARAM_PLACE ? CONDITION_PLACE : CONDITION_CHOICE;
		if (!v || !p->where || !(kind & wanted))
			continue;
		sql_put(q, " and ");
		put_condition(r, q, p, v);
		found |= kind;
		if (kind == CONDITION_CHOICE && !(p->flags & PARAM_ONE_PLAN))
			found |= CONDITION_VALUES;
	}
	return found;
}

/*
 * Fills a template with the requested conditions, or uses the prepared one if there are none;
 * returns which kinds of conditions there are.
 */
static unsigned send_template(struct req *r, enum stmt stmt, int n, const struct db_param *fixed,
	void (*more)(struct req *, struct sql *), unsigned wanted)
{
	const char *text = stmt_texts[stmt].sql, *at = strstr(text, stmt_mark);
	struct sql q;
	sql_init(&q, r->arena);
	for (int i = 0; i < n; i++)
		sql_reserve(&q, fixed[i]);
	sql_put_part(&q, text, (size_t)(at - text));
	unsigned found = put_conditions(r, &q, wanted);
	if (more)
		found |= CONDITION_CHOICE | CONDITION_VALUES;
	if (!found) {
		buf_free(&q.text);
		db_send(r->db, stmt, n, fixed);
		return found;
	}
	if (more)
		more(r, &q);
	sql_put(&q, at + strlen(stmt_mark));
	q.for_values |= found & CONDITION_VALUES;
	sql_send(&q, r->db);
	return found;
}

static bool has_conditions(const struct req *r)
{
	for (const struct param *p = r->route->params; p && p->name; p++)
		if (p->where && uri_find(r->params, p->name))
			return true;
	return false;
}

static enum stmt statement_of(const struct req *r)
{
	for (const struct param *p = r->route->params; p && p->name; p++) {
		const struct uri_param *given = p->read ? uri_find(r->params, p->name) : NULL;
		if (given && (!p->read_when || str_equal_z(given->value, p->read_when)))
			return p->read;
	}
	return r->route->read;
}

int64_t list_offset(const struct req *r)
{
	static const int64_t most = INT64_C(1) << 62;
	return r->page.offset < most ? r->page.offset : most;
}

/* A count for which each condition has an index of its own. */
static void send_total(struct req *r, struct db_param above)
{
	enum { MOST = 8 };
	struct db_param params[MOST] = { above };
	int n = 1;
	for (const struct param *p = r->route->params; p && p->name && n < MOST; p++) {
		const struct body *v = p->where ? list_value(r, p->name) : NULL;
		const struct field f = { .name = p->name, .type = p->type };
		if (p->where)
			params[n++] = v ? bind_param(r->arena, &f, v) : db_null();
	}
	db_send(r->db, r->route->total, n, params);
}

void list_send(struct req *r, struct list *list, void (*more)(struct req *, struct sql *))
{
	int64_t above = r->n_ids ? r->ids[r->n_ids - 1] : 0;
	const struct db_param params[] = { db_int_or_null(r->arena, above, 0),
		db_int(r->arena, r->page.limit), db_int(r->arena, list_offset(r)) };
	int n = !(r->route->flags & R_PAGED) ? 1 : r->route->flags & R_NO_OFFSET ? 2 : 3;
	unsigned found = 0;
	*list = (struct list){ .stmt = statement_of(r) };
	if (r->route->first && r->page.offset == 0 && !more && !has_conditions(r))
		list->stmt = r->route->brief && select_is_brief(r->selection) ? r->route->brief
									      : r->route->first;
	if (stmt_texts[list->stmt].is_template)
		found = send_template(
			r, list->stmt, n, params, more, CONDITION_PLACE | CONDITION_CHOICE);
	else
		db_send(r->db, list->stmt, n, params);
	bool is_whole = !(found & CONDITION_CHOICE);
	if (!r->route->total || (is_whole && r->route->flags & (R_STORY_TOTAL | R_ACTIVITY_TOTAL)))
		return;
	list->counted = true;
	if (is_whole && r->route->total_all)
		db_send(r->db, r->route->total_all, 1, params);
	else if (!stmt_texts[r->route->total].is_template)
		send_total(r, params[0]);
	else
		send_template(r, r->route->total, 1, params, more, CONDITION_CHOICE);
}

enum rc list_take(struct req *r, struct list *list, struct rows **rows)
{
	struct rows *total;
	enum rc rc = req_next(r, rows);
	if (rc)
		return rc;
	r->page.returned = db_count(*rows);
	r->page.total = r->route->flags & R_ACTIVITY_TOTAL ? r->version - 1 : r->story_total;
	if (!list->counted)
		return RC_OK;
	if ((rc = req_next(r, &total)))
		return rc;
	r->page.total = db_get_int(total, 0, 0);
	return RC_OK;
}
