/*
 * The Model Context Protocol, by which assistants work with projects (contract 1.20). It is another
 * face of the endpoints: its tools are rows of routes (struct tool), a call becomes the request
 * that the row is for, with its gate, its limits and its activity, and the answer is kept short.
 * Nothing is kept between requests.
 *
 * mcp.c lets the caller in, mcp_message.c takes messages apart and answers those about the server, mcp_tools.c has the tools,
 * mcp_resources.c the resources, mcp_answer.c the short form of answers.
 */
#ifndef MCP_H
#define MCP_H

#include "http/req.h"
#include "http/tool.h"

/* A message: a request of JSON-RPC 2.0, or a notification. */
struct mcp {
	struct req *r;
	const struct body *params; /* an object, perhaps an empty one */
	struct str method;
	struct str id;  /* as JSON; absent: a notification */
	bool is_modern; /* of revision 2026-07-28, which knows no initialize */
};

enum mcp_code {
	MCP_PARSE_ERROR = -32700,
	MCP_INVALID_REQUEST = -32600,
	MCP_METHOD_NOT_FOUND = -32601,
	MCP_INVALID_PARAMS = -32602,
	MCP_RESOURCE_NOT_FOUND = -32002,
	MCP_HEADER_MISMATCH = -32020,
	MCP_UNSUPPORTED_VERSION = -32022,
};

/* Member of an object; null if it is absent, or null, which many assistants send for what they leave out. */
const struct body *mcp_member(const struct body *object, const char *name);

/* Answers an error of the protocol; RC_OK. */
enum rc mcp_fail(struct mcp *m, enum mcp_code code, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

/* Serves the message that is the request's body, an object or an array, for a caller who was let in. */
enum rc mcp_serve(struct mcp *m) MUST_CHECK;

/*
 * Around the members of a result, which are written to m->r->json. `ttl_ms`: how long a client may
 * keep it; negative: it is of the kind that is not kept.
 */
void mcp_begin_result(struct mcp *m, int ttl_ms);
void mcp_end_result(struct mcp *m);

/* Methods. */
enum rc mcp_list_tools(struct mcp *m);
enum rc mcp_call_tool(struct mcp *m);
enum rc mcp_list_resources(struct mcp *m);
enum rc mcp_list_templates(struct mcp *m);
enum rc mcp_read_resource(struct mcp *m);

/* What came of a tool's request. */
struct mcp_outcome {
	enum rc rc;               /* of the endpoint */
	const struct body *value; /* RC_OK: its answer */
	struct req *part;         /* its request; its error if there is one */
};

/* Objects in a page of a list that its row gives whole: without a limit, and at most. */
enum { MCP_PAGE = 100, MCP_PAGE_MAX = 500 };

/*
 * Runs the request that a tool is, with arguments by name. Anything but RC_OK ends the whole
 * request: it is over, or the server failed; what the endpoint refused is in the outcome.
 */
enum rc mcp_run(struct mcp *m, const struct tool_place *place, const struct body *arguments,
	struct mcp_outcome *outcome) MUST_CHECK;

/*
 * The text of an outcome that is an answer, as assistants are told it; in the arena. `cuts`: one
 * thing is shortened until it has less than 300 tokens.
 */
struct str mcp_answer(const struct mcp_outcome *outcome, bool cuts);
/* The text of one that is not: what is wrong and what to do. */
struct str mcp_answer_error(const struct mcp_outcome *outcome);

#endif
