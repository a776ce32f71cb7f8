#include "api/routes.h"

/* clang-format off */
const struct route *const route_tables[] = {
	account_routes,
	project_routes,
	membership_routes,
	person_routes,
	settings_routes,
	label_routes,
	story_routes,
	task_routes,
	transition_routes,
	epic_routes,
	comment_routes,
	file_routes,
	commit_routes,
	part_routes,
	release_routes,
	iteration_routes,
	iteration_override_routes,
	history_routes,
	search_routes,
	saved_search_routes,
	export_routes,
	project_import_routes,
	activity_routes,
	notification_routes,
	workspace_routes,
	integration_routes,
	webhook_routes,
	aggregator_routes,
};
/* clang-format on */
const int route_tables_count = sizeof route_tables / sizeof *route_tables;
