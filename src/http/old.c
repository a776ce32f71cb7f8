#include "http/old.h"

#include <openssl/evp.h>
#include <string.h>

#include "http/http.h"
#include "http/list.h"
#include "http/route.h"
#include "lib/brackets.h"
#include "lib/when.h"
#include "lib/xml_read.h"
#include "old/old_event.h"
#include "old/old_path.h"
#include "old/old_time.h"
#include "old/old_wish.h"

int old_version_of(const char *setting, struct str name)
{
	struct str rest = str_of(setting);
	while (rest.p)
		if (str_equal(str_cut(&rest, ' '), name))
			return str_equal_z(name, "v3") ? OLD_V3 : OLD_V4;
	return 0;
}

/* The row --------------------------------------------------------------------- */

enum { CREDENTIALS_MAX = 16 * 1024, FORM_PARAMS = 1000 };

/* A byte order mark may come first: some clients write one. */
static bool is_xml(const struct req *r)
{
	static const char *const marks[] = { "<", "\xef\xbb\xbf", "\xff\xfe", "\xfe\xff" };
	struct str text = str_trim(r->body_text);
	for (size_t i = 0; i < sizeof marks / sizeof *marks; i++)
		if (text.n >= strlen(marks[i]) && !memcmp(text.p, marks[i], strlen(marks[i])))
			return true;
	return false;
}

/* The parameters of a form, among which credentials may be; null: the body is none. */
static const struct uri_param *read_form(struct req *r)
{
	struct uri_param *params;
	struct str bad;
	return r->body_text.n > 0 && !is_xml(r) &&
			uri_parse_form(r->arena, r->body_text, FORM_PARAMS, &params, &bad)
		? params
		: NULL;
}

static struct str find_value(struct req *r, const struct uri_param *form, const char *name)
{
	const struct uri_param *p = uri_find(form, name);
	p = p ? p : uri_find(r->params, name);
	return p ? p->value : (struct str){ 0 };
}

/* Moves a name and password from the parameters to the header, where they are checked. */
static enum rc take_credentials(struct req *r, const struct uri_param *form)
{
	struct str login = find_value(r, form, "username"), token = find_value(r, form, "token");
	struct str password = find_value(r, form, "password");
	if (token.n && r->token.p && !str_equal(token, r->token))
		return req_fail(r, RC_INVALID_PARAMETER,
			"the request contains two different tokens: send only one");
	if (token.n)
		r->token = token;
	if (r->old.path->act != OLD_SIGNS_IN || !login.p || !password.p ||
		login.n + password.n > CREDENTIALS_MAX)
		return RC_OK;
	/* A client that also has a token means these. */
	r->token = (struct str){ 0 };
	struct str pair = arena_printf(r->arena, "%s:%s", login.p, password.p);
	char *code = arena_alloc(r->arena, pair.n * 2 + 8);
	EVP_EncodeBlock((unsigned char *)code, (const unsigned char *)pair.p, (int)pair.n);
	r->authorization = arena_printf(r->arena, "Basic %s", code);
	return RC_OK;
}

/* Only activities about what these versions know. */
static const struct param told = { "told", FT_STRING,
	.where = "a.story_ids <> '{}' and a.kind = any (string_to_array(%s, ','))",
	.flags = PARAM_ONE_PLAN, .doc = "Kinds of activities." };

static const struct param *add_told(struct arena *a, const struct param *params)
{
	size_t n = 0;
	while (params[n].name)
		n++;
	struct param *more = arena_array(a, n + 2, sizeof *more);
	memcpy(more, params, n * sizeof *more);
	more[n] = told;
	return more;
}

/* Version 5's row with the limits of this one. */
static const struct route *adapt(struct req *r)
{
	const struct old_path *p = r->old.path;
	struct route *route = arena_alloc(r->arena, sizeof *route);
	*route = *r->route;
	if (p->limit) {
		route->limit = p->limit;
		route->limit_max = p->limit_max;
	}
	if (p->act == OLD_TELLS)
		route->params = add_told(r->arena, route->params);
	return route;
}

enum rc old_find(struct req *r)
{
	struct str allowed, turned[OLD_SEGMENTS_MAX];
	const struct uri_param *form = read_form(r);
	/* Only POST has a form that names a method, as Rails had it. */
	enum rc rc = str_equal_z(r->method, "POST") ? http_take_method(r, r->method, form) : RC_OK;
	if (rc)
		return rc;
	const struct old_path *p = old_path_find(r->arena, (enum old_version)r->old.version,
		r->method, r->segments, r->n_segments, &allowed);
	r->envelope = false;
	if (!p) {
		r->allow = allowed;
		return allowed.p ? RC_METHOD_NOT_ALLOWED : RC_ROUTE_NOT_FOUND;
	}
	r->old.path = p;
	memcpy(r->old.segments, r->segments, sizeof r->segments);
	if ((rc = take_credentials(r, form)))
		return rc;
	r->n_segments = old_path_turn(p, r->segments, turned);
	memcpy(r->segments, turned, (size_t)r->n_segments * sizeof *turned);
	r->method = str_of(p->v5_method);
	if (p->act == OLD_ATTACHES)
		r->upload_part = "Filedata";
	rc = route_find(r);
	if (!rc)
		r->route = adapt(r);
	return rc;
}

/* The query -------------------------------------------------------------------- */

struct params {
	struct arena *arena;
	struct uri_param *first, **end;
};

static void add(struct params *to, const char *name, struct str value)
{
	struct uri_param *p = arena_alloc(to->arena, sizeof *p);
	*p = (struct uri_param){ str_of(name), value, NULL };
	*to->end = p;
	to->end = &p->next;
}

/* Version 5 leaves out what happened at exactly that time. */
static struct str since(struct arena *a, int64_t us)
{
	static const int64_t first = INT64_C(-62135596800000000); /* of the year 0001 */
	struct buf b = { 0 };
	when_put_exact(&b, us == first ? us : us - 1);
	struct str exact = arena_str(a, buf_str(&b));
	buf_free(&b);
	return exact;
}

static bool read_time(struct str given, int64_t *us)
{
	int64_t ms;
	return str_to_int(given, &ms) ? when_of_millis(ms, us) : old_time_read(given, us);
}

/* The value for version 5; errors use the name that the caller used. */
static struct str value_of(struct req *r, const struct old_param *x, struct str given)
{
	static const char *const scopes[] = { "done", "current", "backlog", "current_backlog" };
	int64_t n;
	if (x->form == OLD_TIME && read_time(given, &n))
		return since(r->arena, n);
	if (x->form == OLD_INT && str_to_int(given, &n))
		return given;
	for (int i = 0; i < 4; i++)
		if (str_equal_z(given, scopes[i]))
			return given;
	if (x->form == OLD_TEXT && strcmp(x->v5, "scope") != 0)
		return given;
	req_refuse(r,
		req_fail(r, RC_INVALID_PARAMETER, "'%s' must be %s", x->name,
			x->form == OLD_TIME ? "a time, such as 2013/05/07 12:00:00 UTC"
				: x->form == OLD_INT
				? "an integer value"
				: "one of: done, current, backlog, current_backlog"));
	return given;
}

static void take_params(struct req *r)
{
	const struct old_path *p = r->old.path;
	struct params to = { .arena = r->arena };
	to.end = &to.first;
	for (const struct old_param *x = p->params; x && x->name && !r->refused; x++) {
		const struct uri_param *given = uri_find(r->params, x->name);
		struct str value =
			given && given->value.n ? value_of(r, x, given->value) : (struct str){ 0 };
		if (value.n && !r->refused)
			add(&to, x->v5, value);
	}
	if (p->scope)
		add(&to, "scope", str_of(p->scope));
	if (p->act == OLD_TELLS)
		add(&to, told.name, old_event_kinds(r->arena));
	else if (p->answer && p->act != OLD_ATTACHES)
		add(&to, "fields",
			old_fields(r->arena, p->answer, (enum old_version)r->old.version));
	add(&to, "date_format", STR("millis"));
	r->params = to.first;
}

/* The body ---------------------------------------------------------------------- */

static enum rc fail_body(struct req *r, const char *problem)
{
	r->error = (struct req_error){ .general_problem = str_of(problem),
		.error = STR("The body cannot be parsed.") };
	return RC_COULD_NOT_PARSE_BODY;
}

/* The two sources of fields: the body, and the brackets in the query. */
static void read_sources(struct req *r, struct body *sources[2])
{
	struct str text = str_trim(r->body_text);
	bool is_json = text.n > 0 && *text.p == '{'; /* read as a form, it would have no fields */
	const char *problem = NULL;
	struct uri_param *form = NULL;
	struct str bad;
	sources[0] = sources[1] = NULL;
	/* Without the space before a declaration, where XML allows none; behind it, UTF-16 has more. */
	struct str xml = { text.p, (size_t)(r->body_text.p + r->body_text.n - text.p) };
	if (is_xml(r))
		sources[0] = xml_read(r->arena, xml, &problem);
	else if (is_json || !uri_parse_form(r->arena, r->body_text, FORM_PARAMS, &form, &bad))
		problem = "it is neither XML nor a form";
	else
		sources[0] = brackets_read(r->arena, form, &problem);
	if (problem)
		req_refuse(r, fail_body(r, problem));
	if (!problem)
		sources[1] = brackets_read(r->arena, r->old.query, &problem);
	if (problem && !r->refused)
		req_refuse(r, req_fail(r, RC_INVALID_PARAMETER, "%s", problem));
}

/* Whether version 5 would list the parameters that there are, by its own names. */
static bool says_nothing(const struct req *r, const struct old_wish *w)
{
	const struct old_path *p = r->old.path;
	bool has_none_required = p->body == &old_note || p->body == &old_comment;
	return !w->body->first && !w->n_names && (has_none_required || !strcmp(p->method, "PUT"));
}

static void refuse_nothing(struct req *r, const struct old_wish *w)
{
	struct str names = { 0 };
	for (const struct old_field *f = r->old.path->body->fields; f->name; f++)
		if (f->flags & OLD_WRITTEN && old_has(f, w->version))
			names = names.p ? arena_printf(r->arena, "%s, %s", names.p, f->name)
					: str_of(f->name);
	req_refuse(r,
		req_fail(r, RC_INVALID_PARAMETER,
			"this endpoint requires at least one of the following parameters: %s",
			names.p));
}

static void refuse_problem(struct req *r, const struct old_wish *w)
{
	if (w->problem)
		req_refuse(r, req_fail(r, RC_INVALID_PARAMETER, "%s", w->problem));
	else if (w->unknown.p)
		req_refuse(r,
			req_fail(r, RC_INVALID_PARAMETER,
				"this endpoint cannot accept the parameter: %.*s",
				(int)w->unknown.n, w->unknown.p));
	else if (says_nothing(r, w))
		refuse_nothing(r, w);
}

static void take_kind(struct req *r, struct body *const sources[2])
{
	const struct old_kind *kind = r->old.path->body;
	struct old_wish *w = arena_alloc(r->arena, sizeof *w);
	*w = (struct old_wish){
		.arena = r->arena, .version = (enum old_version)r->old.version, .body = r->body
	};
	for (int i = 0; i < 2; i++) {
		const struct body *given = body_get(sources[i], kind->name);
		if (given)
			old_wish_read(w, kind, given);
		else if (i == 0 && is_xml(r))
			w->problem =
				arena_printf(r->arena, "the body must be an element %s", kind->name)
					.p;
	}
	r->old.wish = w;
	refuse_problem(r, w);
	if (r->old.path->nests) {
		r->body = body_new_object(r->arena);
		body_append(r->body, str_of(kind->name), w->body);
	}
}

/* move[move] and move[target]: the neighbour, on one side or the other. */
static void take_move(struct req *r, struct body *const sources[2])
{
	struct str move = STR(""), target = STR("");
	int64_t id;
	for (int i = 1; i >= 0; i--) {
		const struct body *given = body_get(sources[i], "move");
		struct str a = str_trim(old_text(body_get(given, "move"))),
			   b = str_trim(old_text(body_get(given, "target")));
		move = a.n ? a : move;
		target = b.n ? b : target;
	}
	bool is_before = str_equal_z(move, "before");
	if (!is_before && !str_equal_z(move, "after"))
		req_refuse(r,
			req_fail(r, RC_INVALID_PARAMETER, "'move[move]' must be before or after"));
	else if (!str_to_int(target, &id))
		req_refuse(r,
			req_fail(r, RC_INVALID_PARAMETER, "'move[target]' must be a story's id"));
	else
		body_append(r->body, is_before ? STR("before_id") : STR("after_id"),
			body_new_int(r->arena, id));
}

void old_take(struct req *r)
{
	const struct old_path *p = r->old.path;
	struct body *sources[2];
	r->old.query = r->params;
	take_params(r);
	list_check_query(r);
	r->body = body_new_object(r->arena);
	r->is_form = true;
	if (r->refused || (!p->body && p->act != OLD_MOVES))
		return;
	read_sources(r, sources);
	if (r->refused)
		return;
	if (p->act == OLD_MOVES)
		take_move(r, sources);
	else
		take_kind(r, sources);
}
