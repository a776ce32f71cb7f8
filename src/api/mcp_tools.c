#include <string.h>

#include "api/mcp.h"
#include "api/openapi_schema.h"
#include "http/guard.h"
#include "http/list.h"
#include "http/scope.h"
#include "lib/quote.h"

/* Descriptions ---------------------------------------------------------------------- */

static bool only_reads(const struct route *x)
{
	return scope_of(x) == SCOPE_READ;
}

static bool is_whole(const struct tool_argument *a)
{
	return a->target == TOOL_TO_US && !strcmp(a->name, "whole");
}

static void put_argument(
	struct json *j, const struct tool_place *place, const struct tool_argument *a)
{
	if (a->field) {
		openapi_put_field(
			j, a->field, strcmp(place->route->method, "POST") ? F_UPDATE : F_CREATE);
		return;
	}
	json_put_object(j, a->name);
	json_put_z(j, "type",
		is_whole(a)                                     ? "boolean"
			: !a->param || a->param->type == FT_INT ? "integer"
			: a->param->type == FT_BOOL             ? "boolean"
								: "string");
	if (!strcmp(a->name, "limit"))
		json_put_int(j, "maximum",
			a->target == TOOL_TO_US ? MCP_PAGE_MAX : place->route->limit_max);
	if (is_whole(a))
		json_put_z(j, "description", "true: long texts and lists are not shortened.");
	if (a->param && a->param->doc && a->param->type != FT_BOOL)
		json_put_z(j, "description", a->param->doc);
	json_object_end(j);
}

static void put_tool(struct json *j, const struct tool_place *place)
{
	struct tool_argument list[TOOL_ARGUMENTS_MAX];
	int n = tool_arguments(place, list);
	json_object(j);
	json_put_z(j, "name", place->tool->name);
	json_put_z(j, "description", place->tool->doc ? place->tool->doc : place->route->doc);
	json_put_object(j, "inputSchema");
	json_put_z(j, "type", "object");
	json_put_object(j, "properties");
	for (int i = 0; i < n; i++)
		put_argument(j, place, &list[i]);
	json_object_end(j);
	json_put_array(j, "required");
	for (int i = 0; i < n; i++)
		if (list[i].is_needed)
			json_z(j, list[i].name);
	json_array_end(j);
	json_object_end(j);
	json_put_object(j, "annotations");
	json_put_bool(j, "readOnlyHint", only_reads(place->route));
	json_object_end(j);
	json_object_end(j);
}

/* A read-only token is not shown tools that it could not use. */
enum rc mcp_list_tools(struct mcp *m)
{
	struct tool_place place;
	mcp_begin_result(m, 0);
	json_put_array(&m->r->json, "tools");
	for (int i = 0; tool_at(i, &place); i++)
		if (!m->r->named.reads_only || only_reads(place.route))
			put_tool(&m->r->json, &place);
	json_array_end(&m->r->json);
	mcp_end_result(m);
	return RC_OK;
}

/* Requests --------------------------------------------------------------------------- */

struct call {
	struct req *part;
	const struct tool_place *place;
	const struct body *arguments;
	struct tool_argument list[TOOL_ARGUMENTS_MAX];
	int n;
};

static void add_param(struct req *part, struct str name, struct str value)
{
	struct uri_param **last = &part->params, *p = arena_alloc(part->arena, sizeof *p);
	while (*last)
		last = &(*last)->next;
	*p = (struct uri_param){ name, value, NULL };
	*last = p;
}

static const struct tool_argument *find_argument(const struct call *c, struct str name)
{
	for (int i = 0; i < c->n; i++)
		if (str_equal_z(name, c->list[i].name))
			return &c->list[i];
	return NULL;
}

static struct str list_names(const struct call *c)
{
	struct str all = STR("none");
	for (int i = 0; i < c->n; i++)
		all = i ? arena_printf(c->part->arena, "%s, %s", all.p, c->list[i].name)
			: str_of(c->list[i].name);
	return all;
}

/* A value for the query, as text; the route's row of the parameter decides whether it is valid. */
static struct str as_text(struct arena *a, const struct body *value)
{
	return value->type == BODY_TEXT ? value->text : body_text(a, value);
}

static enum rc place_argument(
	struct call *c, const struct tool_argument *a, const struct body *value)
{
	struct req *part = c->part;
	struct body *copy;
	bool may_be_null = a->field && a->field->flags & F_NULL;
	if (value->type == BODY_NULL && a->target != TOOL_TO_PATH && !may_be_null)
		return RC_OK; /* as if it were left out */
	switch (a->target) {
	case TOOL_TO_PATH:
		if (value->type == BODY_INT && value->integer > 0)
			return RC_OK;
		return req_fail(part, RC_INVALID_PARAMETER,
			"'%s' must be an id, a positive integer", a->name);
	case TOOL_TO_US:
		if (is_whole(a) ? value->type == BODY_BOOL
				: value->type == BODY_INT && value->integer >= 0)
			return RC_OK;
		return req_fail(part, RC_INVALID_PARAMETER,
			is_whole(a) ? "'%s' must be true or false"
				    : "'%s' must be an integer value of 0 or more",
			a->name);
	case TOOL_TO_QUERY:
		if (value->type == BODY_ARRAY || value->type == BODY_OBJECT)
			return req_fail(
				part, RC_INVALID_PARAMETER, "'%s' must be a single value", a->name);
		add_param(part, str_of(a->name), as_text(part->arena, value));
		return RC_OK;
	case TOOL_TO_BODY: break;
	}
	copy = arena_alloc(part->arena, sizeof *copy);
	*copy = *value;
	copy->next = NULL;
	body_append(part->body, str_of(a->name), copy);
	return RC_OK;
}

/* The endpoint would list what it could change, by more names than the tool has. */
static enum rc check_changes(const struct call *c)
{
	struct str names = { 0 };
	for (int i = 0; i < c->n; i++)
		if (c->list[i].target == TOOL_TO_BODY)
			names = names.p
				? arena_printf(c->part->arena, "%s, %s", names.p, c->list[i].name)
				: str_of(c->list[i].name);
	if (c->part->body->first || !names.p)
		return RC_OK;
	return req_fail(c->part, RC_INVALID_PARAMETER, "%s needs at least one of: %s",
		c->place->tool->name, names.p);
}

static enum rc place_arguments(struct call *c)
{
	for (const struct body *x = c->arguments->first; x; x = x->next) {
		const struct tool_argument *a = find_argument(c, x->key);
		enum rc rc = a ? place_argument(c, a, x) : RC_INVALID_PARAMETER;
		if (!a)
			req_fail(c->part, rc, "%s has no argument '%s'; its arguments are: %s",
				c->place->tool->name, quote_text(c->part->arena, x->key).p,
				list_names(c).p);
		if (rc)
			return rc;
	}
	for (int i = 0; i < c->n; i++) {
		const struct tool_argument *a = &c->list[i];
		bool is_given = a->target == TOOL_TO_BODY ? mcp_member(c->arguments, a->name)
							  : body_get(c->arguments, a->name);
		if (a->is_needed && !is_given)
			return req_fail(c->part, RC_INVALID_PARAMETER, "%s needs the argument '%s'",
				c->place->tool->name, a->name);
	}
	return check_changes(c);
}

/* Parameters that the tool always sends; an argument of the same name takes precedence. */
static void add_query(struct call *c, int64_t me)
{
	struct str rest = str_of(c->place->tool->query);
	while (rest.p && rest.n) {
		struct str value = str_cut(&rest, '&'), name = str_cut(&value, '=');
		struct str after = value, before = str_cut(&after, '{');
		if (uri_find(c->part->params, arena_str(c->part->arena, name).p))
			continue;
		if (after.p) {
			str_cut(&after, '}');
			value = arena_printf(c->part->arena, "%.*s%lld%.*s", (int)before.n,
				before.p, (long long)me, (int)after.n, after.p);
		}
		add_param(c->part, name, value);
	}
}

static void add_path(struct call *c)
{
	struct str rest = str_of(c->place->route->path + 1);
	int ids = 0;
	while (rest.p) {
		struct str part = str_cut(&rest, '/');
		if (*part.p == ':')
			part = as_text(c->part->arena, body_get(c->arguments, c->list[ids++].name));
		c->part->segments[c->part->n_segments++] = part;
	}
}

/* Runs it as a worker runs a request; the gate of this one has already admitted the caller. */
static enum rc run_part(struct req *part)
{
	enum rc rc = route_find(part);
	if (rc)
		return rc;
	guard_database(part);
	list_check_query(part);
	part->json.limit = REQ_ANSWER_MAX;
	rc = part->route->act(part);
	return rc ? rc : req_check_size(part);
}

static struct req *new_part(struct req *r, const struct route *route)
{
	struct req *part = arena_alloc(r->arena, sizeof *part);
	*part = req_part(r, str_of(route->method));
	part->idempotency_key = r->idempotency_key;
	return part;
}

/* Failures that other arguments could not avoid fail the whole request. */
static bool is_over(const struct req *part, enum rc rc)
{
	return rc == RC_INVALID_AUTHENTICATION || rc == RC_UNAVAILABLE ||
		rc == RC_UNHANDLED_CONDITION || guard_is_over(part);
}

static int64_t number_of(const struct body *arguments, const char *name, int64_t otherwise)
{
	const struct body *given = mcp_member(arguments, name);
	return given ? given->integer : otherwise;
}

/* One page of a list that its row gives whole. */
static struct str cut_page(struct req *part, int64_t offset, int64_t limit)
{
	struct str list = buf_str(part->out), object;
	size_t at = 0, from = 0, to = 0;
	int64_t n = 0;
	for (; json_next(list, &at, &object); n++) {
		if (n == offset)
			from = to = (size_t)(object.p - list.p);
		if (n >= offset && n - offset < limit)
			to = at;
	}
	int64_t left = offset < n ? n - offset : 0;
	part->page = (struct req_page){
		.on = true, .offset = offset, .total = n, .returned = left < limit ? left : limit
	};
	return arena_printf(part->arena, "[%.*s]", (int)(to - from), list.p + from);
}

static enum rc read_answer(
	struct req *part, const struct body *arguments, const struct body **value)
{
	const char *problem;
	int64_t limit = number_of(arguments, "limit", MCP_PAGE);
	bool is_list = part->out->n && *part->out->p == '[';
	struct str text = is_list && !part->page.on
		? cut_page(part, number_of(arguments, "offset", 0),
			  limit < MCP_PAGE_MAX ? limit : MCP_PAGE_MAX)
		: arena_str(part->arena, buf_str(part->out));
	*value = body_parse(part->arena, text, &problem);
	return *value ? RC_OK
		      : req_fail(part, RC_INVALID_PARAMETER,
				"The answer is too large: request less, with a lower 'limit'.");
}

enum rc mcp_run(struct mcp *m, const struct tool_place *place, const struct body *arguments,
	struct mcp_outcome *outcome)
{
	struct req *r = m->r, *part = new_part(r, place->route);
	struct call c = { .part = part, .place = place, .arguments = arguments };
	c.n = tool_arguments(place, c.list);
	*outcome = (struct mcp_outcome){ .part = part };
	enum rc rc = place_arguments(&c);
	if (!rc) {
		add_query(&c, r->person_id);
		add_path(&c);
		if (part->body->first)
			part->body_text = body_text(part->arena, part->body);
		r->has_written = !only_reads(place->route);
		rc = run_part(part);
		r->is_view = part->is_view;
		r->project_id = part->project_id;
	}
	if (rc && is_over(part, rc)) {
		r->error = part->error;
		return rc;
	}
	if (!rc)
		rc = read_answer(part, arguments, &outcome->value);
	outcome->rc = rc;
	r->out->n = 0;
	db_end(r->db);
	return RC_OK;
}

/* Calls ------------------------------------------------------------------------------- */

enum rc mcp_call_tool(struct mcp *m)
{
	const struct body *name = body_get(m->params, "name");
	const struct body *arguments = mcp_member(m->params, "arguments");
	struct json *j = &m->r->json;
	struct tool_place place;
	struct mcp_outcome outcome;
	if (!arguments)
		arguments = body_new_object(m->r->arena);
	if (!name || name->type != BODY_TEXT || !tool_find(name->text, &place))
		return mcp_fail(m, MCP_INVALID_PARAMS, "there is no such tool: see tools/list");
	if (arguments->type != BODY_OBJECT)
		return mcp_fail(m, MCP_INVALID_PARAMS, "'arguments' must be an object");
	const struct body *whole = body_get(arguments, "whole");
	enum rc rc = mcp_run(m, &place, arguments, &outcome);
	if (rc)
		return rc;
	mcp_begin_result(m, -1);
	json_put_array(j, "content");
	json_object(j);
	json_put_z(j, "type", "text");
	json_key(j, "text");
	json_str(j,
		outcome.rc ? mcp_answer_error(&outcome)
			   : mcp_answer(&outcome, place.tool->cuts && !(whole && whole->boolean)));
	json_object_end(j);
	json_array_end(j);
	if (outcome.rc)
		json_put_bool(j, "isError", true);
	mcp_end_result(m);
	return RC_OK;
}
