/* Answers of the retired versions: what version 5 wrote, object by object. */
#include <string.h>

#include "http/old.h"
#include "old/old_event.h"
#include "old/old_path.h"

/* Errors ------------------------------------------------------------------------ */

/* These versions distinguish callers who are not known from those without the right. */
static int status_of(const struct req *r, struct str code)
{
	bool is_nobody = !r->token.p && !r->login_id && !r->person_id;
	if (str_equal_z(code, "invalid_authentication"))
		return 401;
	if (str_equal_z(code, "unauthorized_operation") && is_nobody)
		return 401;
	return str_equal_z(code, "invalid_parameter") ? 422 : r->status;
}

static void put_errors(struct xml *x, const struct body *error)
{
	const struct body *problems = body_get(error, "validation_errors");
	struct str general = old_text(body_get(error, "general_problem"));
	struct str requirement = old_text(body_get(error, "requirement"));
	struct str fix = old_text(body_get(error, "possible_fix"));
	const struct body *p = problems ? problems->first : NULL;
	xml_begin(x, "errors", NULL);
	for (; p; p = p->next)
		xml_put(x, "error", NULL, old_text(body_get(p, "problem")));
	if (general.n && !problems)
		xml_put(x, "error", NULL, general);
	if (requirement.n)
		xml_put(x, "error", NULL, requirement);
	if (!problems && !general.n && !requirement.n)
		xml_put(x, "error", NULL, old_text(body_get(error, "error")));
	if (fix.n)
		xml_put(x, "possible_fix", NULL, fix);
	xml_end(x, "errors");
}

static void write_error(struct req *r, struct old_render *to, struct str text)
{
	const struct body *error = body_parse_own(r->arena, text);
	r->status = status_of(r, old_text(body_get(error, "code")));
	put_errors(&to->xml, error);
}

/* Objects ----------------------------------------------------------------------- */

static void write_object(struct req *r, struct old_render *to, struct str text)
{
	static const struct old_names none = { 0 };
	const struct old_path *p = r->old.path;
	const struct body *object = body_parse_own(to->arena, text);
	if (p->act == OLD_TELLS)
		old_render_event(to, object, r->old.names ? r->old.names : &none);
	else
		old_render_object(to, p->answer, object);
}

/* A list without pages is whole. */
static struct req_page page_of(const struct req *r, struct str list)
{
	struct str object;
	int64_t n = 0;
	if (r->page.on)
		return r->page;
	for (size_t at = 0; json_next(list, &at, &object);)
		n++;
	return (struct req_page){ .limit = n, .total = n, .returned = n };
}

static const char *list_attributes(const struct req *r, struct str list, char *to, size_t size)
{
	if (strcmp(r->old.path->answer->name, "story") != 0)
		return "type=\"array\"";
	struct req_page page = page_of(r, list);
	return str_print(to, size, "type=\"array\" count=\"%lld\" limit=\"%lld\" total=\"%lld\"",
		(long long)page.returned, (long long)page.limit, (long long)page.total)
		.p;
}

/* Reads each object by itself, so that a long list takes no more memory than its largest object. */
static void write_list(struct req *r, struct old_render *to, struct str list)
{
	const char *name = r->old.path->answer->plural;
	char attributes[128];
	struct str object;
	xml_begin(&to->xml, name, list_attributes(r, list, attributes, sizeof attributes));
	for (size_t at = 0; !xml_is_full(&to->xml) && json_next(list, &at, &object);) {
		write_object(r, to, object);
		arena_reset(to->arena);
	}
	xml_end(&to->xml, name);
}

static void write_message(const struct req *r, struct old_render *to)
{
	const struct old_path *p = r->old.path;
	const char *noun = strstr(p->path, "memberships") ? "membership"
		: strstr(p->path, "notes")                ? "note"
		: strstr(p->path, "comments")             ? "comment"
		: strstr(p->path, "tasks")                ? "task"
							  : "story";
	char text[80];
	xml_put(&to->xml, "message", NULL,
		str_print(text, sizeof text, "The %s %lld was successfully deleted.", noun,
			(long long)(r->n_ids ? r->ids[r->n_ids - 1] : 0)));
}

/* Characters that XML escapes take up to six times the space. */
static void write_too_large(struct req *r, struct old_render *to)
{
	enum { MIB = 1024 * 1024 };
	to->xml.out->n = 0;
	xml_init(&to->xml, to->xml.out);
	r->status = 422;
	xml_begin(&to->xml, "errors", NULL);
	xml_put(&to->xml, "error", NULL,
		arena_printf(r->arena,
			"the answer would be larger than %d MB: request a smaller page",
			REQ_ANSWER_MAX / MIB));
	xml_end(&to->xml, "errors");
}

void old_write(struct req *r)
{
	struct arena own = { 0 };
	struct buf out = { 0 };
	struct old_render to = { .arena = &own,
		.version = (enum old_version)r->old.version,
		.base_url = r->conf->base_url };
	struct str text = buf_str(r->out);
	xml_init(&to.xml, &out);
	to.xml.limit = REQ_ANSWER_MAX;
	if (r->status >= 400)
		write_error(r, &to, text);
	else if (r->status == 204 || !r->old.path || !r->old.path->answer)
		write_message(r, &to);
	else if (r->old.path->is_list)
		write_list(r, &to, text);
	else
		write_object(r, &to, text);
	if (xml_is_full(&to.xml))
		write_too_large(r, &to);
	if (r->status == 204)
		r->status = 200;
	buf_free(r->out);
	*r->out = out;
	arena_free(&own);
}
