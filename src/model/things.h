/*
 * Object structs of everything that commands change (object.h), in the order of their tables in
 * <family>_fields.c. Members after a blank line are not columns: they are requested by a wish, or
 * reported in addition to the row.
 */
#ifndef THINGS_H
#define THINGS_H

#include "model/object.h"
#include "model/part_kinds.h"
#include "model/wish.h"
#include "model/words.h"

/* clang-format off */
#define HOLDS(type, member)									\
	_Generic(((struct type *)0)->member, int64_t: HOLDS_INT, double: HOLDS_DOUBLE,		\
		bool: HOLDS_BOOL, int: HOLDS_WORD, struct str: HOLDS_STR, struct ids: HOLDS_IDS, \
		struct strs: HOLDS_STRS, double *: HOLDS_TALLY, struct objects: HOLDS_OBJECTS,	\
		struct wishes: HOLDS_WISHES, struct wish *: HOLDS_WISH,				\
		struct label_refs: HOLDS_LABELS)
/* clang-format on */

/* In a field's row: where its value lies in the struct, and of which type it is there. */
#define AT(type, member) .at = offsetof(struct type, member), .holds = HOLDS(type, member)

struct account {
	int64_t id;
	struct str name;
	int second_factor; /* enum second_factor_policy; WORD_NONE: as the server's */
	int64_t updated_at;
};

struct person {
	int64_t id;
	struct str name, initials, username, email;

	bool receives_in_app_notifications;
	bool in_project, in_account; /* those of the command */
	bool seen;          /* shares an account or a project with who acts, or is that person */
	bool email_claimed; /* given to themselves; nobody has confirmed it since */
};

/* A person as one of the project of the command: what rules and news ask. */
struct member {
	int64_t id; /* of the person */
	struct str name, initials, username;
	int role;             /* enum role; WORD_NONE: not in the project */
	struct str time_zone; /* of who acts */
	bool receives_in_app_notifications;
};

struct project {
	int64_t id, account_id, version;
	struct str name, description, profile_content, status;
	int join_as; /* enum role */
	int64_t iteration_length;
	int week_start_day; /* enum week_day */
	struct str point_scale, time_zone;
	int project_type;
	bool bugs_and_chores_are_estimatable, automatic_planning, enable_tasks, enable_following,
		enable_incoming_emails, public, atom_enabled, show_story_priority,
		show_priority_icon, show_priority_icon_in_all_panels;
	int64_t velocity_averaged_over, number_of_done_iterations_to_show, initial_velocity;
	int64_t start_date, created_at, updated_at;
	struct ids story_counts; /* by section */

	bool has_webhooks;
	struct str new_account_name;
	bool no_owner, create_sample;
};

struct membership {
	int64_t id, project_id, person_id;
	int role;
	struct str project_color;
	bool favorite, wants_comment_notification_emails,
		will_receive_mention_notifications_or_emails;
	int64_t last_viewed_at, created_at, updated_at;

	struct str email, name, initials;
};

struct account_membership {
	int64_t id, account_id, person_id;
	bool owner, admin, project_creator;
	int64_t created_at, updated_at;

	struct str email, name, initials;
};

struct label {
	int64_t id, project_id;
	struct str name;
	int64_t created_at, updated_at;
	double tally[TALLY_MAX]; /* domain/tally.h */

	struct str wished; /* the text of a wish that it is the label of */
};

/* The bodies of stories/{id}/labels, owners and followers. */
struct label_wish {
	int64_t none, label_id;
	struct str name;
};
struct person_wish {
	int64_t none, id, person_id;
};

struct story {
	int64_t id, project_id, created_at, updated_at, accepted_at;
	double estimate;
	int story_type, story_priority, current_state;
	struct str name, description, external_id;
	int64_t requested_by_id, deadline, integration_id;
	struct ids owner_ids, label_ids, follower_ids;
	int64_t rank, imported_at, imported_by_id;
	int64_t owned_by_id; /* the first of owner_ids */

	int64_t before_id, after_id;
	int group;
	struct label_refs labels;
	struct strs label_names;
	struct wishes tasks, comments;
#define WISHES(one, ONE, list, ...) struct wishes list;
	LISTED_PARTS(WISHES)
#undef WISHES
	struct wish *comment;
};

/* Many stories at once. */
struct bulk_wish {
	int64_t none;
	struct ids ids, add_label_ids, remove_label_ids;
	struct label_refs add_labels;
	int64_t before_id, after_id;
	int group;
	struct wish *changes;
	bool remove;
};

struct task {
	int64_t id, story_id;
	struct str description;
	bool complete;
	int64_t position, created_at, updated_at;
};

struct epic {
	int64_t id, project_id, created_at, updated_at;
	struct str name, description;
	int64_t label_id;
	struct ids follower_ids;
	int64_t rank;

	int64_t before_id, after_id;
	struct wish *label;
	struct wishes comments, pull_requests, branches;
};

struct comment {
	int64_t id, story_id, epic_id, person_id, created_at, updated_at;
	struct str text, commit_identifier, commit_type, external_source, external_author,
		external_link;
	struct ids file_attachment_ids, google_attachment_ids;

	struct ids attachment_ids;
	struct objects file_attachments, google_attachments;
	struct ids files_to_add, files_to_remove, google_to_remove, attachments_to_remove;
	struct wishes file_wishes, google_wishes, attachment_wishes;
};

struct file_attachment {
	int64_t id, project_id, comment_id, uploader_id, created_at;
	struct str filename, content_type;
	int64_t size, width, height;
	bool thumbnailable;

	bool uploaded;
	struct str download_url, big_url, thumbnail_url;
};

struct google_attachment {
	int64_t id, comment_id, person_id;
	struct str google_kind, title, google_id, alternate_link, resource_id;

	int64_t upload_id; /* of a wish: a file that waits, instead of a document */
};

struct blocker {
	int64_t id, story_id, person_id;
	struct str description;
	bool resolved;
	struct ids blocking_story_ids;
	int64_t created_at, updated_at;

	bool waits; /* another story that it names is not accepted */
};

struct integration {
	int64_t id, project_id;
	int kind; /* the place in words_integrations */
	struct str name, base_url, import_api_url, story_name, api_username, basic_auth_username,
		external_project_id, filter_id, component, product, statuses_to_exclude, view_id,
		zendesk_user_email, account, company, bin_id;
	bool active;
	int64_t created_at, updated_at;
	int comments_private, update_comments, update_state; /* booleans that may be null */
};

struct webhook {
	int64_t id, project_id;
	struct str webhook_url, secret, last_response_body;
	int webhook_version; /* the place in words_webhook_versions */
	bool enabled;
	int64_t last_error_code, failing_since, created_at, updated_at;
};

struct workspace {
	int64_t id, person_id;
	struct str name;
	struct ids project_ids;
};

enum { TOKEN_PROJECTS_MAX = 500 };

/* A named token, as it is wished. */
struct token {
	int64_t id;
	struct str name;
	int scope;              /* of words_token_scopes */
	struct ids project_ids; /* none: all */
	int64_t expires_at;     /* NIL: it does not end by itself */
};

enum { QUERY_MAX = 1000 }; /* characters */

struct saved_search {
	int64_t id, project_id, person_id;
	struct str name, query;
	int64_t created_at, updated_at;
};

/* What a person sets for themselves; the id is the person's. */
struct settings {
	int64_t id;
	int header_display_mode; /* the place in words_display_modes */
	bool reports_autorefresh;
	struct str web; /* JSON */
	struct str name, initials, username, email, time_zone;
	bool email_claimed,
		username_claimed; /* given to themselves; nobody has confirmed it since */
	int64_t updated_at;
};
struct me_wish {
	int64_t none, id;
	struct wish *personal_settings;
	struct str name, initials, username, email, time_zone, password;
};

/* The body of POST /source_commits. */
struct commit {
	int64_t none;
	struct str commit_id, message, url, author;
};
struct commit_wish {
	int64_t none;
	struct wish *source_commit;
};

struct notification {
	int64_t id, person_id, read_at, updated_at;
};

/* Notifications that are read by now: up to one, or those named; the id is the person's. */
struct read_mark {
	int64_t id, before;
	struct ids ids;
	int64_t read_at;
};

/* What an iteration has of its own; the id is its number. NIL and NaN: as the project has it. */
struct iteration_override {
	int64_t id, project_id, length;
	double team_strength;

	struct str told_length;    /* "default" if there is none */
	double told_team_strength; /* 1 if there is none */
};

struct review_type {
	int64_t id, project_id;
	struct str name;
	bool hidden;
	int64_t created_at, updated_at;
};

struct review {
	int64_t id, story_id, review_type_id, reviewer_id;
	int status;
	int64_t created_at, updated_at;
};

/* pull_request, branch and cicd_event: things in a repository, or reported by it. */
struct code_part {
	int64_t id, story_id, epic_id;
	struct str owner, repo, host_url, original_url, status, name, provider, url;
	int64_t number, created_at, updated_at;
};

#endif
