/*
 * The endpoints: a table a family, in the file of its name. Each ends with a row without
 * method, and is named in route_tables.
 */
#ifndef ROUTES_H
#define ROUTES_H

#include "http/route.h"

extern const struct route account_routes[];
extern const struct route activity_routes[];
extern const struct route aggregator_routes[];
extern const struct route claim_routes[];
extern const struct route comment_routes[];
extern const struct route commit_routes[];
extern const struct route epic_routes[];
extern const struct route export_routes[];
extern const struct route file_routes[];
extern const struct route history_routes[];
extern const struct route identity_routes[];
extern const struct route integration_routes[];
extern const struct route iteration_routes[];
extern const struct route iteration_override_routes[];
extern const struct route label_routes[];
extern const struct route live_routes[];
extern const struct route mcp_routes[];
extern const struct route membership_routes[];
extern const struct route notification_routes[];
extern const struct route oidc_routes[];
extern const struct route remote_user_routes[];
extern const struct route openapi_routes[];
extern const struct route part_routes[];
extern const struct route passkey_routes[];
extern const struct route passkey_sign_in_routes[];
extern const struct route password_routes[];
extern const struct route person_routes[];
extern const struct route project_routes[];
extern const struct route project_import_routes[];
extern const struct route release_routes[];
extern const struct route saved_search_routes[];
extern const struct route search_routes[];
extern const struct route second_factor_routes[];
extern const struct route session_routes[];
extern const struct route settings_routes[];
extern const struct route story_bulk_routes[];
extern const struct route story_routes[];
extern const struct route task_routes[];
extern const struct route token_routes[];
extern const struct route audit_routes[];
extern const struct route transition_routes[];
extern const struct route webhook_routes[];
extern const struct route workspace_routes[];

#endif
