/*
 * JSON-RPC messages from somebody who is signed in: the response is JSON with the version. The requests of tools get
 * as far as their route.
 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "api/mcp.h"
#include "db/db.h"
#include "http/route.h"
#include "lib/unconst.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
enum rc __real_route_find(struct req *r);
enum rc __wrap_route_find(struct req *r);

/* A tool's request must have a route; to execute it would need a database. */
enum rc __wrap_route_find(struct req *r)
{
	if (__real_route_find(r) == RC_ROUTE_NOT_FOUND)
		abort();
	return RC_UNFOUND_RESOURCE;
}

/* Headers that repeat what the body says, which the newest version requires. */
static void add_header(struct arena *a, char **headers, const char *name, const struct body *object,
	const char *key)
{
	const struct body *value = body_get(object, key);
	if (!value || value->type != BODY_TEXT)
		return;
	while (*headers)
		headers++;
	*headers = unconst(arena_printf(a, "%s=%s", name, value->text.p).p);
}

static void serve(struct arena *a, struct body *message)
{
	static const struct conf conf = { .base_url = "https://plan.example" };
	static struct db *db;
	char *headers[6] = { NULL };
	struct buf out = { 0 };
	if (!db)
		db = db_new(&conf, false);
	struct body *params = body_get(message, "params");
	const struct body *meta = body_get(params, "_meta");
	add_header(a, headers, "HTTP_MCP_PROTOCOL_VERSION", meta,
		"io.modelcontextprotocol/protocolVersion");
	add_header(a, headers, "HTTP_MCP_METHOD", message, "method");
	add_header(a, headers, "HTTP_MCP_NAME", params, "name");
	add_header(a, headers, "HTTP_MCP_NAME", params, "uri");
	struct req r = { .arena = a,
		.conf = &conf,
		.db = db,
		.out = &out,
		.status = 200,
		.body = message,
		.environment = headers,
		.person_id = 1 };
	json_init(&r.json, &out);
	struct mcp m = { .r = &r };
	enum rc rc = mcp_serve(&m);
	if (rc && rc != RC_UNFOUND_RESOURCE)
		abort();
	const char *problem;
	struct body *answer = out.n ? body_parse(a, buf_str(&out), &problem) : NULL;
	if (out.n && (!answer || !body_get(answer, "jsonrpc")))
		abort();
	if (!rc && !out.n && r.status != 202)
		abort();
	buf_free(&out);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct arena a = { 0 };
	const char *problem;
	struct body *message = body_parse(&a, (struct str){ (const char *)data, size }, &problem);
	if (message && (message->type == BODY_OBJECT || message->type == BODY_ARRAY))
		serve(&a, message);
	arena_free(&a);
	return 0;
}
