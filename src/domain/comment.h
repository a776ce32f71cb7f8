/*
 * Rules of comments and their attachments (contract 2.11, 2.12, 3.8): every member of the project
 * may change them. The wish is of res_comment. The scene holds the story or epic, the caller's
 * uploads named in the wish, the people it names and the people concerned by the story or epic.
 */
#ifndef COMMENT_H
#define COMMENT_H

#include "domain/outcome.h"

/*
 * A comment on a story or an epic (the other null), from a wish of res_comment or
 * res_comment_body: checks it, makes its row and attachments, makes its author a follower, and
 * touches the story or epic.
 */
enum rc comment_add(struct outcome *out, const struct wish *wish, const struct story *story,
	const struct epic *epic) MUST_CHECK;

/* Its text, and attachments to add and remove; touches the story or epic if anything changes. */
enum rc comment_change(
	struct outcome *out, const struct wish *wish, const struct comment *old) MUST_CHECK;

/* Commands. */
enum rc comment_create(struct outcome *out, const struct wish *wish) MUST_CHECK;
enum rc comment_update(struct outcome *out, const struct wish *wish) MUST_CHECK;
enum rc comment_delete(struct outcome *out, const struct wish *none) MUST_CHECK;

/* The scene's object is the comment, its files or google attachments hold the id to take off. */
enum rc comment_file_remove(struct outcome *out, const struct wish *none) MUST_CHECK;
enum rc comment_google_remove(struct outcome *out, const struct wish *none) MUST_CHECK;

#endif
