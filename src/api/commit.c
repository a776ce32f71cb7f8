/* POST /source_commits, whose stories may stand in several projects. */
#include "api/crud.h"
#include "api/routes.h"
#include "http/bind.h"
#include "model/model.h"

static const struct field commit_fields[] = {
	{ "commit_id", FT_STRING, F_CREATE | F_REQUIRED, .max = 255,
		.doc = "The commit; may be empty." },
	{ "message", FT_TEXT, F_CREATE | F_REQUIRED, .max = 100000,
		.doc = "[#ID] links a story, [Fixes #ID] finishes it, [Delivers #ID] delivers it." },
	{ "url", FT_STRING, F_CREATE, .max = 2000, .doc = "Where the commit can be seen." },
	{ "author", FT_STRING, F_CREATE, .max = 255,
		.doc = "A member of this name becomes the author of the comments." },
	{ "repo", FT_STRING, F_CREATE, .max = 255, .doc = "The repository." },
};
static const struct resource res_commit = { "source_commit", RESOURCE_FIELDS(commit_fields) };

static const struct field source_commit_body_fields[] = {
	{ "source_commit", FT_OBJECT, F_CREATE | F_REQUIRED, .child = &res_commit,
		.doc = "The commit." },
};
static const struct resource res_source_commit_body = { "source_commit",
	RESOURCE_FIELDS(source_commit_body_fields) };

static enum rc act_source_commit(struct req *r)
{
	struct db_param param;
	bind_check(r, r->route->body, F_CREATE, NULL);
	enum rc rc = crud_enter(r);
	if (rc)
		return rc;
	bind_params(r, r->route->body, F_CREATE, &param, 1);
	db_send(r->db, r->route->write, 1, &param);
	param = db_null();
	db_send(r->db, r->route->read, 1, &param);
	crud_flush(r);
	if ((rc = crud_entered(r)) || (rc = crud_skip(r, 1)))
		return rc;
	return crud_answer_list(r);
}

const struct route commit_routes[] = {
	{ "POST", "/source_commits", NEED_PERSON, act_source_commit, &res_story,
		.read = STMT_SOURCE_COMMIT_STORIES, .write = STMT_SOURCE_COMMIT,
		.body = &res_source_commit_body, .flags = R_UNTOLD | R_QUIET,
		.doc = "Tell of a commit; comments on the stories that its message names." },
	{ 0 },
};
