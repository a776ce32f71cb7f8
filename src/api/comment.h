/* Loading for commands that make or change comments. */
#ifndef API_COMMENT_H
#define API_COMMENT_H

#include "api/command.h"

/*
 * For wishes of res_comment or res_comment_body: ids for them and for documents of Google,
 * uploads that they name, and people: authors, those behind an @ in the texts, and whom
 * the path's story or epic concerns.
 */
void comment_load(struct command *c, const struct wishes *wishes);

#endif
