#include "api/mcp.h"

#include "api/gate.h"
#include "api/routes.h"
#include "http/scope.h"

/* Only tokens are accepted, and activities name them: cookies and passwords are not for
   assistants. */
static enum rc pass_gate(struct req *r)
{
	struct db_param mac = req_token_param(r);
	struct rows *rows;
	enum rc rc = gate_ask(r);
	if (rc)
		return rc;
	db_send(r->db, STMT_TOKEN_NAME, 1, &mac);
	db_commit(r->db);
	if ((rc = gate_allows(r)) || (rc = req_next(r, &rows)))
		return rc;
	r->agent_token = r->named.id && db_count(rows)
		? arena_str(r->arena, db_get_text(rows, 0, 0))
		: STR("");
	if ((rc = db_finish(r->db)))
		return req_fail_db(r, rc);
	db_end(r->db);
	return r->token.p ? RC_OK : RC_UNAUTHENTICATED;
}

static enum rc refuse_origin(struct req *r)
{
	req_fail(r, RC_UNAUTHORIZED_OPERATION,
		"Pages of other sites cannot use this: the Origin is not %s.", r->conf->base_url);
	r->error.possible_fix =
		STR("Send the request from a program, or from a page of this server.");
	return RC_UNAUTHORIZED_OPERATION;
}

static enum rc serve(struct req *r)
{
	struct mcp m = { .r = r };
	struct str problem = { 0 };
	r->envelope = false; /* JSON-RPC has one of its own */
	if (r->origin.p && !str_equal_z(r->origin, r->conf->base_url))
		return refuse_origin(r);
	if (r->refused == RC_COULD_NOT_PARSE_BODY) {
		problem = r->error.general_problem;
		r->refused = RC_OK;
	}
	enum rc rc = pass_gate(r);
	if (rc)
		return rc;
	if (problem.p)
		return mcp_fail(&m, MCP_PARSE_ERROR, "%s", problem.p);
	return mcp_serve(&m);
}

const struct route mcp_routes[] = {
	{ "POST", "/mcp", NEED_PERSON, serve, NULL,
		.flags = R_ARRAY_BODY | R_QUIET | R_NOT_IN_PARTS | R_READS | R_RPC,
		.example = "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/list\"}",
		.scope = SCOPE_READ, .audit = AUDIT_TELLS(TOOL_USE),
		.doc = "The Model Context Protocol, for assistants: one JSON-RPC message. "
		       "Accepts only tokens; a tool has the rights and limits of its "
		       "endpoint." },
	{ 0 },
};
