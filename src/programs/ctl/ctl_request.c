/* planwrightctl: the service's own requests, made here instead of over HTTP. */
#include <string.h>

#include "http/list.h"
#include "http/route.h"
#include "programs/ctl/ctl.h"

void ctl_requests_begin(struct ctl *c)
{
	struct str problem;

	if (ctl_schema_pending(c, &problem) != 0 || !ctl_schema_is_fresh(c))
		ctl_fail(c, "%s: the schema belongs to another version: run planwrightctl migrate",
			c->command);
	db_free(c->db);
	c->db = db_new(&c->conf, true);
	ctl_connect(c);
	if (db_script(c->db,
		    "begin; set local statement_timeout = 0; "
		    "set local synchronous_commit = on"))
		ctl_fail_db(c);
}

void ctl_requests_commit(struct ctl *c)
{
	ctl_commit(c);
	if (db_script(c->db, "commit"))
		ctl_fail_db(c);
}

static enum rc act(struct req *r, const struct ctl_request *request)
{
	const char *problem;
	struct str bad;
	r->n_segments = uri_split_path(request->path, r->segments, REQ_SEGMENTS_MAX);
	uri_parse_query(r->arena, str_of(request->query), &r->params, &bad);
	enum rc rc = route_find(r);
	if (rc)
		return rc;
	list_check_query(r);
	r->body = body_parse(r->arena, request->body, &problem);
	return r->body ? r->route->act(r) : RC_COULD_NOT_PARSE_BODY;
}

struct str ctl_request(
	struct ctl *c, const struct ctl_request *request, struct arena *a, struct buf *out)
{
	struct str path = request->path;
	struct req r = { .arena = a,
		.conf = &c->conf,
		.crypt = &c->crypt,
		.db = c->db,
		.method = str_of(request->method),
		.login_id = request->person,
		.means = ctl_means(c),
		.id = ctl_id(c),
		.at = c->at,
		.out = out,
		.status = 200 };

	arena_reset(a);
	buf_reset(out);
	json_init(&r.json, out);
	enum rc rc = act(&r, request);
	if (rc) {
		buf_reset(out);
		json_init(&r.json, out);
		req_write_error(&r, rc);
		struct str answer = buf_str(out);
		ctl_fail(c, "%s: %s %.*s got the answer %d: %.*s", c->command, request->method,
			(int)path.n, path.p, r.status, (int)answer.n, answer.p);
	}
	db_end(c->db);
	return buf_str(out);
}
