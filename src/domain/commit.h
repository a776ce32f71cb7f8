/*
 * Rules of source commits: what a commit message says about stories (contract 2, POST
 * /source_commits). [#1] links a story, [Fixes #1 #2] and similar verbs finish them, [Delivers
 * #1] delivers it. Each story gets a comment, and its project a version.
 */
#ifndef COMMIT_H
#define COMMIT_H

#include "domain/outcome.h"

struct commit_story {
	int64_t id;
	int state; /* STATE_FINISHED, STATE_DELIVERED; WORD_NONE: no change */
};
struct commit_stories {
	struct commit_story *v;
	size_t n;
};

/* The stories that a message names, each once, by their ids. */
struct commit_stories commit_read(struct arena *a, struct str message);

/* The text of the comments: author, place and message; at most 20000 characters. */
struct str commit_text(struct arena *a, const struct commit *commit);

/* The system it came from, as far as its address shows. */
const char *commit_type(struct str url);

/*
 * Its effect on the scene's story: a comment by the author (NIL: by the performer), and the
 * requested state (WORD_NONE: none) if the story can enter it. Nothing if scene->comments holds a
 * comment of the same commit.
 */
enum rc commit_apply(
	struct outcome *out, const struct commit *commit, int state, int64_t author) MUST_CHECK;

#endif
