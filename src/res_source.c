#include "model.h"

static const struct field source_commit_fields[] = {
	{ "commit_id", FT_STRING, F_CREATE | F_REQUIRED, .max = 255,
		.doc = "Identifier of the commit." },
	{ "message", FT_TEXT, F_CREATE | F_REQUIRED, .max = 20000,
		.doc = "Its message: [#1] comments on a story, [Finishes #1] and [Delivers #1] move it, too." },
	{ "url", FT_STRING, F_CREATE | F_NULL, .max = 2000,
		.doc = "Where the commit can be seen." },
	{ "author", FT_STRING, F_CREATE | F_NULL, .max = 255,
		.doc = "Name of its author; a person of the project becomes the comment's author." },
	{ "repo", FT_STRING, F_CREATE | F_NULL, .max = 255, .doc = "The repository." },
};
static const struct resource res_source_commit = { "source_commit",
	RESOURCE_FIELDS(source_commit_fields) };

static const struct field source_commit_body_fields[] = {
	{ "source_commit", FT_OBJECT, F_CREATE | F_REQUIRED, .child = &res_source_commit,
		.doc = "The commit." },
};
const struct resource res_source_commit_body = { "source_commit",
	RESOURCE_FIELDS(source_commit_body_fields) };
