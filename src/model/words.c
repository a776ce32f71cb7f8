#include "model/words.h"

#include <stddef.h>
#include <string.h>

const char *const words_story_types[] = { "feature", "bug", "chore", "release", NULL };
const char *const words_story_states[] = { "accepted", "delivered", "finished", "started",
	"rejected", "planned", "unstarted", "unscheduled", NULL };
const char *const words_story_priorities[] = { "p0", "p1", "p2", "p3", "none", NULL };
const char *const words_story_groups[] = { "scheduled", "unscheduled", "current", NULL };
const char *const words_roles[] = { "owner", "member", "viewer", NULL };
const char *const words_week_days[] = { "Sunday", "Monday", "Tuesday", "Wednesday", "Thursday",
	"Friday", "Saturday", NULL };
const char *const words_project_types[] = { "demo", "private", "public", "shared", NULL };
const char *const words_second_factor[] = { "off", "optional", "required", NULL };
const char *const words_integrations[] = { "bugzilla_integration", "get_satisfaction_integration",
	"github_integration", "gitlab_integration", "jira_integration", "lighthouse_integration",
	"other_integration", "zendesk_integration", NULL };
const char *const words_webhook_versions[] = { "v5", "v3", "v4", NULL };
const char *const words_display_modes[] = { "collapsed", "expanded", NULL };
const char *const words_token_scopes[] = { "read", "write", NULL };
const char *const words_review_statuses[] = { "unstarted", "in_review", "pass", "revise", NULL };

int words_find(const char *const *words, const char *p, unsigned long n)
{
	for (int i = 0; words[i]; i++)
		if (strlen(words[i]) == n && !memcmp(words[i], p, n))
			return i;
	return WORD_NONE;
}
