#include "api/mcp.h"

/* Addresses ---------------------------------------------------------------------------- */

static struct str cut_literal(struct str *template)
{
	return str_cut(template, '{');
}

/* The arguments of an address: what it has where the template has names in braces; null: it does
   not match. */
static struct body *match(struct arena *a, const char *template, struct str uri)
{
	struct body *arguments = body_new_object(a);
	struct str rest = str_of(template);
	for (;;) {
		struct str literal = cut_literal(&rest);
		if (uri.n < literal.n || !str_equal((struct str){ uri.p, literal.n }, literal))
			return NULL;
		uri = (struct str){ uri.p + literal.n, uri.n - literal.n };
		if (!rest.p)
			return uri.n ? NULL : arguments;
		struct str name = str_cut(&rest, '}');
		struct str digits = { uri.p, 0 };
		int64_t id;
		while (digits.n < uri.n && uri.p[digits.n] >= '0' && uri.p[digits.n] <= '9')
			digits.n++;
		if (!str_to_int(digits, &id))
			return NULL;
		body_append(arguments, name, body_new_int(a, id));
		uri = (struct str){ uri.p + digits.n, uri.n - digits.n };
	}
}

static void put_about(struct json *j, const char *name, const char *title)
{
	json_put_z(j, "name", name);
	json_put_z(j, "title", title);
	json_put_z(j, "mimeType", "text/plain");
}

enum rc mcp_list_templates(struct mcp *m)
{
	struct json *j = &m->r->json;
	struct tool_place place;
	mcp_begin_result(m, 0);
	json_put_array(j, "resourceTemplates");
	for (int i = 0; tool_at(i, &place); i++) {
		if (!place.tool->uri)
			continue;
		json_object(j);
		json_put_z(j, "uriTemplate", place.tool->uri);
		put_about(j, place.tool->name, place.tool->title);
		json_object_end(j);
	}
	json_array_end(j);
	mcp_end_result(m);
	return RC_OK;
}

/* Lists -------------------------------------------------------------------------------- */

/* "planwright://project/{project_id}/…" with the project's id; absent: it needs some other
   argument. */
static struct str address_of(struct arena *a, const char *template, int64_t project)
{
	struct str rest = str_of(template), head = cut_literal(&rest), name = str_cut(&rest, '}');
	if (!str_equal_z(name, "project_id"))
		return (struct str){ 0 };
	return arena_printf(a, "%.*s%lld%.*s", (int)head.n, head.p, (long long)project, (int)rest.n,
		rest.p ? rest.p : "");
}

static void put_resources_of(struct mcp *m, const struct body *project)
{
	struct json *j = &m->r->json;
	const struct body *id = body_get(project, "id"), *name = body_get(project, "name");
	struct tool_place place;
	for (int i = 0; tool_at(i, &place); i++) {
		if (!place.tool->uri)
			continue;
		struct str uri = address_of(m->r->arena, place.tool->uri, id->integer);
		if (!uri.p)
			continue;
		json_object(j);
		json_key(j, "uri");
		json_str(j, uri);
		put_about(j, arena_printf(m->r->arena, "%s: %s", name->text.p, place.tool->title).p,
			place.tool->title);
		json_object_end(j);
	}
}

/* The list's cursor is how many projects were told. */
static bool take_cursor(const struct mcp *m, int64_t *told)
{
	const struct body *cursor = mcp_member(m->params, "cursor");
	*told = 0;
	return !cursor ||
		(cursor->type == BODY_TEXT && str_to_int(cursor->text, told) && *told >= 0);
}

static enum rc answer_resources(struct mcp *m, const struct mcp_outcome *outcome)
{
	struct json *j = &m->r->json;
	const struct req_page *page = &outcome->part->page;
	int64_t told = page->offset + page->returned;
	mcp_begin_result(m, 0);
	json_put_array(j, "resources");
	for (const struct body *x = outcome->value->first; x; x = x->next)
		put_resources_of(m, x);
	json_array_end(j);
	if (page->returned && told < page->total)
		json_put_z(j, "nextCursor", arena_printf(m->r->arena, "%lld", (long long)told).p);
	mcp_end_result(m);
	return RC_OK;
}

/* What belongs to a project, for each project of the caller; there are too many stories to list. */
enum rc mcp_list_resources(struct mcp *m)
{
	struct tool_place projects;
	struct mcp_outcome outcome = { .rc = RC_OK };
	struct body *arguments = body_new_object(m->r->arena);
	int64_t told;
	if (!tool_find(STR("list_projects"), &projects))
		return RC_UNHANDLED_CONDITION;
	struct tool names = *projects.tool;
	names.query = "fields=id,name";
	projects.tool = &names;
	if (!take_cursor(m, &told))
		return mcp_fail(m, MCP_INVALID_PARAMS, "there is no such cursor");
	body_append(arguments, STR("offset"), body_new_int(m->r->arena, told));
	body_append(arguments, STR("limit"), body_new_int(m->r->arena, MCP_PAGE_MAX));
	enum rc rc = mcp_run(m, &projects, arguments, &outcome);
	if (rc)
		return rc;
	return outcome.rc ? mcp_fail(m, MCP_INVALID_PARAMS, "%s", mcp_answer_error(&outcome).p)
			  : answer_resources(m, &outcome);
}

/* Reading ---------------------------------------------------------------------------------- */

static enum rc find_none(struct mcp *m, struct str why)
{
	return mcp_fail(m, m->is_modern ? MCP_INVALID_PARAMS : MCP_RESOURCE_NOT_FOUND, "%s", why.p);
}

static enum rc answer_resource(struct mcp *m, struct str uri, struct str text)
{
	struct json *j = &m->r->json;
	mcp_begin_result(m, 0);
	json_put_array(j, "contents");
	json_object(j);
	json_key(j, "uri");
	json_str(j, uri);
	json_put_z(j, "mimeType", "text/plain");
	json_key(j, "text");
	json_str(j, text);
	json_object_end(j);
	json_array_end(j);
	mcp_end_result(m);
	return RC_OK;
}

enum rc mcp_read_resource(struct mcp *m)
{
	const struct body *uri = body_get(m->params, "uri"), *arguments = NULL;
	struct tool_place place;
	struct mcp_outcome outcome;
	if (!uri || uri->type != BODY_TEXT)
		return mcp_fail(m, MCP_INVALID_PARAMS, "resources/read needs a 'uri'");
	for (int i = 0; !arguments && tool_at(i, &place); i++)
		if (place.tool->uri)
			arguments = match(m->r->arena, place.tool->uri, uri->text);
	if (!arguments)
		return find_none(m,
			STR("there is no such resource: see resources/list and resources/templates/list"));
	enum rc rc = mcp_run(m, &place, arguments, &outcome);
	if (rc)
		return rc;
	if (outcome.rc)
		return find_none(m, mcp_answer_error(&outcome));
	return answer_resource(m, uri->text, mcp_answer(&outcome, place.tool->cuts));
}
