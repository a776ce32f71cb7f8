#include <string.h>

#include "lib/log.h"
#include "model/words.h"
#include "transfer/settle/stage_kinds.h"

#define F(name, type) { name, type, 0, NULL }
#define T(name, max) { name, STAGE_TEXT, max, NULL }
#define N(name, max) { name, STAGE_NAMES, max, NULL }
#define W(name, words) { name, STAGE_WORD, 0, words }
#define KIND(fields) { fields, (int)(sizeof fields / sizeof *fields) }
#define TIMES F("created_at", STAGE_TIME), F("updated_at", STAGE_TIME)
#define PLACE F("position", STAGE_INT)
#define ON_STORY F("id", STAGE_ID), F("story_id", STAGE_ID)
#define ON_THING ON_STORY, F("epic_id", STAGE_ID), F("number", STAGE_ID)

static const struct stage_field project[] = { F("id", STAGE_ID), F("name", STAGE_TEXT),
	T("description", 140), T("profile_content", 65535), T("status", 255),
	W("join_as", words_roles), F("iteration_length", STAGE_INT),
	W("week_start_day", words_week_days), T("point_scale", 255),
	F("bugs_and_chores_are_estimatable", STAGE_BOOL), F("automatic_planning", STAGE_BOOL),
	F("enable_tasks", STAGE_BOOL), F("enable_following", STAGE_BOOL),
	F("enable_incoming_emails", STAGE_BOOL), F("time_zone", STAGE_ZONE),
	F("velocity_averaged_over", STAGE_INT), F("number_of_done_iterations_to_show", STAGE_INT),
	F("initial_velocity", STAGE_INT), F("public", STAGE_BOOL), F("atom_enabled", STAGE_BOOL),
	F("show_story_priority", STAGE_BOOL), F("show_priority_icon", STAGE_BOOL),
	F("show_priority_icon_in_all_panels", STAGE_BOOL), F("start_date", STAGE_DAY),
	F("version", STAGE_INT), F("whole", STAGE_BOOL), TIMES };

static const struct stage_field membership[] = { F("person", STAGE_PERSON), W("role", words_roles),
	T("project_color", 6), F("favorite", STAGE_BOOL),
	F("wants_comment_notification_emails", STAGE_BOOL),
	F("will_receive_mention_notifications_or_emails", STAGE_BOOL),
	F("last_viewed_at", STAGE_TIME), TIMES };

static const struct stage_field label[] = { F("id", STAGE_ID), T("name", 255), TIMES };

static const struct stage_field epic[] = { F("id", STAGE_ID), T("name", 5000), T("label", 255),
	F("label_id", STAGE_ID), T("description", 20000), F("followers", STAGE_PEOPLE), PLACE,
	TIMES };

static const struct stage_field story[] = { F("id", STAGE_ID), T("name", 5000),
	T("description", 20000), W("story_type", words_story_types),
	W("current_state", words_story_states), F("estimate", STAGE_NUMBER),
	W("story_priority", words_story_priorities), F("accepted_at", STAGE_TIME),
	F("deadline", STAGE_TIME), F("requested_by", STAGE_PERSON), F("owners", STAGE_PEOPLE),
	N("labels", 255), F("label_ids", STAGE_IDS), F("followers", STAGE_PEOPLE),
	F("iteration", STAGE_SPAN), T("external_id", 255), F("integration_id", STAGE_ID), PLACE,
	TIMES };

static const struct stage_field task[] = { ON_STORY, T("description", 1000),
	F("complete", STAGE_BOOL), PLACE, TIMES };

static const struct stage_field comment[] = { ON_THING, T("text", 20000), F("person", STAGE_PERSON),
	T("commit_identifier", 255), T("commit_type", 255), T("external_source", 255),
	T("external_author", 255), T("external_link", 2000), PLACE, TIMES };

static const struct stage_field blocker[] = { ON_STORY, T("description", 1000),
	F("resolved", STAGE_BOOL), F("person", STAGE_PERSON), PLACE, TIMES };

static const struct stage_field review_type[] = { F("id", STAGE_ID), T("name", 255),
	F("hidden", STAGE_BOOL), TIMES };

static const struct stage_field review[] = { ON_STORY, T("type", 255),
	F("review_type_id", STAGE_ID), F("reviewer", STAGE_PERSON),
	W("status", words_review_statuses), PLACE, TIMES };

#define REPOSITORY T("owner", 255), T("repo", 255), T("host_url", 2000), T("original_url", 2000)
static const struct stage_field pull_request[] = { F("id", STAGE_ID), F("story_id", STAGE_ID),
	F("epic_id", STAGE_ID), REPOSITORY, F("number", STAGE_INT), T("status", 255), PLACE,
	TIMES };
static const struct stage_field branch[] = { F("id", STAGE_ID), F("story_id", STAGE_ID),
	F("epic_id", STAGE_ID), REPOSITORY, T("name", 255), PLACE, TIMES };

static const struct stage_field cicd_event[] = { ON_STORY, T("provider", 255), T("name", 255),
	T("status", 255), T("url", 2000), PLACE, TIMES };

static const struct stage_field file[] = { ON_THING, F("comment_id", STAGE_ID), T("filename", 255),
	T("content_type", 128), F("size", STAGE_INT), F("uploader", STAGE_PERSON),
	F("body", STAGE_TEXT), F("told", STAGE_BOOL), PLACE, TIMES };

static const struct stage_field google[] = { F("id", STAGE_ID), F("comment_id", STAGE_ID),
	T("google_kind", 255), T("title", 1000), T("google_id", 255), T("alternate_link", 2000),
	T("resource_id", 255), F("person", STAGE_PERSON), PLACE };

static const struct stage_field transition[] = { F("story_id", STAGE_ID),
	W("state", words_story_states), F("occurred_at", STAGE_TIME),
	F("performed_by", STAGE_PERSON), F("project_version", STAGE_INT) };

static const struct stage_field activity[] = { F("project_version", STAGE_INT), T("kind", 255),
	F("number", STAGE_ID), T("type", 255), T("message", 20000), T("highlight", 255),
	F("changes", STAGE_JSON), F("about", STAGE_ABOUT), F("story_ids", STAGE_IDS),
	F("epic_ids", STAGE_IDS), F("primary_resources", STAGE_JSON),
	F("secondary_resources", STAGE_JSON), F("occurred_at", STAGE_TIME),
	F("performed_by", STAGE_PERSON), PLACE };

static const struct stage_field override[] = { F("number", STAGE_INT), F("length", STAGE_INT),
	F("team_strength", STAGE_NUMBER) };

static const struct stage_field saved_search[] = { F("id", STAGE_ID), T("name", 255),
	T("query", 1000), F("person", STAGE_PERSON), TIMES };

static const struct stage_field webhook[] = { F("id", STAGE_ID), T("webhook_url", 2000),
	W("webhook_version", words_webhook_versions), F("enabled", STAGE_BOOL), TIMES };

static const struct stage_field integration[] = { F("id", STAGE_ID), W("kind", words_integrations),
	T("name", 255), F("active", STAGE_BOOL), T("base_url", 2000), F("can_import", STAGE_BOOL),
	T("import_api_url", 2000), T("story_name", 255), T("api_username", 255),
	T("basic_auth_username", 255), T("external_project_id", 255), T("filter_id", 255),
	T("component", 255), T("product", 255), T("statuses_to_exclude", 255), T("view_id", 255),
	T("zendesk_user_email", 255), T("account", 255), T("company", 255), T("bin_id", 255),
	F("comments_private", STAGE_BOOL), F("update_comments", STAGE_BOOL),
	F("update_state", STAGE_BOOL), TIMES };

const struct stage_kind stage_kinds[INTAKE__MAX] = {
	[INTAKE_PROJECT] = KIND(project),
	[INTAKE_MEMBERSHIP] = KIND(membership),
	[INTAKE_LABEL] = KIND(label),
	[INTAKE_EPIC] = KIND(epic),
	[INTAKE_STORY] = KIND(story),
	[INTAKE_TASK] = KIND(task),
	[INTAKE_COMMENT] = KIND(comment),
	[INTAKE_BLOCKER] = KIND(blocker),
	[INTAKE_REVIEW_TYPE] = KIND(review_type),
	[INTAKE_REVIEW] = KIND(review),
	[INTAKE_PULL_REQUEST] = KIND(pull_request),
	[INTAKE_BRANCH] = KIND(branch),
	[INTAKE_CICD] = KIND(cicd_event),
	[INTAKE_FILE] = KIND(file),
	[INTAKE_GOOGLE] = KIND(google),
	[INTAKE_TRANSITION] = KIND(transition),
	[INTAKE_ACTIVITY] = KIND(activity),
	[INTAKE_OVERRIDE] = KIND(override),
	[INTAKE_SAVED_SEARCH] = KIND(saved_search),
	[INTAKE_WEBHOOK] = KIND(webhook),
	[INTAKE_INTEGRATION] = KIND(integration),
};

int stage_field_number(enum intake_kind kind, const char *name)
{
	const struct stage_kind *k = &stage_kinds[kind];
	for (int i = 0; i < k->n; i++)
		if (!strcmp(k->fields[i].name, name))
			return i;
	log_die("%s has no field %s", intake_kinds[kind], name);
}
