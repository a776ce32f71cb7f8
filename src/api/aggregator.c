/* POST /aggregator: many GETs in one request (contract 1.9). */
#include <string.h>

#include "api/gate.h"
#include "api/routes.h"
#include "http/envelope.h"
#include "http/guard.h"
#include "http/list.h"

enum { PARTS_MAX = 15 };

static void check_paths(struct req *r)
{
	const struct body *x = r->body->type == BODY_ARRAY ? r->body->first : NULL;
	if (r->refused)
		return;
	if (r->body->type != BODY_ARRAY || r->body->count == 0 || r->body->count > PARTS_MAX)
		req_refuse(r,
			req_fail(r, RC_INVALID_PARAMETER,
				"the body must be an array of 1 to %d paths", PARTS_MAX));
	for (; x; x = x->next)
		if (x->type != BODY_TEXT)
			req_refuse(r,
				req_fail(r, RC_INVALID_PARAMETER,
					"the body must be an array of paths such as "
					"\"/services/v5/projects\""));
}

/* Splits "/services/v5/projects/1?fields=name" into the parts of a separate request. */
static enum rc take_path(struct req *part, struct str text)
{
	struct str segments[REQ_SEGMENTS_MAX], bad, query = text;
	struct str path = str_cut(&query, '?');
	int n = uri_split_path(path, segments, REQ_SEGMENTS_MAX);
	if (n < 3 || !str_equal_z(segments[0], "services"))
		return RC_ROUTE_NOT_FOUND;
	if (!str_equal_z(segments[1], "v5") && !str_equal_z(segments[1], "edge") &&
		!str_equal_z(segments[1], "next"))
		return RC_ROUTE_NOT_FOUND;
	part->n_segments = n - 2;
	memcpy(part->segments, segments + 2, (size_t)part->n_segments * sizeof *segments);
	if (!uri_parse_query(part->arena, query, &part->params, &bad))
		return req_fail(
			part, RC_INVALID_PARAMETER, "the query is not valid percent-encoded UTF-8");
	envelope_take(part);
	return route_find(part);
}

static enum rc answer_part(struct req *part, struct str path)
{
	enum rc rc = take_path(part, path);
	if (rc)
		return rc;
	list_check_query(part);
	if (part->route->flags & R_NOT_IN_PARTS)
		return RC_ROUTE_NOT_FOUND;
	return part->route->act(part);
}

/* One GET, authorised as if it were sent alone; if it fails, its error object takes the place of
   its answer. */
static enum rc write_part(struct req *r, struct str path)
{
	struct req part = req_part(r, STR("GET"));
	json_key_str(&r->json, path);
	part.json = r->json;
	size_t start = r->out->n;
	enum rc rc = answer_part(&part, path);
	if (rc) {
		r->out->n = start;
		part.json = r->json;
		req_write_error(&part, rc);
	}
	if (part.envelope)
		envelope_wrap(&part, start);
	r->json = part.json;
	db_end(r->db);
	return rc;
}

/* A repeated path: the answer has one member for both. */
static bool is_repeated(const struct body *paths, const struct body *path)
{
	for (const struct body *x = paths->first; x != path; x = x->next)
		if (str_equal(x->text, path->text))
			return true;
	return false;
}

static enum rc aggregate(struct req *r)
{
	check_paths(r);
	enum rc rc = gate_pass_alone(r);
	if (rc)
		return rc;
	json_object(&r->json);
	for (const struct body *x = r->body->first; x; x = x->next) {
		/* The gate accepted the token: since then it has changed, or the secret has. */
		if (!is_repeated(r->body, x) && write_part(r, x->text) == RC_INVALID_AUTHENTICATION)
			return RC_INVALID_AUTHENTICATION;
		if (guard_is_over(r))
			return RC_UNAVAILABLE;
	}
	json_object_end(&r->json);
	return RC_OK;
}

const struct route aggregator_routes[] = {
	{ "POST", "/aggregator", NEED_PERSON, aggregate, NULL,
		.flags = R_ARRAY_BODY | R_QUIET | R_NOT_IN_PARTS | R_READS,
		.example = "[\"/services/v5/me\",\"/services/v5/projects/99/labels\"]",
		.scope = SCOPE_READ,
		.doc = "Several GETs in one request: an array of paths; the answer is an object." },
	{ 0 },
};
