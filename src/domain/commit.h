/*
 * Rules of source commits: what a message says of stories (contract 2, POST /source_commits). In
 * brackets [#1] links a story, [Fixes #1 #2] and its like finish them, [Delivers #1] delivers it.
 * Each story gets a comment, and its project a version for it.
 */
#ifndef COMMIT_H
#define COMMIT_H

#include "domain/outcome.h"

struct commit_story {
	int64_t id;
	int state; /* STATE_FINISHED, STATE_DELIVERED; WORD_NONE: none is asked for */
};
struct commit_stories {
	struct commit_story *v;
	size_t n;
};

/* The stories that a message names, each once, by their ids. */
struct commit_stories commit_read(struct arena *a, struct str message);

/* The text of the comments: by whom, where, and the message; at most 20000 characters. */
struct str commit_text(struct arena *a, const struct commit *commit);

/* Which system it came from, as far as its address tells. */
const char *commit_type(struct str url);

/*
 * What it does to the scene's story: a comment by the author (who acts when that is NIL), and
 * the state that it asks for (WORD_NONE: none), where the story can come to it. Nothing when
 * scene->comments holds a comment of the same commit.
 */
enum rc commit_apply(
	struct outcome *out, const struct commit *commit, int state, int64_t author) MUST_CHECK;

#endif
