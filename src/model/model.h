/*
 * The resources of the service: tables in res_*.c, one file for each family.
 * Names are the `kind` of the resource. Those that end in _body only say what a
 * request may hold.
 */
#ifndef MODEL_H
#define MODEL_H

#include "model/resource.h"

/* res_person.c */
extern const struct resource res_person;
extern const struct resource res_account_person;
extern const struct resource res_time_zone;
extern const struct resource res_me;
extern const struct resource res_membership_summary;
extern const struct resource res_known_person;
extern const struct resource res_known_people_body;

/* account.c */
extern const struct resource res_account;
extern const struct resource res_account_summary;
extern const struct resource res_account_membership;
extern const struct resource res_account_membership_body;

/* project.c */
extern const struct resource res_project;

/* membership.c */
extern const struct resource res_project_membership;
extern const struct resource res_project_membership_body;

/* res_label.c */
extern const struct resource res_label;
extern const struct resource res_story_label_body;

/* part.c: what hangs on stories */
extern const struct resource res_blocker;
extern const struct resource res_review;
extern const struct resource res_review_type;
extern const struct resource res_pull_request;
extern const struct resource res_branch;
extern const struct resource res_cicd_event;
extern const struct resource res_follower_body;

/* workspace.c */
extern const struct resource res_workspace;

/* integration.c */
extern const struct resource res_integration;
extern const struct resource res_external_story;

/* epic.c */
extern const struct resource res_epic;

/* comment.c */
extern const struct resource res_comment;
extern const struct resource res_comment_body;
extern const struct resource res_file_attachment;
extern const struct resource res_google_attachment;
/* res_history.c */
extern const struct resource res_daily_history_container;
extern const struct resource res_project_snapshot;
extern const struct resource res_cycle_time_details;
extern const struct resource res_analytics;

/* res_iteration.c */
extern const struct resource res_iteration;

/* iteration_override.c */
extern const struct resource res_iteration_override;

/* res_search.c */
extern const struct resource res_search;

/* saved_search.c */
extern const struct resource res_saved_search;

/* settings.c: what a person may set */
extern const struct resource res_personal_settings;
extern const struct resource res_me_body;

/* res_story.c */
extern const struct resource res_story;
extern const struct resource res_task;
extern const struct resource res_story_owner_body;

/* res_event.c */
extern const struct resource res_activity;
extern const struct resource res_notification;
extern const struct resource res_mark_read_body;
extern const struct resource res_read_list_body;

/* webhook.c */
extern const struct resource res_webhook;

/* res_release.c */
extern const struct resource res_release;
extern const struct resource res_story_transition;

#endif
