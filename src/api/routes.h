/*
 * The tables of endpoints beside routes.c; a file routes_*.c for each family.
 * Each ends with a row without method, and is named in route_tables.
 */
#ifndef ROUTES_H
#define ROUTES_H

#include "http/route.h"

/* account.c, project.c, membership.c */
extern const struct route account_routes[];
extern const struct route project_routes[];
extern const struct route membership_routes[];
/* story.c */
extern const struct route story_routes[];
/* comment.c */
extern const struct route comment_routes[];
/* epic.c */
extern const struct route epic_routes[];
/* file.c */
extern const struct route file_routes[];
/* commit.c */
extern const struct route commit_routes[];
/* export.c */
extern const struct route export_routes[];
/* routes_aggregator.c */
extern const struct route aggregator_routes[];
/* routes_event.c */
extern const struct route feed_routes[];
/* workspace.c */
extern const struct route workspace_routes[];
/* integration.c */
extern const struct route integration_routes[];
/* iteration_override.c */
extern const struct route iteration_override_routes[];
/* saved_search.c */
extern const struct route saved_search_routes[];
/* settings.c */
extern const struct route settings_routes[];
/* webhook.c */
extern const struct route webhook_routes[];
/* routes_search.c */
extern const struct route search_routes[];

/* part.c */
extern const struct route part_routes[];
/* routes_planning.c */
extern const struct route planning_routes[];

/* routes_release.c: releases and transitions */
extern const struct route release_routes[];

#endif
