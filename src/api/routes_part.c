#include "api/crud.h"
#include "model/model.h"
#include "api/routes.h"

const struct route workspace_routes[] = {
	{ "GET", "/my/workspaces", NEED_PERSON, crud_list, &res_workspace,
		.read = STMT_WORKSPACE_LIST, .doc = "The caller's workspaces." },
	{ "POST", "/my/workspaces", NEED_PERSON, crud_create, &res_workspace,
		.read = STMT_WORKSPACE_GET, .one_of = "name, project_ids",
		.doc = "Make a workspace." },
	{ "GET", "/my/workspaces/:workspace", NEED_PERSON, crud_get, &res_workspace,
		.read = STMT_WORKSPACE_GET, .doc = "One workspace." },
	{ "PUT", "/my/workspaces/:workspace", NEED_PERSON, crud_update, &res_workspace,
		.read = STMT_WORKSPACE_GET, .doc = "Change the projects of a workspace." },
	{ "DELETE", "/my/workspaces/:workspace", NEED_PERSON, crud_delete, &res_workspace,
		.doc = "Delete a workspace; its projects stay." },
	{ 0 },
};

static const struct param external_story_params[] = {
	{ "exclude_linked", FT_BOOL, .where = "not %s::boolean",
		.doc = "true: only stories that are not linked yet; none is known here." },
	{ 0 },
};

const struct route integration_routes[] = {
	{ "GET", "/projects/:project/integrations", NEED_PARTNER, crud_list, &res_integration,
		.read = STMT_INTEGRATION_LIST, .doc = "Integrations of a project." },
	{ "POST", "/projects/:project/integrations", NEED_OWNER, crud_create, &res_integration,
		.read = STMT_INTEGRATION_GET, .activity = "integration_create",
		.doc = "Add an integration." },
	{ "GET", "/projects/:project/integrations/:integration", NEED_PARTNER, crud_get,
		&res_integration, .read = STMT_INTEGRATION_GET, .doc = "One integration." },
	{ "PUT", "/projects/:project/integrations/:integration", NEED_OWNER, crud_update,
		&res_integration, .read = STMT_INTEGRATION_GET, .activity = "integration_update",
		.doc = "Change an integration." },
	{ "DELETE", "/projects/:project/integrations/:integration", NEED_OWNER, crud_delete,
		&res_integration, .activity = "integration_delete",
		.doc = "Delete an integration; stories keep their external_id." },
	{ "GET", "/projects/:project/integrations/:integration/stories", NEED_PARTNER, crud_list,
		&res_external_story, .read = STMT_EXTERNAL_STORIES, .known = STMT_INTEGRATION_KNOWN,
		.params = external_story_params, .flags = R_PAGED, .limit = 100, .limit_max = 500,
		.total = STMT_EXTERNAL_STORY_COUNT, .doc = "Stories linked to an integration." },
	{ 0 },
};
