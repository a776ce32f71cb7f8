/* Fields of entries of the audit log. */
#include "model/model.h"

static const struct field fields[] = {
	{ "kind", FT_KIND, F_DEFAULT, .doc = "audit_entry" },
	{ "id", FT_INT, F_DEFAULT | F_KEY, .doc = "Identifier." },
	{ "occurred_at", FT_TIME, F_DEFAULT, .doc = "When it happened." },
	{ "act", FT_STRING, F_DEFAULT, .doc = "What was done." },
	{ "person", FT_ONE, F_HIDES_KEY, .child = &res_person, .key = "person_id",
		.doc = "Who did it, if that person still exists." },
	{ "person_id", FT_INT, F_DEFAULT,
		.doc = "Who did it, or whose sign-in was refused. Left out: nobody whom the "
		       "server knows." },
	{ "by", FT_STRING, F_DEFAULT,
		.doc = "By what means: session, api_token (that of GET /me), token:NAME, "
		       "password, link, provider:NAME, import, or ctl:USER, a user of "
		       "the server's system." },
	{ "address", FT_STRING, F_DEFAULT, .doc = "The network address that it came from." },
	{ "request_id", FT_STRING, F_DEFAULT, .doc = "The X-Request-Id of the request." },
	{ "project_id", FT_INT, F_DEFAULT, .doc = "The project that it was about." },
	{ "object", FT_JSON, F_DEFAULT, .doc = "What it was about: kind, and id or name." },
	{ "old", FT_JSON, F_DEFAULT, .doc = "The values before the change, without secrets." },
	{ "new", FT_JSON, F_DEFAULT,
		.doc = "The values after the change; \"changed\" stands for a value that is not "
		       "shown." },
};
const struct resource res_audit_entry = { "audit_entry", RESOURCE_FIELDS(fields) };
