/*
 * The resources of the service: tables of fields in src/api, each in the file of its
 * family, when others name it, too. Names are the `kind` of the resource. Those that end in
 * _body only say what a request may hold.
 */
#ifndef MODEL_H
#define MODEL_H

#include "model/resource.h"

/* account.c */
extern const struct resource res_account;
extern const struct resource res_account_summary;
extern const struct resource res_account_membership;

/* activity.c */
extern const struct resource res_activity;
extern const struct resource res_project_name;

/* comment.c */
extern const struct resource res_comment;
extern const struct resource res_comment_body;
extern const struct resource res_file_attachment;
extern const struct resource res_google_attachment;

/* epic.c */
extern const struct resource res_epic;

/* history.c */
extern const struct resource res_daily_history_container;
extern const struct resource res_cycle_time_details;
extern const struct resource res_analytics;

/* integration.c */
extern const struct resource res_integration;

/* iteration_override.c */
extern const struct resource res_iteration_override;

/* label.c */
extern const struct resource res_label;

/* membership.c */
extern const struct resource res_project_membership;

/* notification.c */
extern const struct resource res_notification;

/* part.c */
extern const struct resource res_blocker;
extern const struct resource res_review;
extern const struct resource res_review_type;
extern const struct resource res_pull_request;
extern const struct resource res_branch;
extern const struct resource res_cicd_event;
extern const struct resource res_follower_body;

/* person.c */
extern const struct resource res_person;
extern const struct resource res_account_person;
extern const struct resource res_time_zone;
extern const struct resource res_me;

/* project.c */
extern const struct resource res_project;

/* saved_search.c */
extern const struct resource res_saved_search;

/* settings.c */
extern const struct resource res_personal_settings;

/* story_fields.c */
extern const struct resource res_story_label_body;
extern const struct resource res_story;
extern const struct resource res_story_owner_body;

/* task.c */
extern const struct resource res_task;

/* transition.c */
extern const struct resource res_story_transition;

/* webhook.c */
extern const struct resource res_webhook;

/* workspace.c */
extern const struct resource res_workspace;

#endif
