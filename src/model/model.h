/*
 * The resources of the service: tables of fields, each in the file of its family. Names are the
 * `kind` of the resource. Those that end in _body only describe request bodies.
 */
#ifndef MODEL_H
#define MODEL_H

#include "model/part_kinds.h"
#include "model/resource.h"

/* account_fields.c */
extern const struct resource res_account;
extern const struct resource res_account_summary;
extern const struct resource res_account_membership;

/* activity_fields.c */
extern const struct resource res_activity;
extern const struct resource res_project_name;

/* comment_fields.c */
extern const struct resource res_comment;
extern const struct resource res_comment_body;
extern const struct resource res_file_attachment;
extern const struct resource res_google_attachment;

/* epic_fields.c */
extern const struct resource res_epic;

/* history_fields.c */
extern const struct resource res_daily_history_container;
extern const struct resource res_cycle_time_details;
extern const struct resource res_analytics;

/* integration_fields.c */
extern const struct resource res_integration;

/* iteration_override_fields.c */
extern const struct resource res_iteration_override;

/* label_fields.c */
extern const struct resource res_label;

/* membership_fields.c */
extern const struct resource res_project_membership;

/* notification_fields.c */
extern const struct resource res_notification;

/* part_fields.c */
#define RESOURCE(one, ...) extern const struct resource res_##one;
STORY_PARTS(RESOURCE)
#undef RESOURCE
extern const struct resource res_review_type;
extern const struct resource res_follower_body;

/* person_fields.c */
extern const struct resource res_person;
extern const struct resource res_account_person;
extern const struct resource res_time_zone;
extern const struct resource res_me;

/* project_fields.c */
extern const struct resource res_project;

/* token_fields.c */
extern const struct resource res_token;
extern const struct resource res_account_token;

/* audit_fields.c */
extern const struct resource res_audit_entry;

/* saved_search_fields.c */
extern const struct resource res_saved_search;

/* settings_fields.c */
extern const struct resource res_personal_settings;

/* story_fields.c */
extern const struct resource res_story_label_body;
extern const struct resource res_story;
extern const struct resource res_story_owner_body;

/* task_fields.c */
extern const struct resource res_task;

/* transition_fields.c */
extern const struct resource res_story_transition;

/* webhook_fields.c */
extern const struct resource res_webhook;

/* workspace_fields.c */
extern const struct resource res_workspace;

#endif
