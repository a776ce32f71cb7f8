#include "old/old_path.h"

#include <string.h>

/* clang-format off */
#define PAGE										\
	{ "limit", "limit", OLD_INT, "The maximum number of results." },				\
	{ "offset", "offset", OLD_INT, "How many results to skip." }

static const struct old_param story_params[] = {
	{ "filter", "filter", OLD_TEXT, "A search, as in version 5." }, PAGE, { 0 } };
static const struct old_param iteration_params[] = {
	{ "group", "scope", OLD_TEXT, "done, current, backlog or current_backlog." }, PAGE, { 0 } };
static const struct old_param group_params[] = { PAGE, { 0 } };
static const struct old_param activity_params[] = {
	{ "limit", "limit", OLD_INT, "The maximum number of results, at most 100." },
	{ "newer_than_version", "since_version", OLD_INT, "Only what created later versions." },
	{ "occurred_since_date", "occurred_after", OLD_TIME, "Only what happened from that time "
			"on." },
	{ 0 } };

#define PROJECT "/projects/:project"
#define MEMBERS PROJECT "/memberships"
#define STORIES PROJECT "/stories"
#define STORY STORIES "/:story"
#define ITERATIONS PROJECT "/iterations"

/* The five endpoints for a part of a story; `there` is its path in version 5. */
#define PART(here, there, kind, in, a, NOUN)									\
	{ "GET", STORY here, in, "GET", STORY there, &kind, .is_list = true, .doc = NOUN "s of a story." },	\
	{ "POST", STORY here, in, "POST", STORY there, &kind, .body = &kind, .doc = "Add " a "." },		\
	{ "GET", STORY here "/:id", in, "GET", STORY there "/:id", &kind, .doc = "One " NOUN "." },		\
	{ "PUT", STORY here "/:id", in, "PUT", STORY there "/:id", &kind, .body = &kind,			\
		.doc = "Change " a "." },									\
	{ "DELETE", STORY here "/:id", in, "DELETE", STORY there "/:id", .doc = "Delete " a "." }

#define GROUP(name)											\
	{ "GET", ITERATIONS "/" name, 0, "GET", ITERATIONS, &old_iteration, .is_list = true,		\
		.params = group_params, .scope = name, .limit = 1000, .limit_max = 1000,		\
		.doc = "Iterations: " name "." }

#define FEED(here, there, of)										\
	{ "GET", here, 0, "GET", there, &old_activity, .is_list = true, .params = activity_params,	\
		.limit = 10, .limit_max = 100, .act = OLD_TELLS,					\
		.doc = "What happened to stories " of ", newest first." }

const struct old_path old_paths[] = {
	{ "GET", "/tokens/active", 0, "GET", "/me", &old_token,
		.doc = "The caller's token, for a name and password." },
	{ "POST", "/tokens/active", 0, "GET", "/me", &old_token, .act = OLD_SIGNS_IN,
		.doc = "The same for the parameters username and password." },
	{ "GET", "/me", OLD_V4, "GET", "/me", &old_me, .doc = "The caller, with the token." },
	{ "GET", "/projects", 0, "GET", "/projects", &old_project, .is_list = true,
		.doc = "The caller's projects." },
	{ "POST", "/projects", 0, "POST", "/projects", &old_project, .body = &old_project,
		.doc = "Create a project." },
	{ "GET", PROJECT, 0, "GET", PROJECT, &old_project, .doc = "One project." },
	{ "GET", MEMBERS, 0, "GET", MEMBERS, &old_membership, .is_list = true,
		.doc = "People of a project." },
	{ "POST", MEMBERS, 0, "POST", MEMBERS, &old_membership, .body = &old_membership,
		.doc = "Add a person, by email address." },
	{ "GET", MEMBERS "/:id", 0, "GET", MEMBERS "/:id", &old_membership, .doc = "One membership." },
	{ "DELETE", MEMBERS "/:id", 0, "DELETE", MEMBERS "/:id", .doc = "Remove a person." },
	{ "GET", STORIES, 0, "GET", STORIES, &old_story, .is_list = true, .params = story_params,
		.limit = 3000, .limit_max = 3000, .doc = "Stories of a project, in order." },
	{ "POST", STORIES, 0, "POST", STORIES, &old_story, .body = &old_story, .doc = "Add a story." },
	{ "PUT", STORIES "/deliver_all_finished", 0, "PUT", STORIES "/bulk", &old_story,
		.is_list = true, .act = OLD_DELIVERS, .doc = "Deliver all stories that are finished." },
	{ "GET", STORY, 0, "GET", STORY, &old_story, .doc = "One story." },
	{ "PUT", STORY, 0, "PUT", STORY, &old_story, .body = &old_story,
		.doc = "Change a story; project_id moves it." },
	{ "DELETE", STORY, 0, "DELETE", STORY, .doc = "Delete a story." },
	{ "POST", STORY "/moves", 0, "PUT", STORY, &old_story, .act = OLD_MOVES,
		.doc = "Move a story before or after another: move[move] and move[target]." },
	PART("/notes", "/comments", old_note, OLD_V3, "a note", "Note"),
	PART("/comments", "/comments", old_comment, OLD_V4, "a comment", "Comment"),
	PART("/tasks", "/tasks", old_task, 0, "a task", "Task"),
	{ "POST", STORY "/attachments", 0, "POST", PROJECT "/uploads", &old_receipt,
		.act = OLD_ATTACHES, .doc = "Attach a file, the part Filedata." },
	{ "GET", ITERATIONS, 0, "GET", ITERATIONS, &old_iteration, .is_list = true,
		.params = iteration_params, .limit = 1000, .limit_max = 1000,
		.doc = "Iterations: done, current and projected." },
	GROUP("done"), GROUP("current"), GROUP("backlog"), GROUP("current_backlog"),
	{ "POST", "/source_commits", 0, "POST", "/source_commits", &old_story, .is_list = true,
		.body = &old_commit, .nests = true,
		.doc = "Report a commit; adds comments to the stories that its message names." },
	FEED("/activities", "/my/activity", "of the caller's projects"),
	FEED(PROJECT "/activities", PROJECT "/activity", "of a project"),
	FEED(STORY "/activities", STORY "/activity", "like this one"),
	{ 0 },
};
/* clang-format on */

/* How well a row's path fits: -1 not at all, else its number of literal segments. */
static int fit(const char *path, const struct str *segments, int n)
{
	struct str rest = str_of(path + 1);
	int literal = 0, i = 0;
	for (; rest.p; i++) {
		struct str part = str_cut(&rest, '/');
		if (i == n)
			return -1;
		if (*part.p == ':')
			continue;
		if (!str_equal(part, segments[i]))
			return -1;
		literal++;
	}
	return i == n ? literal : -1;
}

const struct old_path *old_path_find(struct arena *a, enum old_version version, struct str method,
	const struct str *segments, int n, struct str *allowed)
{
	const struct old_path *found = NULL;
	int best = 0;
	*allowed = (struct str){ 0 };
	for (const struct old_path *p = old_paths; p->method; p++) {
		int fits = p->versions && !(p->versions & version) ? -1 : fit(p->path, segments, n);
		if (fits < best || fits < 1)
			continue;
		if (fits > best) {
			found = NULL;
			*allowed = (struct str){ 0 };
		}
		best = fits;
		if (str_equal_z(method, p->method))
			found = p;
		*allowed = allowed->p ? arena_printf(a, "%s, %s", allowed->p, p->method)
				      : str_of(p->method);
	}
	return found;
}

struct str old_path_part(const struct old_path *p, const struct str *segments, const char *part)
{
	struct str rest = str_of(p->path + 1);
	for (int i = 0; rest.p; i++)
		if (str_equal_z(str_cut(&rest, '/'), part))
			return segments[i];
	return (struct str){ 0 };
}

int old_path_turn(
	const struct old_path *p, const struct str *segments, struct str turned[OLD_SEGMENTS_MAX])
{
	struct str rest = str_of(p->v5_path + 1);
	int n = 0;
	while (rest.p && n < OLD_SEGMENTS_MAX) {
		struct str part = str_cut(&rest, '/');
		char name[32];
		str_print(name, sizeof name, "%.*s", (int)part.n, part.p);
		turned[n++] = *part.p == ':' ? old_path_part(p, segments, name) : part;
	}
	return n;
}
