/* Integrations and the stories linked to them: endpoints. */
#include "domain/integration.h"

#include "api/command.h"
#include "api/crud.h"
#include "api/routes.h"
#include "model/model.h"

static const struct field external_story_fields[] = {
	{ "kind", FT_KIND, F_DEFAULT, .doc = "external_story" },
	{ "id", FT_INT, F_DEFAULT | F_KEY, .doc = "The linked story on this server." },
	{ "external_id", FT_STRING, F_DEFAULT, .doc = "Its id there." },
	{ "integration_id", FT_INT, F_DEFAULT, .doc = "The integration." },
	{ "integration", FT_ONE, F_HIDES_KEY, .child = &res_integration, .key = "integration_id",
		.fetch = STMT_INTEGRATIONS_VISIBLE, .doc = "The integration." },
	{ "project_id", FT_INT, F_DEFAULT, .doc = "The project." },
	{ "project", FT_ONE, F_HIDES_KEY, .child = &res_project, .key = "project_id",
		.doc = "The project." },
	{ "name", FT_TEXT, F_DEFAULT, .doc = "Its name." },
	{ "story_type", FT_STRING, F_DEFAULT, .doc = "feature, bug, chore or release." },
	{ "created_at", FT_TIME, F_DEFAULT, .doc = "When the linked story was created." },
	{ "updated_at", FT_TIME, F_DEFAULT, .doc = "When the linked story was last changed." },
};
static const struct resource res_external_story = { "external_story",
	RESOURCE_FIELDS(external_story_fields) };

static void load_create(struct command *c)
{
	load_new_ids(&c->load, &res_integration, 1);
}

static const struct param external_story_params[] = {
	{ "exclude_linked", FT_BOOL, .where = "not %s::boolean",
		.doc = "true: only stories that are not linked yet; this server knows of none." },
	{ 0 },
};

const struct route integration_routes[] = {
	{ "GET", "/projects/:project/integrations", NEED_PARTNER, crud_list, &res_integration,
		.read = STMT_INTEGRATION_LIST, .doc = "Integrations of a project." },
	{ "POST", "/projects/:project/integrations", NEED_OWNER, command_run, &res_integration,
		.read = STMT_INTEGRATION_GET, .activity = "integration_create",
		.target = &res_integration, .load = load_create, .decide = integration_create,
		.example =
			"{\"kind\":\"other_integration\",\"name\":\"Shop\",\"import_api_url\":\"https://shop.example.com/stories.xml\"}",
		.audit = AUDIT_TELLS(INTEGRATION_CREATE), .doc = "Add an integration." },
	{ "GET", "/projects/:project/integrations/:integration", NEED_PARTNER, crud_get,
		&res_integration, .read = STMT_INTEGRATION_GET, .doc = "One integration." },
	{ "PUT", "/projects/:project/integrations/:integration", NEED_OWNER, command_run,
		&res_integration, .read = STMT_INTEGRATION_GET, .activity = "integration_update",
		.target = &res_integration, .find = STMT_INTEGRATION_LOAD,
		.decide = integration_update, .example = "{\"active\":false}",
		.audit = AUDIT_TELLS(INTEGRATION_CHANGE), .doc = "Change an integration." },
	{ "DELETE", "/projects/:project/integrations/:integration", NEED_OWNER, command_run, NULL,
		.activity = "integration_delete", .target = &res_integration,
		.find = STMT_INTEGRATION_LOAD, .decide = integration_delete,
		.audit = AUDIT_TELLS(INTEGRATION_DELETE),
		.doc = "Delete an integration; stories keep their external_id." },
	{ "GET", "/projects/:project/integrations/:integration/stories", NEED_PARTNER, crud_list,
		&res_external_story, .read = STMT_EXTERNAL_STORIES,
		.exists = STMT_INTEGRATION_EXISTS, .params = external_story_params,
		.flags = R_PAGED, .limit = 100, .limit_max = 500,
		.total = STMT_EXTERNAL_STORY_COUNT, .doc = "Stories linked to an integration." },
	{ 0 },
};
