#include "api/act.h"
#include "api/crud.h"
#include "model/model.h"
#include "api/routes.h"

static const struct param download_params[] = {
	{ "inline", FT_BOOL, .doc = "true: to be shown where it is opened, not kept." },
	{ 0 },
};

const struct route file_routes[] = {
	{ "POST", "/projects/:project/uploads", NEED_MEMBER, act_upload, &res_file_attachment,
		.read = STMT_FILE_ATTACHMENT_GET, .write = STMT_UPLOAD_CREATE,
		.body = &res_upload_body, .flags = R_UNTOLD | R_UPLOAD,
		.doc = "Send a file, as the part named file of multipart/form-data." },
	{ "GET", "/file_attachments/:file/download", NEED_VIEWER, act_file_download, NULL,
		.read = STMT_FILE_TO_SEND, .params = download_params, .flags = R_ROOT,
		.doc = "The file." },
	{ "GET", "/file_attachments/:file/thumbnail", NEED_VIEWER, act_file_small, NULL,
		.read = STMT_FILE_TO_SEND, .flags = R_ROOT, .doc = "A small picture of the file." },
	{ "GET", "/file_attachments/:file/big", NEED_VIEWER, act_file_big, NULL,
		.read = STMT_FILE_TO_SEND, .flags = R_ROOT, .doc = "A big picture of the file." },
	{ "POST", "/source_commits", NEED_PERSON, act_source_commit, &res_story,
		.read = STMT_SOURCE_COMMIT_STORIES, .write = STMT_SOURCE_COMMIT,
		.body = &res_source_commit_body, .flags = R_UNTOLD | R_QUIET,
		.doc = "Tell of a commit; comments on the stories that its message names." },
	{ 0 },
};
