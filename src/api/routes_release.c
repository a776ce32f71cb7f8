/* Releases, and the transitions of stories. */
#include "api/act.h"
#include "api/crud.h"
#include "model/model.h"
#include "api/routes.h"

static const char *const story_states[] = { "accepted", "delivered", "finished", "started",
	"rejected", "planned", "unstarted", "unscheduled", NULL };
static const struct param release_params[] = {
	{ "with_state", FT_STRING, .words = story_states,
		.where = "s.section = story_section(%s::text) and s.current_state = %s::text",
		.doc = "Only releases in this state." },
	{ "accepted_before", FT_TIME, .where = "s.accepted_at < %s::timestamptz",
		.doc = "Only releases accepted before this time." },
	{ "accepted_after", FT_TIME, .where = "s.accepted_at > %s::timestamptz",
		.doc = "Only releases accepted after this time." },
	{ "deadline_before", FT_TIME, .where = "s.deadline < %s::timestamptz",
		.doc = "Only releases due before this time." },
	{ "deadline_after", FT_TIME, .where = "s.deadline > %s::timestamptz",
		.doc = "Only releases due after this time." },
	{ 0 },
};

static const struct param transition_params[] = {
	{ "occurred_before", FT_TIME, .where = "t.occurred_at < %s::timestamptz",
		.doc = "Only what happened before this time." },
	{ "occurred_after", FT_TIME, .where = "t.occurred_at > %s::timestamptz",
		.doc = "Only what happened after this time." },
	{ 0 },
};

const struct route release_routes[] = {
	{ "GET", "/projects/:project/releases", NEED_VIEWER, crud_list, &res_release,
		.read = STMT_RELEASE_LIST, .params = release_params, .flags = R_PAGED, .limit = 100,
		.limit_max = 500, .total = STMT_RELEASE_COUNT,
		.doc = "Releases of a project, in the project's order." },
	{ "GET", "/projects/:project/releases/:id", NEED_VIEWER, crud_get, &res_release,
		.read = STMT_RELEASE_GET, .doc = "One release." },
	{ "GET", "/projects/:project/releases/:id/stories", NEED_VIEWER, crud_list, &res_story,
		.read = STMT_RELEASE_STORIES, .known = STMT_RELEASE_KNOWN,
		.doc = "Stories of a release: those above it, down from the release before." },
	{ "GET", "/projects/:project/releases/:id/stories.csv", NEED_VIEWER, act_release_csv, NULL,
		.known = STMT_RELEASE_KNOWN, .flags = R_NOT_IN_PARTS,
		.doc = "Stories of a release as CSV." },
	{ "GET", "/projects/:project/stories/:story/transitions", NEED_VIEWER, crud_list,
		&res_story_transition, .read = STMT_STORY_TRANSITION_LIST, .flags = R_PAGED,
		.limit = 100, .limit_max = 500, .total = STMT_STORY_TRANSITION_COUNT,
		.doc = "States that a story came to, oldest first." },
	{ "GET", "/projects/:project/story_transitions", NEED_VIEWER, crud_list,
		&res_story_transition, .read = STMT_PROJECT_TRANSITION_LIST,
		.params = transition_params, .flags = R_PAGED, .limit = 100, .limit_max = 500,
		.total = STMT_PROJECT_TRANSITION_COUNT,
		.doc = "States that the stories of a project came to, oldest first." },
	{ 0 },
};
