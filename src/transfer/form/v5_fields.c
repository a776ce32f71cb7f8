#include "transfer/form/v5_fields.h"

/* clang-format off */

#define PARENT { "story_id", .how = V5_INT }, { "epic_id", .how = V5_INT }
#define TIMES { "created_at", .how = V5_TIME }, { "updated_at", .how = V5_TIME }

static const struct v5_field story_fields[] = {
	{ "id", .how = V5_INT }, { "name", .how = V5_TEXT }, { "description", .how = V5_TEXT },
	{ "story_type", .how = V5_TEXT }, { "current_state", .how = V5_TEXT },
	{ "estimate", .how = V5_NUMBER }, { "story_priority", .how = V5_TEXT }, TIMES,
	{ "accepted_at", .how = V5_WHEN }, { "deadline", .how = V5_WHEN },
	{ "requested_by", .how = V5_PERSON },
	{ "requested_by_id", .how = V5_PERSON, .to = "requested_by", .unless = "requested_by" },
	{ "owners", .how = V5_PEOPLE },
	{ "owner_ids", .how = V5_PEOPLE, .to = "owners", .unless = "owners" },
	{ "owned_by", .how = V5_PEOPLE, .to = "owners", .unless = "owners owner_ids" },
	{ "owned_by_id", .how = V5_PEOPLE, .to = "owners", .unless = "owners owner_ids owned_by" },
	{ "labels", .how = V5_LABELS }, { "label_ids", .how = V5_INTS, .unless = "labels" },
	{ "followers", .how = V5_PEOPLE },
	{ "follower_ids", .how = V5_PEOPLE, .to = "followers", .unless = "followers" },
	{ "external_id", .how = V5_TEXT }, { "integration_id", .how = V5_INT },
	{ "url", .how = V5_TEXT }, { "iteration", .how = V5_SPAN }, { "position", .how = V5_SKIP },
	{ "tasks", .how = V5_PARTS, .part = INTAKE_TASK },
	{ "comments", .how = V5_PARTS, .part = INTAKE_COMMENT },
	{ "blockers", .how = V5_PARTS, .part = INTAKE_BLOCKER },
	{ "reviews", .how = V5_PARTS, .part = INTAKE_REVIEW },
	{ "pull_requests", .how = V5_PARTS, .part = INTAKE_PULL_REQUEST },
	{ "branches", .how = V5_PARTS, .part = INTAKE_BRANCH },
	{ "cicd_events", .how = V5_PARTS, .part = INTAKE_CICD },
	{ "transitions", .how = V5_PARTS, .part = INTAKE_TRANSITION },
	{ "activity", .how = V5_PARTS, .part = INTAKE_ACTIVITY }, { "before_id", .how = V5_SKIP },
	{ "after_id", .how = V5_SKIP }, { "integration", .how = V5_SKIP },
	{ "cycle_time_details", .how = V5_SKIP }, { "projected_completion", .how = V5_SKIP },
	{ "projected_completion_interval", .how = V5_SKIP }, { "task_ids", .how = V5_SKIP },
	{ "comment_ids", .how = V5_SKIP }, { "blocker_ids", .how = V5_SKIP },
	{ "review_ids", .how = V5_SKIP }, { "pull_request_ids", .how = V5_SKIP },
	{ "branch_ids", .how = V5_SKIP }, { "cicd_event_ids", .how = V5_SKIP },
	{ "blocked_stories", .how = V5_SKIP }, { "blocked_story_ids", .how = V5_SKIP },
	{ "points_accepted", .how = V5_SKIP }, { "points_total", .how = V5_SKIP },
	{ "counts_accepted", .how = V5_SKIP }, { "counts_total", .how = V5_SKIP },
	{ "stories", .how = V5_SKIP }, { "story_ids", .how = V5_SKIP }, { 0 },
};

static const struct v5_field epic_fields[] = {
	{ "id", .how = V5_INT }, { "name", .how = V5_TEXT }, { "description", .how = V5_TEXT },
	TIMES, { "url", .how = V5_TEXT }, { "label", .how = V5_LABEL },
	{ "label_id", .how = V5_INT, .unless = "label" }, { "followers", .how = V5_PEOPLE },
	{ "follower_ids", .how = V5_PEOPLE, .to = "followers", .unless = "followers" },
	{ "comments", .how = V5_PARTS, .part = INTAKE_COMMENT },
	{ "pull_requests", .how = V5_PARTS, .part = INTAKE_PULL_REQUEST },
	{ "branches", .how = V5_PARTS, .part = INTAKE_BRANCH },
	{ "activity", .how = V5_PARTS, .part = INTAKE_ACTIVITY }, { "position", .how = V5_SKIP },
	{ "before_id", .how = V5_SKIP }, { "after_id", .how = V5_SKIP },
	{ "comment_ids", .how = V5_SKIP }, { "pull_request_ids", .how = V5_SKIP },
	{ "branch_ids", .how = V5_SKIP }, { "past_done_story_estimates", .how = V5_SKIP },
	{ "past_done_stories_count", .how = V5_SKIP },
	{ "past_done_stories_no_point_count", .how = V5_SKIP }, { "completed_at", .how = V5_SKIP },
	{ "projected_completion", .how = V5_SKIP }, { 0 },
};

static const struct v5_field project_fields[] = {
	{ "id", .how = V5_INT }, { "name", .how = V5_TEXT }, { "start_date", .how = V5_DAY }, TIMES,
	{ "public", .how = V5_BOOL }, { "point_scale_is_custom", .how = V5_BOOL },
	{ "bugs_and_chores_are_estimatable", .how = V5_BOOL },
	{ "automatic_planning", .how = V5_BOOL }, { "enable_tasks", .how = V5_BOOL },
	{ "enable_incoming_emails", .how = V5_BOOL }, { "has_google_domain", .how = V5_BOOL },
	{ "enable_following", .how = V5_BOOL }, { "atom_enabled", .how = V5_BOOL },
	{ "show_story_priority", .how = V5_BOOL }, { "show_priority_icon", .how = V5_BOOL },
	{ "show_priority_icon_in_all_panels", .how = V5_BOOL }, { "stories", .how = V5_PARTS, .part = INTAKE_STORY },
	{ "epics", .how = V5_PARTS, .part = INTAKE_EPIC },
	{ "labels", .how = V5_PARTS, .part = INTAKE_LABEL },
	{ "memberships", .how = V5_PARTS, .part = INTAKE_MEMBERSHIP },
	{ "review_types", .how = V5_PARTS, .part = INTAKE_REVIEW_TYPE },
	{ "integrations", .how = V5_PARTS, .part = INTAKE_INTEGRATION },
	{ "iterations", .how = V5_PARTS, .part = V5_ITERATION },
	{ "iteration_overrides", .how = V5_PARTS, .part = INTAKE_OVERRIDE },
	{ "releases", .how = V5_PARTS, .part = V5_RELEASE },
	{ "webhooks", .how = V5_PARTS, .part = INTAKE_WEBHOOK },
	{ "activity", .how = V5_PARTS, .part = INTAKE_ACTIVITY }, { "account", .how = V5_SKIP },
	{ "story_ids", .how = V5_SKIP }, { "epic_ids", .how = V5_SKIP },
	{ "label_ids", .how = V5_SKIP }, { "membership_ids", .how = V5_SKIP },
	{ "review_type_ids", .how = V5_SKIP }, { "integration_ids", .how = V5_SKIP },
	{ "current_velocity", .how = V5_SKIP }, { "current_volatility", .how = V5_SKIP },
	{ "current_standard_deviation", .how = V5_SKIP }, { 0 },
};

static const struct v5_field person_fields[] = {
	{ "id", .how = V5_INT }, { "name", .how = V5_TEXT }, { "email", .how = V5_TEXT },
	{ "username", .how = V5_TEXT }, { "initials", .how = V5_TEXT },
	{ "receives_in_app_notifications", .how = V5_SKIP }, { 0 },
};

static const struct v5_field membership_fields[] = {
	{ "id", .how = V5_INT }, { "person", .how = V5_PERSON },
	{ "person_id", .how = V5_PERSON, .to = "person", .unless = "person" },
	{ "role", .how = V5_TEXT }, { "project_id", .how = V5_INT },
	{ "project_name", .how = V5_TEXT }, TIMES, { "last_viewed_at", .how = V5_WHEN }, { 0 },
};

static const struct v5_field label_fields[] = {
	{ "id", .how = V5_INT }, { "name", .how = V5_TEXT }, TIMES, { "counts", .how = V5_SKIP },
	{ "has_epic", .how = V5_SKIP }, { 0 },
};

static const struct v5_field task_fields[] = {
	{ "id", .how = V5_INT }, PARENT, { "description", .how = V5_TEXT },
	{ "complete", .how = V5_BOOL }, { "position", .how = V5_INT }, TIMES, { 0 },
};

static const struct v5_field comment_fields[] = {
	{ "id", .how = V5_INT }, PARENT, { "text", .how = V5_TEXT }, { "person", .how = V5_PERSON },
	{ "person_id", .how = V5_PERSON, .to = "person", .unless = "person" }, TIMES,
	{ "commit_identifier", .how = V5_TEXT }, { "commit_type", .how = V5_TEXT },
	{ "external_source", .how = V5_TEXT }, { "external_author", .how = V5_TEXT },
	{ "external_link", .how = V5_TEXT },
	{ "file_attachments", .how = V5_PARTS, .part = INTAKE_FILE },
	{ "google_attachments", .how = V5_PARTS, .part = INTAKE_GOOGLE },
	{ "attachments", .how = V5_PARTS, .unless = "file_attachments google_attachments", .part = V5_UNKNOWN },
	{ "file_attachment_ids", .how = V5_SKIP }, { "google_attachment_ids", .how = V5_SKIP },
	{ "attachment_ids", .how = V5_SKIP }, { 0 },
};

static const struct v5_field blocker_fields[] = {
	{ "id", .how = V5_INT }, PARENT, { "description", .how = V5_TEXT },
	{ "resolved", .how = V5_BOOL }, { "person", .how = V5_PERSON },
	{ "person_id", .how = V5_PERSON, .to = "person", .unless = "person" }, TIMES, { 0 },
};

static const struct v5_field review_type_fields[] = {
	{ "id", .how = V5_INT }, { "name", .how = V5_TEXT }, { "hidden", .how = V5_BOOL }, TIMES,
	{ 0 },
};

static const struct v5_field review_fields[] = {
	{ "id", .how = V5_INT }, PARENT, { "review_type_id", .how = V5_INT },
	{ "type", .how = V5_TEXT }, { "review_type", .how = V5_PARTS, .part = INTAKE_REVIEW_TYPE },
	{ "reviewer", .how = V5_PERSON },
	{ "reviewer_id", .how = V5_PERSON, .to = "reviewer", .unless = "reviewer" },
	{ "status", .how = V5_TEXT }, TIMES, { 0 },
};

static const struct v5_field pull_request_fields[] = {
	{ "id", .how = V5_INT }, PARENT, { "owner", .how = V5_TEXT }, { "repo", .how = V5_TEXT },
	{ "host_url", .how = V5_TEXT }, { "number", .how = V5_INT }, { "status", .how = V5_TEXT },
	{ "original_url", .how = V5_TEXT }, TIMES, { 0 },
};

static const struct v5_field branch_fields[] = {
	{ "id", .how = V5_INT }, PARENT, { "owner", .how = V5_TEXT }, { "repo", .how = V5_TEXT },
	{ "host_url", .how = V5_TEXT }, { "name", .how = V5_TEXT },
	{ "original_url", .how = V5_TEXT }, TIMES, { 0 },
};

static const struct v5_field cicd_fields[] = {
	{ "id", .how = V5_INT }, PARENT, { "provider", .how = V5_TEXT }, { "name", .how = V5_TEXT },
	{ "status", .how = V5_TEXT }, { "url", .how = V5_TEXT }, TIMES, { 0 },
};

static const struct v5_field file_fields[] = {
	{ "id", .how = V5_INT }, { "comment_id", .how = V5_INT }, { "filename", .how = V5_TEXT },
	{ "content_type", .how = V5_TEXT }, { "size", .how = V5_INT },
	{ "uploader", .how = V5_PERSON },
	{ "uploader_id", .how = V5_PERSON, .to = "uploader", .unless = "uploader" },
	{ "created_at", .how = V5_TIME }, { "thumbnailable", .how = V5_SKIP },
	{ "height", .how = V5_SKIP }, { "width", .how = V5_SKIP },
	{ "download_url", .how = V5_SKIP }, { "uploaded", .how = V5_SKIP },
	{ "big_url", .how = V5_SKIP }, { "thumbnail_url", .how = V5_SKIP },
	{ "thumbnail_big_url", .how = V5_SKIP }, { "file_path", .how = V5_SKIP }, { 0 },
};

static const struct v5_field google_fields[] = {
	{ "id", .how = V5_INT }, { "comment_id", .how = V5_INT }, { "google_kind", .how = V5_TEXT },
	{ "title", .how = V5_TEXT }, { "google_id", .how = V5_TEXT },
	{ "alternate_link", .how = V5_TEXT }, { "resource_id", .how = V5_TEXT },
	{ "person", .how = V5_PERSON },
	{ "person_id", .how = V5_PERSON, .to = "person", .unless = "person" }, { 0 },
};

static const struct v5_field transition_fields[] = {
	PARENT, { "state", .how = V5_TEXT }, { "occurred_at", .how = V5_TIME },
	{ "performed_by", .how = V5_PERSON },
	{ "performed_by_id", .how = V5_PERSON, .to = "performed_by", .unless = "performed_by" },
	{ "project_id", .how = V5_INT }, { "project_version", .how = V5_INT }, { 0 },
};

static const struct v5_field activity_fields[] = {
	{ "occurred_at", .how = V5_TIME }, { "performed_by", .how = V5_PERSON },
	{ "performed_by_id", .how = V5_PERSON, .to = "performed_by", .unless = "performed_by" },
	{ 0 },
};

static const struct v5_field override_fields[] = {
	{ "number", .how = V5_INT }, { "length", .how = V5_INT },
	{ "team_strength", .how = V5_NUMBER }, { 0 },
};

static const struct v5_field saved_search_fields[] = {
	{ "id", .how = V5_INT }, { "name", .how = V5_TEXT }, { "query", .how = V5_TEXT },
	{ "person", .how = V5_PERSON },
	{ "person_id", .how = V5_PERSON, .to = "person", .unless = "person" }, TIMES, { 0 },
};

static const struct v5_field open_fields[] = { { "id", .how = V5_INT }, TIMES, { 0 } };

/* clang-format on */

static const struct v5_field *const tables[INTAKE__MAX] = {
	[INTAKE_PROJECT] = project_fields,
	[INTAKE_PERSON] = person_fields,
	[INTAKE_MEMBERSHIP] = membership_fields,
	[INTAKE_LABEL] = label_fields,
	[INTAKE_EPIC] = epic_fields,
	[INTAKE_STORY] = story_fields,
	[INTAKE_TASK] = task_fields,
	[INTAKE_COMMENT] = comment_fields,
	[INTAKE_BLOCKER] = blocker_fields,
	[INTAKE_REVIEW_TYPE] = review_type_fields,
	[INTAKE_REVIEW] = review_fields,
	[INTAKE_PULL_REQUEST] = pull_request_fields,
	[INTAKE_BRANCH] = branch_fields,
	[INTAKE_CICD] = cicd_fields,
	[INTAKE_FILE] = file_fields,
	[INTAKE_GOOGLE] = google_fields,
	[INTAKE_TRANSITION] = transition_fields,
	[INTAKE_ACTIVITY] = activity_fields,
	[INTAKE_OVERRIDE] = override_fields,
	[INTAKE_SAVED_SEARCH] = saved_search_fields,
	[INTAKE_WEBHOOK] = open_fields,
	[INTAKE_INTEGRATION] = open_fields,
};

/* Any record may have these: what it is, and to what it belongs, as an id or nested. */
static const struct v5_field any_fields[] = {
	{ "kind", .how = V5_SKIP },
	{ "project_id", .how = V5_SKIP },
	{ "project", .how = V5_SKIP },
	{ "story", .how = V5_SKIP },
	{ "epic", .how = V5_SKIP },
	{ "comment", .how = V5_SKIP },
	{ 0 },
};

static const struct v5_field *find(const struct v5_field *field, struct str name)
{
	while (field->name && !str_equal_z(name, field->name))
		field++;
	return field->name ? field : NULL;
}

const struct v5_field *v5_field_of(enum intake_kind kind, struct str name)
{
	const struct v5_field *field = find(tables[kind], name);

	return field || v5_is_open(kind) ? field : find(any_fields, name);
}

bool v5_is_open(enum intake_kind kind)
{
	return kind == INTAKE_PROJECT || kind == INTAKE_MEMBERSHIP || kind == INTAKE_ACTIVITY ||
		kind == INTAKE_WEBHOOK || kind == INTAKE_INTEGRATION;
}
