#include "api/routes.h"

/* clang-format off */
const struct route_table route_tables[] = {
	{ "Accounts", account_routes },
	{ "Projects", project_routes },
	{ "Project memberships", membership_routes },
	{ "People", person_routes },
	{ "Own settings", settings_routes },
	{ "Passwords", password_routes },
	{ "Sessions of browsers", session_routes },
	{ "Labels", label_routes },
	{ "Stories", story_routes },
	{ "Many stories at once", story_bulk_routes },
	{ "Tasks", task_routes },
	{ "Transitions", transition_routes },
	{ "Epics", epic_routes },
	{ "Comments", comment_routes },
	{ "Files", file_routes },
	{ "Source commits", commit_routes },
	{ "Blockers, reviews and links to code", part_routes },
	{ "Releases", release_routes },
	{ "Iterations", iteration_routes },
	{ "Iteration overrides", iteration_override_routes },
	{ "Reports", history_routes },
	{ "Searches", search_routes },
	{ "Saved searches", saved_search_routes },
	{ "Export", export_routes },
	{ "Imports", project_import_routes },
	{ "Activity", activity_routes },
	{ "Notifications", notification_routes },
	{ "Workspaces", workspace_routes },
	{ "Integrations", integration_routes },
	{ "Webhooks", webhook_routes },
	{ "Many requests in one", aggregator_routes },
	{ "The interface itself", openapi_routes },
};
/* clang-format on */
const int route_tables_count = sizeof route_tables / sizeof *route_tables;
