/* Integrations and the stories linked to them: fields and endpoints. */
#include "domain/integration.h"

#include "api/command.h"
#include "api/crud.h"
#include "api/routes.h"
#include "model/model.h"

static const struct integration preset = { .id = NIL,
	.project_id = NIL,
	.kind = WORD_NONE,
	.active = true,
	.comments_private = WORD_NONE,
	.update_comments = WORD_NONE,
	.update_state = WORD_NONE,
	.created_at = NIL,
	.updated_at = NIL };

static const struct field integration_fields[] = {
	{ "kind", FT_WORD, F_DEFAULT | F_CREATE | F_REQUIRED | F_STORED | F_UNTOLD,
		AT(integration, kind), .words = words_integrations, .doc = "Which system it is." },
	{ "id", FT_INT, F_DEFAULT | F_KEY, .doc = "Identifier." },
	{ "project_id", FT_INT, F_DEFAULT | F_STORED | F_TOLD, AT(integration, project_id),
		.doc = "The project." },
	{ "project", FT_ONE, F_HIDES_KEY, .child = &res_project, .key = "project_id",
		.doc = "The project." },
	{ "name", FT_STRING, F_DEFAULT | F_WRITE | F_REQUIRED | F_NO_BLANK | F_STORED | F_UNTOLD,
		AT(integration, name), .max = 255, .doc = "What it is called here." },
	{ "active", FT_BOOL, F_DEFAULT | F_WRITE | F_STORED | F_TOLD, AT(integration, active),
		.doc = "Whether it is in use." },
	{ "is_other", FT_BOOL, F_DEFAULT, .doc = "Whether the system is of no known kind." },
	{ "base_url", FT_STRING, F_DEFAULT | F_WRITE | F_NULL | F_STORED | F_UNTOLD,
		AT(integration, base_url), .max = 2000,
		.doc = "Where the system lives; ids of its stories are put behind it." },
	{ "can_import", FT_BOOL, F_DEFAULT, .doc = "Whether stories can be imported: not here." },
	{ "import_api_url", FT_STRING, F_DEFAULT | F_WRITE | F_NULL | F_STORED | F_UNTOLD,
		AT(integration, import_api_url), .max = 2000,
		.doc = "Where its stories could be read." },
	{ "story_name", FT_STRING, F_DEFAULT | F_WRITE | F_NULL | F_STORED | F_UNTOLD,
		AT(integration, story_name), .max = 255, .doc = "What a story is called there." },
	{ "api_username", FT_STRING, F_DEFAULT | F_WRITE | F_NULL | F_STORED | F_UNTOLD,
		AT(integration, api_username), .max = 255, .doc = "Login there." },
	{ "basic_auth_username", FT_STRING, F_DEFAULT | F_WRITE | F_NULL | F_STORED | F_UNTOLD,
		AT(integration, basic_auth_username), .max = 255, .doc = "Login there." },
	{ "external_project_id", FT_STRING, F_DEFAULT | F_WRITE | F_NULL | F_STORED | F_UNTOLD,
		AT(integration, external_project_id), .max = 255, .doc = "The project there." },
	{ "external_api_token", FT_STRING, F_WRITE | F_IGNORED | F_HIDDEN,
		.doc = "Accepted and not kept: nothing here calls the other system." },
	{ "api_password", FT_STRING, F_WRITE | F_IGNORED | F_HIDDEN,
		.doc = "Accepted and not kept." },
	{ "basic_auth_password", FT_STRING, F_WRITE | F_IGNORED | F_HIDDEN,
		.doc = "Accepted and not kept." },
	{ "zendesk_user_password", FT_STRING, F_WRITE | F_IGNORED | F_HIDDEN,
		.doc = "Accepted and not kept." },
	{ "filter_id", FT_STRING, F_DEFAULT | F_WRITE | F_NULL | F_STORED | F_UNTOLD,
		AT(integration, filter_id), .max = 255, .doc = "The filter there." },
	{ "component", FT_STRING, F_DEFAULT | F_WRITE | F_NULL | F_STORED | F_UNTOLD,
		AT(integration, component), .max = 255, .doc = "The component there." },
	{ "product", FT_STRING, F_DEFAULT | F_WRITE | F_NULL | F_STORED | F_UNTOLD,
		AT(integration, product), .max = 255, .doc = "The product there." },
	{ "statuses_to_exclude", FT_STRING, F_DEFAULT | F_WRITE | F_NULL | F_STORED | F_UNTOLD,
		AT(integration, statuses_to_exclude), .max = 2000,
		.doc = "States of stories there that are of no interest." },
	{ "view_id", FT_STRING, F_DEFAULT | F_WRITE | F_NULL | F_STORED | F_UNTOLD,
		AT(integration, view_id), .max = 255, .doc = "The view there." },
	{ "zendesk_user_email", FT_STRING, F_DEFAULT | F_WRITE | F_NULL | F_STORED | F_UNTOLD,
		AT(integration, zendesk_user_email), .max = 255, .doc = "Login there." },
	{ "account", FT_STRING, F_DEFAULT | F_WRITE | F_NULL | F_STORED | F_UNTOLD,
		AT(integration, account), .max = 255, .doc = "The account there." },
	{ "company", FT_STRING, F_DEFAULT | F_WRITE | F_NULL | F_STORED | F_UNTOLD,
		AT(integration, company), .max = 255, .doc = "The company there." },
	{ "bin_id", FT_STRING, F_DEFAULT | F_WRITE | F_NULL | F_STORED | F_UNTOLD,
		AT(integration, bin_id), .max = 255, .doc = "The bin there." },
	{ "comments_private", FT_BOOL, F_DEFAULT | F_WRITE | F_NULL | F_STORED | F_UNTOLD,
		AT(integration, comments_private),
		.doc = "Whether comments sent there are private." },
	{ "update_comments", FT_BOOL, F_DEFAULT | F_WRITE | F_NULL | F_STORED | F_UNTOLD,
		AT(integration, update_comments), .doc = "Whether comments are to be sent there." },
	{ "update_state", FT_BOOL, F_DEFAULT | F_WRITE | F_NULL | F_STORED | F_UNTOLD,
		AT(integration, update_state),
		.doc = "Whether changes of state are to be sent there." },
	{ "created_at", FT_TIME, F_DEFAULT | F_STORED | F_TOLD, AT(integration, created_at),
		.doc = "When it was made." },
	{ "updated_at", FT_TIME, F_DEFAULT | F_STORED | F_TOLD, AT(integration, updated_at),
		.doc = "When it was last changed." },
};
const struct resource res_integration = { "integration", .table = "integration",
	RESOURCE_FIELDS(integration_fields), .size = sizeof(struct integration), .preset = &preset,
	.gone = STMT_INTEGRATION_GONE };

static const struct field external_story_fields[] = {
	{ "kind", FT_KIND, F_DEFAULT, .doc = "external_story" },
	{ "id", FT_INT, F_DEFAULT | F_KEY, .doc = "The story here that is linked." },
	{ "external_id", FT_STRING, F_DEFAULT, .doc = "Its id there." },
	{ "integration_id", FT_INT, F_DEFAULT, .doc = "The integration." },
	{ "integration", FT_ONE, F_HIDES_KEY, .child = &res_integration, .key = "integration_id",
		.fetch = STMT_INTEGRATIONS_SEEN, .doc = "The integration." },
	{ "project_id", FT_INT, F_DEFAULT, .doc = "The project." },
	{ "project", FT_ONE, F_HIDES_KEY, .child = &res_project, .key = "project_id",
		.doc = "The project." },
	{ "name", FT_TEXT, F_DEFAULT, .doc = "Its name." },
	{ "story_type", FT_STRING, F_DEFAULT, .doc = "feature, bug, chore or release." },
	{ "created_at", FT_TIME, F_DEFAULT, .doc = "When the story here was made." },
	{ "updated_at", FT_TIME, F_DEFAULT, .doc = "When the story here was last changed." },
};
static const struct resource res_external_story = { "external_story",
	RESOURCE_FIELDS(external_story_fields) };

static void load_create(struct command *c)
{
	load_new_ids(&c->load, &res_integration, 1);
}

static const struct param external_story_params[] = {
	{ "exclude_linked", FT_BOOL, .where = "not %s::boolean",
		.doc = "true: only stories that are not linked yet; none is known here." },
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
		.doc = "Add an integration." },
	{ "GET", "/projects/:project/integrations/:integration", NEED_PARTNER, crud_get,
		&res_integration, .read = STMT_INTEGRATION_GET, .doc = "One integration." },
	{ "PUT", "/projects/:project/integrations/:integration", NEED_OWNER, command_run,
		&res_integration, .read = STMT_INTEGRATION_GET, .activity = "integration_update",
		.target = &res_integration, .find = STMT_INTEGRATION_LOAD,
		.decide = integration_update, .example = "{\"active\":false}",
		.doc = "Change an integration." },
	{ "DELETE", "/projects/:project/integrations/:integration", NEED_OWNER, command_run, NULL,
		.activity = "integration_delete", .target = &res_integration,
		.find = STMT_INTEGRATION_LOAD, .decide = integration_delete,
		.doc = "Delete an integration; stories keep their external_id." },
	{ "GET", "/projects/:project/integrations/:integration/stories", NEED_PARTNER, crud_list,
		&res_external_story, .read = STMT_EXTERNAL_STORIES, .known = STMT_INTEGRATION_KNOWN,
		.params = external_story_params, .flags = R_PAGED, .limit = 100, .limit_max = 500,
		.total = STMT_EXTERNAL_STORY_COUNT, .doc = "Stories linked to an integration." },
	{ 0 },
};
